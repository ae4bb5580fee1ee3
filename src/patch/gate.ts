/**
 * The gate: ordinary code, compiled and minified at build into the text that is inserted into a bundle.
 * It imports nothing and keeps its state per query. Rules G1 - G7 are those of docs/behaviour.md.
 *
 * It answers one question: the SDK wants to end the CLI's stdin now; is anything outstanding that may still
 * need the control channel? If so the end is held and carried out once, at the frame (or the moment) when
 * nothing is outstanding any more.
 */

/** A stream-json frame; only the fields that the gate looks at. */
export interface Frame {
  type?: string;
  subtype?: string;
  [key: string]: unknown;
}

/** What the gate needs from its surroundings: the query behind {@link attach}, or a test. */
export interface Host {
  /** Whether the query has anything that uses the control channel. */
  needs(): boolean;
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /** Calls back once after `ms`; never keeps the process alive. Returns its cancellation. */
  timer(ms: number, callback: () => void): () => void;
  env(name: string): string | undefined;
  /** Watches what ends a hold from outside (abort, end of stdout). Returns the removal of the listeners. */
  watch(release: (cause: string) => void): () => void;
  /** Whether the gate itself asked the CLI for session state, so that the consumer must not see it. */
  asked(): boolean;
  warn(code: string, message: string): void;
  debug(line: string): void;
}

export interface Gate {
  /** Sees one frame before the SDK does. True: the consumer did not ask for this frame, drop it. */
  frame(frame: Frame): boolean;
  /** A call of `streamInput` begins; the returned function says that it is over, however it ended. */
  open(): () => void;
  /** A prompt message is about to be written. */
  input(): void;
  /** The handling of an inbound control request; hands its promise through. */
  request<T>(frame: Frame, handling: T): T;
  /** The host asks the CLI to stop a task; older ones (0.2.50) report its end in no frame. */
  stop(id: unknown): void;
  /** The SDK wants to end input. `over`: the caller of `streamInput` whose tail this is. */
  end(site: string, run: () => unknown, over?: () => void): void;
  /** The query is cleaned up, or its consumer has left: a hold ends at once, and none begins any more. */
  close(cause: string): void;
  /** Holds input until the returned function is called. */
  hold(): () => void;
}

/** How long a follow-up turn may take to begin, in ms: without session state, and with it. */
const WAKE_MS = 900;
const WAKE_REPORTED_MS = 5000;
/** After a bare `idle`: a subagent that hears of its own shell's end starts again up to 26 ms later (0.3.332). */
const SETTLE_MS = 45;
const CEILING_MS = 600_000;
/** A follow-up turn that has begun but shows no frame may take this many ceilings. */
const TURN_CEILINGS = 6;
/** Remembered ids of tool calls and tasks that are over; older ones no longer matter. */
const MEMORY = 512;

/** `task_updated` says these with patch.status, `task_notification` with status. */
const TERMINAL = /^(completed|failed|killed|stopped|cancell?ed|error(ed)?|timed?_?out|aborted|done|expired)$/;
/** Task types that `HOLDOPEN_HOLD=agents` does not hold for. */
const SHELL = /bash|shell|monitor/;
const AGENT = /agent|workflow|teammate/;

interface Task {
  type: string;
  tool?: string | undefined;
  /** Proved by the set, a launch mark or a flag; a foreground task is over with its tool_result. */
  background: boolean;
}

/** A task that ended and whose news no turn has taken up yet. */
interface News {
  agent: boolean;
  /** Ended while a turn was running, which may take the news up itself. */
  inTurn: boolean;
  until: number;
}

type Why = [reason: string, until: number];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Keeps the newest {@link MEMORY} entries. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MEMORY) map.delete(map.keys().next().value as string);
}

