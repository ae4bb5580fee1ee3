/**
 * Runs one bundle, whatever SDK it holds, against the stand-in CLI in a process of its own, and tells what happened on
 * both sides. Ends on its own at a deadline and leaves no process and no file behind.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HoldopenError } from '../errors.ts';
import { endGroup, removeFolder, temporaryFolder, track } from './processes.ts';
import { type DriveRecord, type HostOutcome, picker, readRecord, summarize } from './record.ts';
import { type HostPlan, SERVE } from './script.ts';
import { RECORD_VARIABLE, TIMELINE_VARIABLE, type Timeline } from './timeline.ts';

/** The files that `node` runs for a probe, without a loader. */
export interface Programs {
  host: string;
  standIn: string;
}

/** As built. Sources are run by tests only, which build these for themselves. */
export const builtPrograms = (): Programs => ({ host: built('host'), standIn: built('stand-in') });

const built = (name: string): string => fileURLToPath(new URL(`../probe/${name}.js`, import.meta.url));

/** Without a prompt one message is said, and without a script `canUseTool` allows. */
export interface DriveOptions extends Partial<Omit<HostPlan, 'bundle' | 'standIn' | 'record'>> {
  bundle: string;
  timeline: Timeline;
  /** After this the run counts as hung and is ended. */
  deadlineMs?: number;
  /** In a process of its own: waits this long for it to leave by itself when its query is over; else it is ended then. */
  lingerMs?: number;
}

const DEADLINE_MS = 15_000;
const CLI_EXIT_MS = 3000;
/** Of what a host writes, the end is kept. */
const OUTPUT_MOST = 4000;

/** Runs one after the other. The process of the host is used again, unless the run asks how long it stays. */
export class Driver {
  readonly #programs: Programs;
  readonly #folder = temporaryFolder('drive');
  #host: ChildProcess | undefined;
  #output = '';
  #runs = 0;

  constructor(programs: Programs) {
    this.#programs = programs;
  }

  /** Rejects where the bundle could not even be imported; whatever `query()` does is in the record. */
  async run({ timeline, deadlineMs = DEADLINE_MS, lingerMs, ...told }: DriveOptions): Promise<DriveRecord> {
    const folder = join(this.#folder, String((this.#runs += 1)));
    const file = (name: string): string => join(folder, name);
    const [host, cli] = [file('host.jsonl'), file('cli.jsonl')];
    const plan: HostPlan = {
      prompt: [{ say: 'Begin.' }],
      host: { canUseTool: { does: 'allow' } },
      options: {},
      env: {},
      ...told,
      standIn: this.#programs.standIn,
      record: host,
      cliEnv: { ...told.cliEnv, [TIMELINE_VARIABLE]: file('timeline.json'), [RECORD_VARIABLE]: cli },
    };
    await mkdir(folder);
    await writeFile(file('timeline.json'), JSON.stringify(timeline));
    await writeFile(file('plan.json'), JSON.stringify(plan));
    const outcome = await this.#runHost(file('plan.json'), cli, deadlineMs, lingerMs);
    const seen = await readRecord(host);
    const of = picker(seen);
    if (of('started').length === 0) {
      const why = of('uncaught').map(({ error }) => error);
      throw new HoldopenError({
        code: 'cannot-drive',
        message: `${told.bundle} cannot be driven: ${why.join(' ')}${this.#output}`,
        hint: `import it by itself: node ${told.bundle}`,
      });
    }
    const record = summarize([...(await readRecord(cli)), ...seen], outcome);
    // One who is still on its way out may write here; the last of it goes with the driver's folder.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    return record;
  }

  async close(): Promise<void> {
    if (this.#host) await endGroup(this.#host);
    this.#host = undefined;
    removeFolder(this.#folder);
  }

  async #runHost(
    plan: string,
    cliRecord: string,
    deadlineMs: number,
    lingerMs: number | undefined,
  ): Promise<HostOutcome> {
    const alone = lingerMs !== undefined;
    const child = alone ? this.#start(plan) : (this.#host ??= this.#start(SERVE));
    this.#output = '';
    const left = new Promise<true>((resolve) => child.once('close', () => resolve(true)));
    const ended = new Promise<true>((resolve) => child.once('message', () => resolve(true)));
    if (!alone) child.send(plan);
    const inTime = await within(Promise.race([ended, left]), deadlineMs);
    const since = performance.now();
    const leaves = alone && inTime && lingerMs > 0 && (await within(left, lingerMs));
    const hostLeftAfterMs = leaves ? performance.now() - since : undefined;
    const gone = inTime && (await cliGone(cliRecord));
    if (alone || !gone || child.exitCode !== null) {
      await endGroup(child);
      if (!alone) this.#host = undefined;
    }
    child.removeAllListeners('message').removeAllListeners('close');
    return { hung: !inTime, hostLeftAfterMs };
  }

  /** The host and all that it starts are one process group. */
  #start(argument: string): ChildProcess {
    const child = fork(this.#programs.host, [argument], {
      detached: true,
      execArgv: [],
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    track(child);
    const keep = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-OUTPUT_MOST);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    return child;
  }

  /** Nothing that the user has set for the SDK, the CLI or us changes what a run shows; nor does it write to a home. */
  #environment(): NodeJS.ProcessEnv {
    const ours = /^(HOLDOPEN_|CLAUDE|ANTHROPIC_|NODE_OPTIONS$|NODE_DEBUG$|DEBUG)/;
    const rest = Object.entries(process.env).filter(([name]) => !ours.test(name));
    return {
      ...Object.fromEntries(rest),
      // SDKs start `node` by its name.
      PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
      HOME: this.#folder,
      USERPROFILE: this.#folder,
      CLAUDE_CONFIG_DIR: this.#folder,
    };
  }
}

async function within(promise: Promise<true>, ms: number): Promise<boolean> {
  const cancel = new AbortController();
  const late = sleep(ms, false, { signal: cancel.signal }).catch(() => false);
  return Promise.race([promise, late]).finally(() => cancel.abort());
}

/** A CLI that leaves properly says so last; one that is on its way out gets a moment for it. */
async function cliGone(record: string): Promise<boolean> {
  for (const until = performance.now() + CLI_EXIT_MS; performance.now() < until; await sleep(10)) {
    const entries = await readRecord(record);
    if (entries.length === 0 || entries.at(-1)?.event === 'exit') return true;
  }
  return false;
}
