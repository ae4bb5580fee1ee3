/** A virtual surrounding for the gate: its clock goes only when told to, and everything it asks for is recorded. */
import { type Frame, type Gate, type Host, createGate } from '../../src/patch/gate.ts';
import {
  type TaskType,
  type Frame as WireFrame,
  assistantText,
  backgroundTasks,
  init,
  result,
  sessionState,
  taskNotification,
  taskStarted,
  taskUpdated,
  toolResult,
  toolUse,
} from '../../src/probe/timeline.ts';

interface Timer {
  at: number;
  callback: () => void;
}

export class FakeHost implements Host {
  /** Whether the query has callbacks. */
  bidirectional = true;
  /** Whether the gate itself asked for session state. */
  askedForState = false;
  environment: Record<string, string> = {};
  readonly warnings: { code: string; message: string }[] = [];
  readonly lines: string[] = [];
  #clock = 1000;
  #timers: Timer[] = [];
  #listeners = new Set<(cause: string) => void>();

  /** Whether the query is for one string prompt. */
  stringPrompt = false;

  /** In-process servers that the query has no longer. */
  readonly gone = new Set<string>();

  serves(server: string): boolean {
    return !this.gone.has(server);
  }

  single(): boolean {
    return this.stringPrompt;
  }

  needs(): boolean {
    return this.bidirectional;
  }

  now(): number {
    return this.#clock;
  }

