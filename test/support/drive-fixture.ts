/**
 * Runs one bundle, whatever SDK it holds, against the stand-in CLI in a process of its own, and returns what
 * happened on both sides. Ends on its own at a deadline and leaves no process and no file behind.
 */
import { fork } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Frame,
  RECORD_VARIABLE,
  type RecordEntry,
  TIMELINE_VARIABLE,
  type Timeline,
} from '../../src/probe/timeline.ts';
import { compile } from './compile.ts';

export type PromptStep =
  | { say: string; fields?: Record<string, unknown> }
  /** Goes on when the consumer has seen the frame with this label. */
  | { until: string }
  | { pause: number }
  | { throw: string }
  /** Never ends. */
  | { park: true };

export interface Reply {
  does: 'allow' | 'deny' | 'throw' | 'never';
  afterMs?: number;
}

/** Done when the consumer has seen the frame `at` (its label), or `afterMs` later. */
export type HostAction = { at: string; afterMs?: number } & (
  | { does: 'break' | 'return' | 'throw' | 'close' | 'abort' | 'interrupt' | 'holdInput' | 'release' }
  | { does: 'stopTask'; task: string }
  | { does: 'streamInput'; prompt: PromptStep[] }
);

export interface HostScript {
  canUseTool?: Reply;
  /** Event -> what its one hook answers. */
  hooks?: Record<string, Reply>;
  /** Names of in-process MCP servers. */
  mcpServers?: string[];
  actions?: HostAction[];
}

export interface DriveOptions {
  /** The file to import `query` from. */
  bundle: string;
  timeline: Timeline;
  /** A string, or the steps of an iterable; else an iterable of one message. */
  prompt?: string | PromptStep[];
  /** Else `canUseTool` that allows. */
  host?: HostScript;
  /** More options for `query()`, plain data. */
  options?: Record<string, unknown>;
  /** For the host's process, and so for its CLI. */
  env?: Record<string, string>;
  /** For the CLI alone, through the option `env`. */
  cliEnv?: Record<string, string>;
  /** After this the run counts as hung and is ended. */
  deadlineMs?: number;
  /** Waits this long for the host to leave by itself when its query is over; else it is ended then. */
  lingerMs?: number;
}

export interface DriveRecord {
  /** What the consumer saw, in order, and its labels (`result#1`). */
  frames: Frame[];
  labels: string[];
  /** Requests of the CLI that the host answered, and those that died with "Stream closed". */
  served: { id: string; subtype: string; ok: boolean; response: unknown }[];
  lost: { id: string; subtype: string; when: 'unanswered' | 'after-end' }[];
  /** Label of what the CLI had sent last when stdin ended; null: nothing; undefined: stdin did not end. */
  stdinEndedAfter: string | null | undefined;
  /** Milliseconds between that and the end of stdin. */
  stdinEndDelayMs: number | undefined;
  /** How the consumer's loop came to its end; undefined: it did not. */
  ended: 'done' | 'left' | 'threw' | undefined;
  error: string | undefined;
  hung: boolean;
  /** Callbacks of the host that were called, `canUseTool Bash`, in order. */
  calls: string[];
  actions: { does: string; ok: boolean; error?: string }[];
  warnings: { code: string; message: string }[];
  /** Exceptions and rejections that nobody caught. */
  uncaught: string[];
  /** How the CLI left; undefined: it was still there when the run was over. */
  cliExit: number | undefined;
  /** With `lingerMs`: how long the host stayed after its query was over; undefined: longer than that. */
  hostLeftAfterMs: number | undefined;
  /** What the host wrote to stdout and stderr. */
  output: string;
  /** Everything both sides recorded, by time. */
  log: (({ side: 'cli' } & RecordEntry) | ({ side: 'host' } & HostEntry))[];
}

export type HostEntry = { at: number } & (
  | { event: 'started' | 'prompts-over' }
  | { event: 'frame'; label: string; frame: Frame }
  | { event: 'call'; name: string }
  | { event: 'action'; does: string; ok: boolean; error?: string }
  | { event: 'warning'; code: string; message: string }
  | { event: 'uncaught'; error: string }
  | { event: 'ended'; how: 'done' | 'left' | 'threw'; error?: string }
);

/** What the host's process is started with. */
export interface HostPlan {
  bundle: string;
  standIn: string;
  record: string;
  prompt: string | PromptStep[];
  host: HostScript;
  options: Record<string, unknown>;
  cliEnv: Record<string, string>;
}

const DEADLINE_MS = 15_000;
const CLI_EXIT_MS = 3000;

