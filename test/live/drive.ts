// Runs one query() of a real release against the scripted model and returns everything that happened as one timeline.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { startModel, type ModelRequest, type Reply, type Script } from './messages-api.ts';

/** One thing that happened, `t` milliseconds after the start. What else it has depends on `event`. */
export interface Entry {
  t: number;
  event: EventName;
  frame?: Frame;
  [key: string]: unknown;
}

export type EventName =
  // the host: its prompt, callbacks, actions, iteration
  | 'start'
  | 'sent'
  | 'promptEnd'
  | 'canUseTool'
  | 'canUseToolAnswer'
  | 'canUseToolAborted'
  | 'hook'
  | 'hookAnswer'
  | 'hookAborted'
  | 'mcp'
  | 'action'
  | 'actionDone'
  | 'actionFailed'
  | 'frame'
  | 'iterationEnd'
  | 'iterationError'
  // its process
  | 'resources'
  | 'warning'
  | 'unhandledRejection'
  | 'stderr'
  | 'exit'
  // the CLI: its process, what goes over its pipes (frames hidden from the consumer and the control protocol too)
  | 'cliSpawn'
  | 'cliExit'
  | 'stdinEnd'
  | 'stdoutEnd'
  | 'write'
  | 'wire'
  // the model
  | 'model';

/** A frame as the consumer got it, long texts cut. */
export interface Frame {
  type: string;
  subtype?: string;
  [key: string]: unknown;
}

/** Picks the nth entry (from 1) that has all of these, nested objects by the fields named. */
export interface Match {
  event: EventName;
  nth?: number;
  [key: string]: unknown;
}

/** A step of an iterable prompt: a message (with more fields of its own), or waiting. */
export type PromptStep = { say: string; [field: string]: unknown } | { until: Match } | { quiet: number };

/** How a callback answers: at once, after an entry of the timeline, or after a time. */
export interface Decision<Behavior extends string = 'allow' | 'deny'> {
  behavior: Behavior;
  /** Only for inputs whose JSON has this text; others are allowed. */
  of?: string;
  until?: Match;
  afterMs?: number;
}

export type Action = { on: Match; afterMs?: number } & (
  | {
      do:
        | 'abort'
        | 'break'
        | 'close'
        | 'return'
        | 'interrupt'
        | 'stopTask'
        | 'backgroundTasks'
        | 'hold'
        | 'release';
    }
  | { do: 'kill'; signal?: NodeJS.Signals }
  /** Makes a file in the working directory: shells of the CLI can wait for it. */
  | { do: 'signal'; file: string }
  | { do: 'streamInput'; messages: PromptStep[] }
  | { do: 'setPermissionMode'; args: [string] }
);

/** The part of a drive that the runner gets, as JSON. */
export interface Plan {
  prompt: string | PromptStep[];
  /** The query comes from startup(), before there is a prompt. */
  warmed?: boolean;
  callbacks?: {
    canUseTool?: Decision;
    /** By event name; `observe` answers nothing. */
    hooks?: Record<string, Decision<'allow' | 'deny' | 'observe'>>;
    /** An in-process server with the tool `mcp__host__ping`. */
    mcp?: boolean;
  };
  actions?: Action[];
  /** Further options of query(); `env` is added to the process's. */
  options?: Record<string, unknown>;
}

export interface DriveOptions extends Plan {
  /** The bundle to import. */
  sdk: string;
  script: Script;
  /** Of the host process, and so of the CLI. A variable set to undefined is taken out. */
  env?: Record<string, string | undefined>;
  /** After that many milliseconds everything is killed and the run counts as hung. */
  deadline?: number;
  /** How long processes may outlive the host before they count as left behind. */
  grace?: number;
}

export interface Run {
  timeline: Entry[];
  /** The frames alone, each with its time. */
  frames: (Frame & { t: number })[];
  hung: boolean;
  /** When the CLI's stdin was ended. */
  stdinEndedAt: number | undefined;
  /** When the iteration was over, by its end or an error. */
  endedAt: number | undefined;
  exitCode: number | null;
  cliExit: { code: number | null; signal: string | null; t: number } | undefined;
  /** tool_results the model saw that failed because the control channel was gone. */
  streamClosed: string[];
  /** Processes that outlived the host, killed by now. */
  left: string[];
  stderr: string;
}