  timer(ms: number, callback: () => void): () => void {
    const timer = { at: this.#clock + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  env(name: string): string | undefined {
    return this.environment[name];
  }

  watch(release: (cause: string) => void): () => void {
    this.#listeners.add(release);
    return () => {
      this.#listeners.delete(release);
    };
  }

  asked(): boolean {
    return this.askedForState;
  }

  warn(code: string, message: string): void {
    this.warnings.push({ code, message });
  }

  debug(line: string): void {
    this.lines.push(line);
  }

  /** Lets time pass; due timers run in order, each at its own time. */
  advance(ms: number): void {
    const end = this.#clock + ms;
    for (let next = this.#nextDue(end); next; next = this.#nextDue(end)) {
      this.#clock = Math.max(this.#clock, next.at);
      this.#run(next);
    }
    this.#clock = end;
  }

  /** The process is blocked for a while: no timer runs on time, and all that are due run late. */
  block(ms: number): void {
    this.#clock += ms;
    for (let next = this.#nextDue(this.#clock); next; next = this.#nextDue(this.#clock)) this.#run(next);
  }

  /** What ends a hold from outside: abort, end of stdout. */
  happens(cause: string): void {
    for (const listener of [...this.#listeners]) listener(cause);
  }

  get timers(): number {
    return this.#timers.length;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  #nextDue(end: number): Timer | undefined {
    const [first] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
    return first;
  }

  #run(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
    timer.callback();
  }
}

/** A prompt stream of the host. */
export interface Prompt {
  /** The SDK is at its tail and wants to end input. */
  end(): void;
  /** The call is over without that, because it threw. */
  fail(): void;
}

/** An inbound request in the host's hands. */
export interface Asked {
  /** What the gate handed back to the SDK. */
  handed: Promise<unknown>;
  answer(): Promise<void>;
  reject(error: unknown): Promise<void>;
}

/** A promise that the test settles, as the gate hands it through. */
function asked(hand: (promise: Promise<unknown>) => Promise<unknown>): Asked {
  let settle: { resolve: (value: unknown) => void; reject: (error: unknown) => void } | undefined;
  const handed = hand(
    new Promise((resolve, reject) => {
      settle = { resolve, reject };
    }),
  );
  return {
    handed,
    async answer() {
      settle?.resolve(undefined);
      await handed;
    },
    async reject(error) {
      settle?.reject(error);
      await handed.catch(() => undefined);
    },
  };
}

/** One query with a gate, driven as the SDK drives it: gate first, then the SDK's own logic. */
export class Session {
  readonly host = new FakeHost();
  readonly gate: Gate;
  /** When `endInput` was called, on the host's clock. */
  readonly ends: number[] = [];
  /** What `endInput` does when it is called. */
  endInput: () => unknown = () => undefined;

  constructor(
    settings: { asked?: boolean; env?: Record<string, string>; needs?: boolean; single?: boolean } = {},
  ) {
    this.host.askedForState = settings.asked ?? false;
    this.host.environment = settings.env ?? {};
    this.host.bidirectional = settings.needs ?? true;
    this.host.stringPrompt = settings.single ?? false;
    this.gate = createGate(this.host);
  }

  get ended(): boolean {
    return this.ends.length > 0;
  }

  readonly run = (): unknown => {
    this.ends.push(this.host.now());
    return this.endInput();
  };

  /** `streamInput` with so many messages. */
  prompt(messages = 1): Prompt {
    const over = this.gate.open();
    this.write(messages);
    return {
      end: () => {
        try {
          this.gate.end('streamInput', this.run, over);
        } finally {
          over();
        }
      },
      fail: over,
    };
  }

  write(messages = 1): void {
    for (let n = 0; n < messages; n += 1) this.gate.input();
  }

  /** The single-turn path of a string prompt, which is written outside of `streamInput`. */
  endSingleTurn(): void {
    this.gate.end('readMessages', this.run);
  }

  /** Frames from the CLI; whether the consumer may see each. */
  send(...frames: WireFrame[]): boolean[] {
    return frames.map((frame) => !this.gate.frame(frame as Frame));
  }

  /** An inbound control request, as the read loop handles it. */
  ask(id: string, subtype = 'can_use_tool'): Asked {
    return this.request(controlRequest(id, subtype));
  }

  /** The same with a whole frame. */
  request(frame: WireFrame): Asked {
    this.gate.frame(frame);
    return asked((handling) => this.gate.request(frame, handling));
  }

  /** The host's request to stop a task, and the CLI's answer to it. */
  stop(id: string): Asked {
    return asked((request) => this.gate.stop(id, request));
  }

  advance(ms: number): void {
    this.host.advance(ms);
  }

  /** Nothing of ours is left behind. */
  get leftovers(): { timers: number; listeners: number } {
    return { timers: this.host.timers, listeners: this.host.listeners };
  }
}

export const controlRequest = (id: string, subtype = 'can_use_tool'): WireFrame => ({
  type: 'control_request',
  request_id: id,
  request: { subtype },
});

export const controlCancel = (id: string): WireFrame => ({ type: 'control_cancel_request', request_id: id });

/** The CLI's answer to a request of the host. */
export const controlResponse = (subtype: 'success' | 'error' = 'success'): WireFrame => ({
  type: 'control_response',
  response: { subtype, request_id: 'host-1' },
});

type Kind = 'agent' | 'shell' | 'workflow' | 'monitor';
const TYPES: Record<Kind, TaskType> = {
  agent: 'local_agent',
  shell: 'local_bash',
  workflow: 'local_workflow',
  monitor: 'monitor',
};

/** How a range of releases reports background tasks. */
export interface Dialect {
  name: string;
  /** Who asked for session state; undefined: it is not reported. */
  state?: 'caller' | 'gate';
  /** `late`: flushed just before the result. `none`: only launch marks tell. */
  started: 'none' | 'late' | 'edge' | 'flagged';
  updated: boolean;
  /** The replace-set, before or after the terminal edges. */
  set?: 'first' | 'last';
  /** For which tasks `idle` waits. */
  idleWaits: 'all' | 'agents' | 'none';
}

const reporting = (dialect: Dialect): Dialect[] => [
  dialect,
  { ...dialect, name: `${dialect.name}, state for the caller`, state: 'caller' },
  { ...dialect, name: `${dialect.name}, state for the gate`, state: 'gate' },
];

export const DIALECTS: Dialect[] = [
  { name: 'launch marks', started: 'none', updated: false, idleWaits: 'none' },
  { name: 'like 0.2.50', started: 'late', updated: false, idleWaits: 'none' },
  ...reporting({ name: 'edges', started: 'edge', updated: true, idleWaits: 'all' }),
  ...reporting({ name: 'like 0.3.205', started: 'edge', updated: true, set: 'first', idleWaits: 'none' }),
  ...reporting({ name: 'like 0.3.332', started: 'flagged', updated: true, set: 'last', idleWaits: 'agents' }),
];

/** A CLI that reports what it does in one of the dialects, and the SDK's end of input at its first result. */
export class Cli {
  readonly session: Session;
  readonly dialect: Dialect;
  #prompt: Prompt | undefined;
  #live = new Map<string, Kind>();
  #late: WireFrame[] = [];
  #afterResult: WireFrame[] = [];
  #state = '';

  constructor(
    dialect: Dialect,
    options: { prompt?: 'iterable' | 'string'; messages?: number; env?: Record<string, string> } = {},
  ) {
    this.dialect = dialect;
    this.session = new Session({
      asked: dialect.state === 'gate',
      env: options.env ?? {},
      single: options.prompt === 'string',
    });
    if (options.prompt !== 'string') this.#prompt = this.session.prompt(options.messages ?? 1);
    this.#single = options.prompt === 'string';
  }

  #single: boolean;

  get ended(): boolean {
    return this.session.ended;
  }

  /** A turn begins; `gap` after what went before. */
  turn(gap = 10): void {
    this.session.advance(gap);
    this.#say('running');
    this.#send(init(), assistantText('working'));
  }

  launch(id: string, kind: Kind = 'agent'): void {
    const mark =
      kind === 'shell'
        ? { backgroundTaskId: id, stdout: '', stderr: '' }
        : kind === 'workflow'
          ? { status: 'async_launched', taskId: id, taskType: 'local_workflow' }
          : { isAsync: true, status: 'async_launched', agentId: id };
    this.#live.set(id, kind);
    this.#send(toolUse(`tool-${id}`, 'Launch'));
    this.#sendSet();
    this.#started(id, kind, true);
    this.#send(toolResult(`tool-${id}`, 'launched', { mark }));
  }

  /** A task in the foreground, from beginning to end. */
  foreground(id: string, kind: Kind = 'agent'): void {
    const { started, updated } = this.dialect;
    this.#send(toolUse(`tool-${id}`, 'Launch'));
    if (started !== 'late') this.#started(id, kind, false);
    this.session.advance(500);
    if (started === 'edge' || started === 'flagged') {
      if (updated && kind === 'agent') this.#send(taskUpdated(id, { status: 'completed' }));
      this.#send(taskNotification(id));
    }
    const mark = kind === 'agent' ? { status: 'completed', agentId: id } : { stdout: '', stderr: '' };
    this.#send(toolResult(`tool-${id}`, 'done', { mark }));
    if (started === 'late' && kind === 'agent') this.#started(id, kind, false);
  }

  /** A background task ends. `inTurn`: while a turn runs. */
  finish(
    id: string,
    { status = 'completed', inTurn = false }: { status?: Terminal; inTurn?: boolean } = {},
  ): void {
    const { updated, set, started } = this.dialect;
    this.#live.delete(id);
    if (set === 'first') this.#sendSet();
    if (updated) this.#send(taskUpdated(id, { status: status === 'stopped' ? 'killed' : status }));
    const notification = taskNotification(id, status);
    if (started === 'late' && inTurn) this.#afterResult.push(notification);
    else this.#send(notification);
    if (set === 'last') this.#sendSet();
  }

  /** The turn ends; `queued`: something else is to be done at once, so that no `idle` is said. */
  result({ queued = false, ...fields }: { queued?: boolean; [field: string]: unknown } = {}): void {
    this.session.advance(10);
    this.#send(...this.#late.splice(0), result(fields));
    this.#endOfStock();
    this.#send(...this.#afterResult.splice(0));
    const waits = [...this.#live.values()].filter((kind) => this.#idleWaitsFor(kind));
    if (queued || waits.length > 0) return;
    this.session.advance(8);
    this.#say('idle');
  }

  /** `idle` without a turn. */
  idle(): void {
    this.#state = '';
    this.#say('idle');
  }

  send(...frames: WireFrame[]): void {
    this.#send(...frames);
  }

  ask(id: string, subtype?: string): Asked {
    return this.session.ask(id, subtype);
  }

  /** Stock ends input at the first result. */
  #endOfStock(): void {
    this.#prompt?.end();
    this.#prompt = undefined;
    if (this.#single) this.session.endSingleTurn();
    this.#single = false;
  }

  #idleWaitsFor(kind: Kind): boolean {
    const { idleWaits } = this.dialect;
    return idleWaits === 'all' || (idleWaits === 'agents' && (kind === 'agent' || kind === 'workflow'));
  }

  #started(id: string, kind: Kind, background: boolean): void {
    const { started } = this.dialect;
    if (started === 'none') return;
    const fields = started === 'flagged' ? { is_backgrounded: background } : {};
    const frame = taskStarted(id, TYPES[kind], fields);
    if (started === 'late') this.#late.push(frame);
    else this.#send(frame);
  }

  #sendSet(): void {
    if (!this.dialect.set) return;
    this.#send(backgroundTasks(...[...this.#live].map(([id, kind]) => ({ id, type: TYPES[kind] }))));
  }

  #say(state: 'idle' | 'running'): void {
    if (!this.dialect.state || this.#state === state) return;
    this.#state = state;
    this.#send(sessionState(state));
  }

  #send(...frames: WireFrame[]): void {
    this.session.send(...frames);
  }
}

type Terminal = 'completed' | 'failed' | 'stopped';
