/**
 * The gate: ordinary code, compiled and minified at build into the text that is inserted into a bundle. It imports
 * nothing from outside and keeps its state per query. The rules G1 - G7 are those of docs/behaviour.md.
 *
 * It answers one question: the SDK wants to end the CLI's stdin now; is anything outstanding that may still need the
 * control channel? If so the end is held, and carried out once, at the frame (or the moment) when nothing is
 * outstanding any more.
 */
import { type Frame, list, record, text } from './gate/frames.ts';
import { SHELL, createLedger } from './gate/ledger.ts';
import { MAYBE_MS, SETTLE_MS, SURE_MS, createNews } from './gate/news.ts';
import type { Gate, Host } from './gate/types.ts';

export type { Frame } from './gate/frames.ts';
export type { Gate, Host } from './gate/types.ts';

const CEILING_MS = 600_000;
/** A turn that shows no frame may take this many ceilings: a limit only against a turn that never ends. */
const TURN_CEILINGS = 6;
/** A timer later than this says that the host was blocked; what lies in the pipe is read within the time after it. */
const LATE_MS = 100;
const CATCH_UP_MS = 200;

const mcpMessage = ({ request }: Frame): Record<string, unknown> => record(record(request).message);

/** The in-process MCP server that a request is for; empty: it is for the host itself. */
const serverOf = ({ request }: Frame): string => text(record(request).server_name);

/** Why input is held, up to when, and whether it is the ceiling (not a short wait) that sets that time. */
interface Why {
  reason: string;
  until: number;
  brief?: boolean;
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
  /** A blocked host leaves frames unread in the pipe: no verdict before they have been read. */
  let notBefore = 0;
  let lastFrame = host.now();
  let said = '';
  let lossSaid = false;

  const streams = new Set<object>();
  const holds = new Set<object>();
  const requests = new Map<string, Frame>();

  /** A message that must get a result of its own; messages that a running turn may take in (queued). */
  let owed = false;
  let queued = 0;
  let queuedUntil = 0;
  /** Main-thread frames since the last result. */
  let turn = false;
  let written = false;
  let single = false;
  let results = 0;
  let resultAt = -Infinity;
  let state = '';

  const agentsOnly = (): boolean => host.env('HOLDOPEN_HOLD') === 'agents';
  const holdsFor = (type: string): boolean => !agentsOnly() || !SHELL.test(type);
  const news = createNews(() => host.now());
  const ledger = createLedger(
    holdsFor,
    (id, task, status, notified) => {
      const sinceResult = host.now() - resultAt;
      const when = { inTurn: turn || owed, sure: notified || state !== '', sinceResult };
      if (!task || holdsFor(task.type)) news.add(id, task, status, when);
    },
    (tool) => news.foreground(tool),
  );

  const ceiling = (): number => {
    for (const name of ['HOLDOPEN_CEILING_MS', 'CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS']) {
      const value = host.env(name)?.trim() ?? '';
      if (/^\d+$/.test(value)) return Number(value) || Infinity;
    }
    return CEILING_MS;
  };

  const isAwaited = (frame: Frame): boolean => !serverOf(frame) || host.serves(serverOf(frame));

  /** Everything that speaks for holding now. Empty: nothing is outstanding. */
  const reasons = (): Why[] => {
    const limit = ceiling();
    const quiet = lastFrame + limit;
    const why: Why[] = [];
    if (holds.size) why.push({ reason: 'holdInput()', until: Infinity });
    const unanswered = [...requests].flatMap(([id, frame]) => (isAwaited(frame) ? [id] : []));
    if (unanswered.length)
      why.push({ reason: `unanswered request ${unanswered.join(', ')}`, until: Infinity });
    // Stock waits for the first result without a limit, and so do we.
    if (owed || turn)
      why.push({
        reason: 'turn in flight',
        until: results || !owed ? lastFrame + limit * TURN_CEILINGS : Infinity,
      });
    const outstanding = ledger.outstanding();
    const running = outstanding.filter(([, { type }]) => holdsFor(type));
    if (running.length)
      why.push({
        reason: `outstanding ${running.map(([id, { type }]) => `${type} ${id}`).join(', ')}`,
        until: quiet,
      });
    if (streams.size) why.push({ reason: 'another prompt stream', until: quiet });
    if (queued) {
      const brief = !state || state === 'idle';
      why.push({ reason: 'queued message', until: brief ? queuedUntil : quiet, brief });
    }
    for (const until of news.until())
      why.push({ reason: 'task notification', until: turn ? quiet : until, brief: true });
    // Some CLIs are not idle while a shell runs, for which HOLDOPEN_HOLD=agents does not hold.
    const shellsOnly = agentsOnly() && !owed && !turn && outstanding.length > 0 && !running.length;
    // State that only the gate asked for never makes a run without background work end later than stock (G4).
    if (state && state !== 'idle' && !shellsOnly && (ledger.sawBackground() || !host.asked()))
      why.push({ reason: `session ${state}`, until: state === 'requires_action' ? Infinity : quiet });
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
    if (!run) return;
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
      if (host.now() - at > LATE_MS && at > notBefore) notBefore = host.now() + CATCH_UP_MS;
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
    const until = Math.max(0, ...why.map((one) => one.until));
    if (!why.length) return release('nothing outstanding');
    if (until <= now) {
      if (now < notBefore) return schedule(notBefore);
      const quiet = why.flatMap(({ reason, brief }) => (brief ? [] : [reason])).join('; ');
      if (!quiet) return release('no follow-up turn came');
      const seconds = String(Math.round((now - lastFrame) / 1000));
      host.warn(
        'HOLDOPEN_CEILING',
        `holdopen ended the CLI's input after ${seconds} s without a frame while it held for: ${quiet}. ` +
          'HOLDOPEN_CEILING_MS sets this limit (0: none).',
      );
      return release(`ceiling, held for ${quiet}`);
    }
    const line = why.map(({ reason }) => reason).join('; ');
    if (line !== said) host.debug(`holds input: ${(said = line)}`);
    schedule(until);
  };