/** Rejects where the bundle could not even be imported; whatever `query()` does is in the record. */
export async function driveFixture(options: DriveOptions): Promise<DriveRecord> {
  const folder = await mkdtemp(join(tmpdir(), 'holdopen-drive-'));
  try {
    return await driveIn(folder, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function driveIn(folder: string, options: DriveOptions): Promise<DriveRecord> {
  const [host, standIn] = await Promise.all([
    compile(new URL('./drive-host.ts', import.meta.url)),
    compile(new URL('../../src/probe/stand-in.ts', import.meta.url)),
  ]);
  const files = {
    plan: join(folder, 'plan.json'),
    host: join(folder, 'host.jsonl'),
    cli: join(folder, 'cli.jsonl'),
  };
  const timeline = join(folder, 'timeline.json');
  const plan: HostPlan = {
    bundle: options.bundle,
    standIn,
    record: files.host,
    prompt: options.prompt ?? [{ say: 'Begin.' }],
    host: options.host ?? { canUseTool: { does: 'allow' } },
    options: options.options ?? {},
    cliEnv: { ...options.cliEnv, [TIMELINE_VARIABLE]: timeline, [RECORD_VARIABLE]: files.cli },
  };
  await writeFile(timeline, JSON.stringify(options.timeline));
  await writeFile(files.plan, JSON.stringify(plan));
  const process = await runHost(host, files.plan, options, () => readRecord<RecordEntry>(files.cli));
  const seen = await readRecord<HostEntry>(files.host);
  if (!seen.some(({ event }) => event === 'started')) {
    const why = seen.map((entry) => (entry.event === 'uncaught' ? entry.error : '')).join(' ');
    throw new Error(`${options.bundle} cannot be driven: ${why}${process.output}`);
  }
  return summarize(await readRecord<RecordEntry>(files.cli), seen, process);
}

interface HostProcess {
  hung: boolean;
  leftAfterMs: number | undefined;
  output: string;
}

/** The host and all that it starts are one process group, which is gone when this returns. */
async function runHost(
  host: string,
  plan: string,
  { env, deadlineMs = DEADLINE_MS, lingerMs }: DriveOptions,
  cliRecord: () => Promise<RecordEntry[]>,
): Promise<HostProcess> {
  const child = fork(host, [plan], {
    detached: true,
    execArgv: [],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  const left = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = new Promise<void>((resolve) => child.once('message', () => resolve()));
  const over = Promise.race([ended, left]).then(() => true);
  try {
    const inTime = await within(over, deadlineMs);
    const since = performance.now();
    const leaves =
      inTime === true &&
      lingerMs !== undefined &&
      (await within(
        left.then(() => true),
        lingerMs,
      )) === true;
    const leftAfterMs = leaves ? performance.now() - since : undefined;
    if (inTime) await cliGone(cliRecord);
    return { hung: inTime !== true, leftAfterMs, output: Buffer.concat(output).toString() };
  } finally {
    killGroup(child.pid);
    await left;
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const cancel = new AbortController();
  const late = sleep(ms, undefined, { signal: cancel.signal }).catch(() => undefined);
  return Promise.race([promise, late]).finally(() => cancel.abort());
}

/** A CLI that leaves properly says so last; one that is on its way out gets a moment for it. */
async function cliGone(cliRecord: () => Promise<RecordEntry[]>): Promise<void> {
  for (const until = performance.now() + CLI_EXIT_MS; performance.now() < until; await sleep(10)) {
    const entries = await cliRecord();
    if (entries.length === 0 || entries.at(-1)?.event === 'exit') return;
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}

async function readRecord<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}

function summarize(cli: RecordEntry[], host: HostEntry[], process: HostProcess): DriveRecord {
  const ofCli = picker(cli);
  const ofHost = picker(host);
  const [stdinEnd] = ofCli('stdin-end');
  const sentBefore = ofCli('sent').findLast((entry) => stdinEnd !== undefined && entry.at <= stdinEnd.at);
  const [ended] = ofHost('ended');
  const log = [
    ...cli.map((entry) => ({ side: 'cli' as const, ...entry })),
    ...host.map((entry) => ({ side: 'host' as const, ...entry })),
  ];
  return {
    frames: ofHost('frame').map(({ frame }) => frame),
    labels: ofHost('frame').map(({ label }) => label),
    served: ofCli('served').map(({ id, subtype, ok, response }) => ({ id, subtype, ok, response })),
    lost: ofCli('lost').map(({ id, subtype, when }) => ({ id, subtype, when })),
    stdinEndedAfter: stdinEnd?.after,
    stdinEndDelayMs: stdinEnd && sentBefore && stdinEnd.at - sentBefore.at,
    ended: ended?.how,
    error: ended?.error,
    hung: process.hung,
    calls: ofHost('call').map(({ name }) => name),
    actions: ofHost('action').map(({ does, ok, error }) => ({
      does,
      ok,
      ...(error === undefined ? {} : { error }),
    })),
    warnings: ofHost('warning').map(({ code, message }) => ({ code, message })),
    uncaught: ofHost('uncaught').map(({ error }) => error),
    cliExit: ofCli('exit')[0]?.code,
    hostLeftAfterMs: process.leftAfterMs,
    output: process.output,
    log: log.sort((a, b) => a.at - b.at),
  };
}

/** Gives the entries of one kind. */
function picker<E extends { event: string }>(entries: readonly E[]) {
  return <K extends E['event']>(event: K) =>
    entries.filter((entry): entry is Extract<E, { event: K }> => entry.event === event);
}