/** The state machine of one query. */
export function createGate(host: Host): Gate {
  let closed = '';
  /** Carried out when the hold ends; undefined: nothing is held. */
  let pending: (() => unknown) | undefined;
  let ended: { by: string; at: number } | undefined;
  let unwatch: (() => void) | undefined;
  let cancelTimer: (() => void) | undefined;
  let timerAt = 0;
  let lastFrame = host.now();
  let said = '';
  let lossSaid = false;

  const streams = new Set<object>();
  const holds = new Set<object>();
  const requests = new Map<string, unknown>();

  /** A message that must get a result of its own; messages that a running turn may take in (queued). */
  let owed = false;
  let queued = 0;
  let queuedUntil = 0;
  /** Main-thread frames since the last result. */
  let turn = false;
  let written = 0;
  let results = 0;

  /** Live tasks by id, from edges; the reported set replaces them as soon as there is one. */
  const tasks = new Map<string, Task>();
  let reported: Map<string, Task> | undefined;
  const over = new Map<string, boolean>();
  const stopping = new Set<string>();
  /** tool_use_id -> whether its result was a launch mark. */
  const toolResults = new Map<string, boolean>();
  let news: News[] = [];
  let state = '';
  let sawBackground = false;

  const ceiling = (): number => {
    for (const name of ['HOLDOPEN_CEILING_MS', 'CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS']) {
      const value = host.env(name);
      if (value !== undefined && value !== '' && Number(value) >= 0) return Number(value) || Infinity;
    }
    return CEILING_MS;
  };

  const holdsFor = (type: string): boolean => host.env('HOLDOPEN_HOLD') !== 'agents' || !SHELL.test(type);

  const outstandingTasks = (): string[] =>
    [...(reported ?? tasks)]
      .filter(([, task]) => holdsFor(task.type))
      .map(([id, { type }]) => `${type} ${id}`);

  /** Everything that speaks for holding now, each with the time up to which it does. Empty: nothing. */
  const reasons = (): Why[] => {
    const limit = ceiling();
    const quiet = lastFrame + limit;
    const why: Why[] = [];
    if (holds.size) why.push(['holdInput()', Infinity]);
    if (requests.size) why.push([`unanswered request ${[...requests.keys()].join(', ')}`, Infinity]);
    // Stock waits for the first result without a limit; a later turn is never cut by the ceiling proper.
    if (owed || turn)
      why.push(['turn in flight', results || !owed ? lastFrame + limit * TURN_CEILINGS : Infinity]);
    const running = outstandingTasks();
    if (running.length) why.push([`outstanding ${running.join(', ')}`, quiet]);
    if (streams.size) why.push(['another prompt stream', quiet]);
    if (queued) why.push(['queued message', state ? quiet : queuedUntil]);
    for (const item of news) why.push(['task notification', turn ? quiet : item.until]);
    // State that only the gate asked for never makes a run without background work end later than stock.
    if (state && state !== 'idle' && (sawBackground || !host.asked()))
      why.push([`session ${state}`, state === 'requires_action' ? Infinity : quiet]);
    return why;
  };

  const stopTimer = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
  };

  const release = (cause: string): void => {
    const run = pending;
    pending = undefined;
    stopTimer();
    unwatch?.();
    unwatch = undefined;
    if (!run || ended) return;
    ended = { by: cause, at: host.now() };
    host.debug(`releases input: ${cause}`);
    try {
      run();
    } catch (error) {
      // Nobody waits for this call any more; a transport that is gone has no input to end.
      host.debug(`endInput failed: ${String(error)}`);
    }
  };

  const schedule = (at: number): void => {
    if (at === Infinity) return stopTimer();
    if (cancelTimer && timerAt <= at) return;
    stopTimer();
    timerAt = at;
    cancelTimer = host.timer(Math.min(Math.max(at - host.now(), 1), 2 ** 31 - 1), () => {
      cancelTimer = undefined;
      // A blocked host leaves frames unread in the pipe: that time does not count as silence.
      const late = host.now() - at;
      if (late > 100) {
        lastFrame += late;
        queuedUntil += late;
        for (const item of news) item.until += late;
      }
      check();
    });
  };

  /** Ends the hold when nothing speaks for it any more, else sees to it that we look again in time. */
  const check = (): void => {
    if (!pending) return;
    if (closed) return release(closed);
    if (!host.needs()) return release('no callbacks left');
    const now = host.now();
    const why = reasons();
    const until = Math.max(...why.map(([, end]) => end), 0);
    const [first] = why;
    if (!first) return release('nothing outstanding');
    if (until <= now) {
      const quiet = why.filter(([reason]) => !/^(queued|task)/.test(reason)).map(([reason]) => reason);
      if (quiet.length)
        host.warn(
          'HOLDOPEN_CEILING',
          `holdopen ended the CLI's input after ${String(Math.round((now - lastFrame) / 1000))} s without a frame ` +
            `while it held for: ${quiet.join('; ')}. HOLDOPEN_CEILING_MS sets this limit (0: none).`,
        );
      return release(quiet.length ? `ceiling, held for ${quiet.join('; ')}` : 'no follow-up turn came');
    }
    const line = why.map(([reason]) => reason).join('; ');
    if (line !== said) host.debug(`holds input: ${(said = line)}`);
    schedule(until);
  };

  /** A task is over: no turn has heard of it yet, where it was a background task that anyone waits for. */
  const taskEnded = (id: string): void => {
    const task = reported?.get(id) ?? tasks.get(id);
    tasks.delete(id);
    reported?.delete(id);
    if (over.has(id)) return;
    remember(over, id, true);
    if (task?.background && holdsFor(task.type)) addNews(task.type);
  };

  const addNews = (type: string): void => {
    news.push({
      agent: AGENT.test(type),
      inTurn: turn || owed,
      until: host.now() + (state ? WAKE_REPORTED_MS : WAKE_MS),
    });
  };

  /** A turn begins on the main thread: it takes up the oldest news, else a queued message. */
  const turnBegins = (init = false): void => {
    // 0.2.50 swallows the result of a turn that leaves an agent running: the next init is another turn's.
    if (turn && init) news.shift();
    if (turn || !(written || results || pending)) return;
    turn = true;
    if (owed) return;
    if (news.length) news.shift();
    else if (queued) queued -= 1;
  };

  const turnEnds = (frame: Frame): void => {
    const forNews = record(frame.origin).kind === 'task-notification';
    results += 1;
    turn = false;
    // A foreground task cannot outlive its turn, whether or not its end was told (0.2.50 never does).
    for (const [id, task] of tasks) if (!task.background) taskEnded(id);
    // The turn that a task's news started may have taken in the message that was written meanwhile.
    if (owed && forNews) queued += 1;
    owed = false;
    if (frame.num_turns === 0 && queued) {
      // No model turn, so nothing was folded into it: the next message has a result of its own to come.
      queued -= 1;
      owed = true;
    }
    queuedUntil = host.now() + WAKE_MS;
    for (const item of news) {
      item.inTurn = true;
      item.until = host.now() + (state ? WAKE_REPORTED_MS : WAKE_MS);
    }
  };

  const stateChanged = (next: string): void => {
    state = next;
    if (next !== 'idle') return;
    if (!owed) {
      turn = false;
      queued = 0;
    }
    // Idle after a result: no turn is left for what was known then. A shell's news that came later and leaves the
    // session idle wakes nobody. A stopped agent's may still do so: idle, and 160 ms later running (0.3.205).
    news = news.filter((item) => !item.inTurn);
    for (const item of news) if (!item.agent) item.until = Math.min(item.until, host.now() + SETTLE_MS);
  };

  const addTask = (id: string, task: Task): void => {
    tasks.set(id, task);
    if (task.background) sawBackground = true;
  };

  /** A tool has returned: its foreground task is over, a background one goes on. */
  const toolResult = (tool: string, launch: boolean, content: unknown): void => {
    remember(toolResults, tool, launch);
    for (const [id, task] of tasks) {
      if (task.tool !== tool || task.background) continue;
      // A subagent's frames carry no launch mark; but what it launched is named to it by its id.
      if (launch || (!reported && JSON.stringify(content ?? '').includes(id)))
        addTask(id, { ...task, background: true });
      else taskEnded(id);
    }
  };

  /** `tool_use_result` of a launch: {backgroundTaskId} of a shell, {status:"async_launched",agentId} of an agent. */
  const userFrame = (frame: Frame): void => {
    const mark = record(frame.tool_use_result);
    const shell = text(mark.backgroundTaskId);
    const launched = /launch|background/.test(text(mark.status));
    const id = shell || (launched ? text(mark.agentId) || text(mark.taskId) : '');
    // {task_id,task_type,command,message}: the model stopped a task; 0.2.50 reports that in no other way.
    const stopped = text(mark.task_id);
    if (stopped && mark.message !== undefined) {
      remember(over, stopped, true);
      tasks.delete(stopped);
    }
    const content = record(frame.message).content;
    for (const item of Array.isArray(content) ? content.map(record) : []) {
      if (item.type !== 'tool_result') continue;
      const tool = text(item.tool_use_id);
      toolResult(tool, id !== '', item.content);
      if (id && !reported && !over.has(id) && !tasks.has(id))
        addTask(id, {
          type: text(mark.taskType) || (shell ? 'local_bash' : 'local_agent'),
          tool,
          background: true,
        });
    }
  };

  const systemFrame = (frame: Frame): void => {
    const id = text(frame.task_id);
    switch (text(frame.subtype)) {
      case 'init':
        return turnBegins(true);
      case 'session_state_changed':
        return stateChanged(text(frame.state));
      case 'background_tasks_changed': {
        const before = reported ?? tasks;
        const now = new Map<string, Task>();
        sawBackground = true;
        for (const item of Array.isArray(frame.tasks) ? frame.tasks.map(record) : [])
          if (item.ambient !== true)
            now.set(text(item.task_id), { type: text(item.task_type), background: true });
        for (const [gone, task] of [...before]) if (task.background && !now.has(gone)) taskEnded(gone);
        // An agent that is sent another message runs again under its old id.
        for (const id of now.keys()) over.delete(id);
        reported = now;
        return;
      }
      case 'task_started': {
        const tool = text(frame.tool_use_id);
        const launch = toolResults.get(tool);
        // 0.2.50 tells of a foreground task after its tool_result, when it is over.
        if (over.has(id) || (tool && launch === false)) return;
        const background = launch === true || frame.is_backgrounded === true;
        if (!tasks.has(id)) addTask(id, { type: text(frame.task_type), tool, background });
        return;
      }
      case 'task_updated': {
        const patch = record(frame.patch);
        const task = tasks.get(id);
        if (task && patch.is_backgrounded === true) addTask(id, { ...task, background: true });
        if (TERMINAL.test(text(patch.status))) taskEnded(id);
        return;
      }
      case 'task_notification': {
        // A monitor's events have no status; only its last one has.
        if (frame.status !== undefined && !TERMINAL.test(text(frame.status))) return;
        const known = reported?.get(id) ?? tasks.get(id);
        if (frame.status === undefined) {
          if (known?.background && holdsFor(known.type)) addNews(known.type);
        } else taskEnded(id);
        return;
      }
    }
  };

  const lookForLoss = (frame: Frame): void => {
    if (!ended || lossSaid || frame.type !== 'user') return;
    if (!JSON.stringify(frame.message ?? '').includes('Stream closed')) return;
    lossSaid = true;
    host.warn(
      'HOLDOPEN_STREAM_CLOSED',
      `The CLI had a request for this process after its input had ended ("Stream closed"). Input ended ` +
        `${String(Math.round((host.now() - ended.at) / 1000))} s ago: ${ended.by}.`,
    );
  };

  return {
    frame(frame) {
      const { type } = frame;
      if (type === 'control_response' && stopping.size && !reported) {
        for (const id of stopping) taskEnded(id);
        stopping.clear();
        check();
      }
      if (type === 'keep_alive' || type === 'control_response') return false;
      lastFrame = host.now();
      if (type === 'system') systemFrame(frame);
      else if (type === 'result') turnEnds(frame);
      else if (type === 'user') userFrame(frame);
      else if ((type === 'assistant' || type === 'stream_event') && !frame.parent_tool_use_id) turnBegins();
      else if (type === 'control_request') {
        // A second delivery of a request in flight is dropped by the SDK; the first one still has to be answered.
        if (!requests.has(text(frame.request_id))) requests.set(text(frame.request_id), frame);
      } else if (type === 'control_cancel_request') requests.delete(text(frame.request_id));
      lookForLoss(frame);
      check();
      return type === 'system' && frame.subtype === 'session_state_changed' && host.asked();
    },
    open() {
      const stream = {};
      streams.add(stream);
      return () => {
        if (streams.delete(stream)) check();
      };
    },
    input() {
      written += 1;
      if (owed || turn) queued += 1;
      else owed = true;
    },
    request(frame, handling) {
      const id = text(frame.request_id);
      const done = (): void => {
        if (requests.get(id) !== frame) return;
        requests.delete(id);
        lastFrame = host.now();
        check();
      };
      // `finally` hands a rejection on, so that an unhandled one is as visible as in stock.
      if (handling instanceof Promise) return handling.finally(done) as unknown as typeof handling;
      done();
      return handling;
    },
    stop(id) {
      stopping.add(text(id));
    },
    end(site, run, done) {
      done?.();
      if (ended || pending) return;
      // A string prompt is written outside of streamInput; stock may want to end before it is answered.
      if (!written && !results && !done) owed = true;
      const now = host.now();
      const why = closed || !host.needs() || (done && !written) ? [] : reasons();
      if (why.every(([, until]) => until <= now)) {
        run();
        ended = { by: `${site}, nothing outstanding`, at: now };
        return;
      }
      pending = run;
      unwatch = host.watch(release);
      check();
    },
    close(cause) {
      closed ||= cause;
      holds.clear();
      check();
    },
    hold() {
      const token = {};
      if (!closed) holds.add(token);
      return () => {
        if (holds.delete(token)) check();
      };
    },
  };
}