export async function drive(options: DriveOptions): Promise<Run> {
  const { sdk, script, env, deadline = 60_000, grace = 3_000, ...plan } = options;
  const home = await mkdtemp(join(await realpath(tmpdir()), 'holdopen-live-'));
  const cwd = join(home, 'project');
  await mkdir(cwd);
  await mkdir(join(home, 'tmp'));
  await writeFile(join(home, 'plan.json'), JSON.stringify({ ...plan, sdk }));

  const timeline: Entry[] = [];
  const startedAt = now();
  const model = await startModel(
    (request) => script(request, timeline),
    (request, reply) => {
      timeline.push({ t: now() - startedAt, event: 'model', ...summary(request, reply) });
    },
  );
  const host = spawn(process.execPath, [join(import.meta.dirname, 'runner.mjs'), join(home, 'plan.json')], {
    cwd,
    env: { ...inherited(), ...loopback(model.url, home), ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  host.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-8_000)));
  createInterface({ input: host.stdio[3] as Readable }).on('line', (line) => {
    const entry = JSON.parse(line) as Entry;
    timeline.push({ ...entry, t: entry.t - startedAt });
  });

  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    host.kill('SIGKILL');
  }, deadline);
  const [exitCode] = (await once(host, 'exit')) as [number | null];
  clearTimeout(timer);
  const left = await reap(home, timeline, hung ? 0 : grace);
  if (host.stdio[3] && !(host.stdio[3] as Readable).closed) await once(host.stdio[3] as Readable, 'close');
  await model.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });

  timeline.sort((a, b) => a.t - b.t);
  return { timeline, hung, exitCode, left, ...digest(timeline), stderr: stderr + textsOf(timeline) };
}

const now = (): number => performance.timeOrigin + performance.now();

/** The environment a CLI needs, without the settings of whoever runs the tests. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, LANG, SystemRoot } = process.env;
  return { PATH, LANG, SystemRoot, SHELL: '/bin/bash' };
}

function loopback(url: string, home: string): NodeJS.ProcessEnv {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'scripted',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    TMPDIR: join(home, 'tmp'),
    CLAUDE_CODE_TMPDIR: join(home, 'tmp'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1', // needed as root
  };
}

function summary(
  { n, conversation, text, news, toolResults, tools }: ModelRequest,
  reply: Reply,
): Record<string, unknown> {
  const answer =
    'status' in reply
      ? String(reply.status)
      : reply.blocks.map((block) => (block.type === 'text' ? block.text : (block.id ?? block.type)));
  return { n, conversation, tools: tools.length, text: text.slice(-400), news, toolResults, reply: answer };
}

function digest(
  timeline: Entry[],
): Pick<Run, 'frames' | 'stdinEndedAt' | 'endedAt' | 'cliExit' | 'streamClosed'> {
  const at = (...names: EventName[]): Entry | undefined =>
    timeline.find(({ event }) => names.includes(event));
  const exit = at('cliExit') as (Entry & { code: number | null; signal: string | null }) | undefined;
  const results = timeline.flatMap(
    ({ toolResults }) => (toolResults as ModelRequest['toolResults'] | undefined) ?? [],
  );
  return {
    frames: timeline.flatMap(({ t, frame }) => (frame ? [{ ...frame, t }] : [])),
    stdinEndedAt: at('stdinEnd')?.t,
    endedAt: at('iterationEnd', 'iterationError')?.t,
    cliExit: exit && { code: exit.code, signal: exit.signal, t: exit.t },
    streamClosed: results
      .filter(({ isError, text }) => isError && /stream closed/i.test(text))
      .map(({ id }) => id),
  };
}

const textsOf = (timeline: Entry[]): string =>
  timeline
    .flatMap(({ event, text }) => (event === 'stderr' ? [String(text)] : []))
    .join('')
    .slice(-8_000);

/** Waits for what the host started to end, then kills the rest by id and names it. */
async function reap(home: string, timeline: Entry[], grace: number): Promise<string[]> {
  const deadline = Date.now() + grace;
  const started = timeline.flatMap(({ event, pid }) => (event === 'cliSpawn' ? [Number(pid)] : []));
  for (;;) {
    const alive = new Map([
      ...started.filter(isAlive).map((pid) => [pid, 'CLI'] as const),
      ...(await strays(home)),
    ]);
    if (alive.size === 0) return [];
    if (Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    for (const pid of alive.keys()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // ended meanwhile
      }
    }
    return [...alive.values()];
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Shells that the CLI detached: processes whose environment holds this run's own home (Linux only). */
async function strays(home: string): Promise<[number, string][]> {
  const pids = await readdir('/proc').catch(() => []);
  const found: [number, string][] = [];
  for (const pid of pids.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (!environment.includes(`CLAUDE_CONFIG_DIR=${home}`)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command) found.push([Number(pid), command.replaceAll('\0', ' ').slice(0, 200)]);
  }
  return found;
}