  /** A string prompt is written outside of streamInput; a query that startup() made gets its own only later. */
  const noteSingle = (): void => {
    if (single || !host.single()) return;
    single = written = true;
    owed ||= results === 0;
  };

  /** A turn begins on the main thread: it takes up the oldest news, else a queued message. */
  const turnBegins = (init: boolean): void => {
    // 0.2.50 swallows the result of a turn that leaves an agent running: the next init is another turn's.
    if (turn && init) news.takeUp();
    if (turn || !(written || results || pending)) return;
    turn = true;
    if (!owed && !news.takeUp() && queued) queued -= 1;
  };

  const turnEnds = (frame: Frame): void => {
    results += 1;
    resultAt = host.now();
    turn = false;
    if (owed && record(frame.origin).kind === 'task-notification') {
      // That turn was for a task's news; the message written meanwhile has its own to come, or was taken in.
      news.takeUp();
      queued += 1;
    }
    owed = false;
    // No model turn, so nothing was folded into it: the next message's is still to come.
    queuedUntil = host.now() + (frame.num_turns === 0 ? SURE_MS : MAYBE_MS);
    news.turnEnded();
    // Who is asked after a result has an unanswered request; without one nobody is.
    if (state === 'requires_action') state = 'running';
  };

  const stateChanged = (next: string): void => {
    if (state === 'idle' && queuedUntil < host.now()) queued = 0;
    state = next;
    if (next !== 'idle') return;
    if (!owed) {
      turn = false;
      // Taken in by the turn that is over; or it crossed with this frame in the pipe, and its turn begins at once.
      queuedUntil = host.now() + SETTLE_MS;
    }
    news.idle();
  };

  /**
   * {request:{subtype:"mcp_message",server_name,message:{method:"notifications/cancelled",params:{requestId}}}}: the CLI
   * has given a call up (interrupt, timeout). An MCP server sends no answer to that call any more.
   */
  const forgetCancelledCall = (frame: Frame): void => {
    const message = mcpMessage(frame);
    if (message.method !== 'notifications/cancelled') return;
    const call = record(message.params).requestId;
    for (const [id, other] of requests)
      if (serverOf(other) === serverOf(frame) && call !== undefined && mcpMessage(other).id === call)
        requests.delete(id);
  };

  /** The CLI tells the model of a request that it could not make: {is_error:true,content:"... Stream closed"}. */
  const lookForLoss = (frame: Frame): void => {
    if (!ended || lossSaid || frame.type !== 'user' || !host.needs()) return;
    const lost = list(record(frame.message).content).some(
      (item) => item.is_error === true && JSON.stringify(item.content ?? '').includes('Stream closed'),
    );
    if (!lost) return;
    lossSaid = true;
    const seconds = String(Math.round((host.now() - ended.at) / 1000));
    host.warn(
      'HOLDOPEN_STREAM_CLOSED',
      `The CLI had a request for this process after its input had ended ("Stream closed"). ` +
        `Input ended ${seconds} s ago: ${ended.by}.`,
    );
  };

  return {
    frame(frame) {
      noteSingle();
      const type = text(frame.type);
      const subtype = text(frame.subtype);
      if (type !== 'keep_alive' && type !== 'control_response') lastFrame = host.now();
      if (type === 'result') turnEnds(frame);
      else if (type === 'system' && subtype === 'init') turnBegins(true);
      else if (type === 'system' && subtype === 'session_state_changed') stateChanged(text(frame.state));
      else if ((type === 'assistant' || type === 'stream_event') && !frame.parent_tool_use_id)
        turnBegins(false);
      else if (type === 'control_request') {
        // A second delivery of a request in flight is dropped by the SDK; the first one still has to be answered.
        const id = text(frame.request_id);
        if (!requests.has(id)) requests.set(id, frame);
        forgetCancelledCall(frame);
      } else if (type === 'control_cancel_request') requests.delete(text(frame.request_id));
      ledger.frame(frame);
      lookForLoss(frame);
      check();
      return type === 'system' && subtype === 'session_state_changed' && host.asked();
    },
    open() {
      const stream = {};
      streams.add(stream);
      return () => {
        if (streams.delete(stream)) check();
      };
    },
    input() {
      noteSingle();
      written = true;
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
      const promise = handling as unknown as Promise<unknown> | undefined;
      // `finally` hands a rejection on, so that an unhandled one is as visible as in stock.
      if (typeof promise?.finally === 'function') return promise.finally(done) as unknown as typeof handling;
      done();
      return handling;
    },
    stop(id, request) {
      const stopped = (): void => {
        ledger.stopped(text(id));
        check();
      };
      // What becomes of a refused stop is the caller's business, to whom the same promise goes.
      Promise.resolve(request).then(stopped, () => undefined);
      return request;
    },
    end(site, run, over) {
      over?.();
      if (ended || pending) return;
      noteSingle();
      // Who has no mark for a string prompt, which is written outside of streamInput, still waits for its result.
      if (!written && !results && !over) owed = true;
      const now = host.now();
      lastFrame = Math.max(lastFrame, now);
      const why = closed || !host.needs() ? [] : reasons();
      if (why.every(({ until }) => until <= now)) {
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