/** The parts of the SDK's query that the gate reads; minifiers keep property names. */
export interface Query {
  transport?: Transport;
  abortController?: AbortController;
  hasBidirectionalNeeds?(): boolean;
  canUseTool?: unknown;
  hooks?: unknown;
  sdkMcpTransports?: { size: number };
}

interface Transport {
  processStdout?: Emitter & { readableEnded?: boolean };
}

interface Emitter {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

const gates = new WeakMap<object, Gate>();
const asked = new WeakSet();

/** The gate of a query. */
export function gateOf(query: Query): Gate {
  let gate = gates.get(query);
  if (!gate) gates.set(query, (gate = createGate(attach(query))));
  return gate;
}

/**
 * Asks the CLI for session state through the child's environment. The caller's own setting wins, and an
 * environment that is the host's own is left alone.
 */
export function askForState(transport: object, env: Record<string, string | undefined>): void {
  const name = 'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS';
  if (env[name] !== undefined || env === process.env) return;
  env[name] = '1';
  asked.add(transport);
}

/** Releases before 0.1.63 have no predicate, and hold for some of its terms only. */
function hasNeeds(query: Query): boolean {
  if (query.hasBidirectionalNeeds) return query.hasBidirectionalNeeds();
  const hooks = query.hooks;
  return (
    query.canUseTool !== undefined ||
    (typeof hooks === 'object' && hooks !== null && Object.keys(hooks).length > 0) ||
    (query.sdkMcpTransports?.size ?? 0) > 0
  );
}

function attach(query: Query): Host {
  const host = typeof process === 'object' ? process : undefined;
  const debugs = (): boolean =>
    /\bholdopen\b/.test(host?.env.NODE_DEBUG ?? '') || Boolean(host?.env.DEBUG_CLAUDE_AGENT_SDK);
  return {
    needs: () => hasNeeds(query),
    now: () => performance.now(),
    timer(ms, callback) {
      const timer = setTimeout(callback, ms) as unknown as { unref?(): void };
      timer.unref?.();
      return () => clearTimeout(timer as unknown as number);
    },
    env: (name) => host?.env[name],
    watch(release) {
      const signal = query.abortController?.signal;
      const stdout = query.transport?.processStdout;
      const aborted = (): void => release('aborted');
      const silent = (): void => release('the CLI closed its output');
      signal?.addEventListener('abort', aborted);
      stdout?.on('end', silent);
      stdout?.on('close', silent);
      if (signal?.aborted) queueMicrotask(aborted);
      if (stdout?.readableEnded) queueMicrotask(silent);
      return () => {
        signal?.removeEventListener('abort', aborted);
        stdout?.off('end', silent);
        stdout?.off('close', silent);
      };
    },
    asked: () => query.transport !== undefined && asked.has(query.transport),
    warn(code, message) {
      host?.emitWarning(message, { type: 'HoldopenWarning', code });
    },
    debug(line) {
      if (debugs()) host?.stderr.write(`holdopen: ${line}\n`);
    },
  };
}
