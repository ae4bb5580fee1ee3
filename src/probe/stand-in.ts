/**
 * A CLI of our own for one run: speaks the stream-json protocol on stdin and stdout, plays the timeline that
 * the environment names and records what happened. Started by an SDK as `node <this file>`.
 *
 * Like the real one it loses every request that is unanswered when stdin ends, sends none after that, and exits
 * when stdin has ended and there is nothing left to play.
 */
import { closeSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type RunEvent, append } from './record.ts';
import {
  type Frame,
  RECORD_VARIABLE,
  type RequestStep,
  type Step,
  TIMELINE_VARIABLE,
  type Timeline,
  frameLabels,
  toolResult,
} from './timeline.ts';

type Fields = Record<string, unknown>;
type Inbound = { type?: string; request_id?: string; request?: Fields; response?: Answer };
type Answer = { request_id: string; subtype: string; response?: unknown; error?: string };

const { [TIMELINE_VARIABLE]: timelineFile, [RECORD_VARIABLE]: recordFile, ...environment } = process.env;
const timeline = (timelineFile ? JSON.parse(readFileSync(timelineFile, 'utf8')) : { steps: [] }) as Timeline;
const label = frameLabels();

let users = 0;
let expectedUsers = 0;
const asked: string[] = [];
/** Requests to the host that it has not answered yet. */
const unanswered = new Map<string, RequestStep>();
let initializeId: string | undefined;
let hooks: Record<string, { hookCallbackIds: string[] }[]> = {};
let lastSent: string | null = null;
let stdinEnded = false;
let stdoutClosed = false;

function record(event: RunEvent): void {
  if (recordFile) append(recordFile, event);
}

/** Looks whether what the step at hand waits for has come true; called after every change. */
let changed = (): void => undefined;

/** Resolves once the condition holds, or to false after `withinMs`. */
function until(condition: () => boolean, withinMs?: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = withinMs === undefined ? undefined : setTimeout(() => resolve(false), withinMs);
    changed = () => {
      if (!condition()) return;
      clearTimeout(timer);
      resolve(true);
    };
    changed();
  });
}

function write(frame: object): void {
  if (!stdoutClosed) process.stdout.write(`${JSON.stringify(frame)}\n`);
}

function sent(name: string): void {
  lastSent = name;
  record({ event: 'sent', label: name });
}

function sendFrame(frame: Frame): void {
  const shown = frame['subtype'] === 'session_state_changed' ? asSessionState(frame) : frame;
  if (!shown || stdoutClosed) return;
  sent(label(shown));
  write(shown);
}

function asSessionState(frame: Frame): Frame | undefined {
  const isSet = (name: string): boolean => /^(1|true|yes|on)$/i.test(environment[name] ?? '');
  if (timeline.sessionState === 'never') return undefined;
  if (isSet('CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS')) return frame;
  return isSet('CLAUDE_CODE_SDK_READS_SESSION_STATE') ? { ...frame, sdk_host_only: true } : undefined;
}

function ask(step: RequestStep): void {
  const { request: subtype, id, payload } = step;
  if (stdinEnded) return lose(step, 'after-end');
  unanswered.set(id, step);
  sent(`${subtype}(${id})`);
  const hook = subtype === 'hook_callback' ? { callback_id: hookId(payload) } : {};
  write({ type: 'control_request', request_id: id, request: { subtype, ...hook, ...payload } });
}

/** The first hook that the host registered for the event. */
function hookId({ input }: Fields): string {
  const { hook_event_name: event } = input as { hook_event_name: string };
  return hooks[event]?.flatMap(({ hookCallbackIds }) => hookCallbackIds)[0] ?? 'hook_0';
}

function lose({ request: subtype, id }: RequestStep, when: 'unanswered' | 'after-end'): void {
  record({ event: 'lost', id, subtype, when });
  // What the model gets for a tool that nobody could be asked about.
  if (subtype === 'can_use_tool')
    sendFrame(
      toolResult(`tool-${id}`, 'Tool permission request failed: Error: Stream closed', { isError: true }),
    );
}

function takeAnswer({ request_id: id, subtype, response, error }: Answer): void {
  const request = unanswered.get(id);
  if (!request) return record({ event: 'stray-response', id });
  unanswered.delete(id);
  const ok = subtype === 'success';
  record({ event: 'served', id, subtype: request.request, ok, response: ok ? response : error });
}

function takeRequest(id: string, request: Fields): void {
  const subtype = String(request['subtype']);
  record({ event: 'asked', subtype, request });
  asked.push(subtype);
  if (subtype !== 'initialize') return answer(id, replies[subtype] ?? {});
  hooks = (request['hooks'] ?? {}) as typeof hooks;
  initializeId = id;
  if (timeline.initialize !== 'step') answerInitialize();
}

function answerInitialize(): void {
  const confirmed = { hook_on_failure_supported: true, settings_applied: true, mcp_servers_applied: true };
  const lists = { commands: [], agents: [], models: [], available_output_styles: ['default'] };
  if (initializeId) answer(initializeId, { ...lists, output_style: 'default', account: {}, ...confirmed });
}

/** What other requests of a host get, where an empty answer would not do. */
const replies: Record<string, Fields> = {
  mcp_status: { mcpServers: [] },
  mcp_set_servers: { added: [], removed: [], errors: {} },
  background_tasks: { backgrounded: true },
};

function answer(id: string, response: Fields): void {
  write({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
}

function takeLine(text: string): void {
  if (text.trim() === '') return;
  let frame: Inbound;
  try {
    frame = JSON.parse(text) as Inbound;
  } catch {
    return record({ event: 'unreadable', text: text.slice(0, 200) });
  }
  if (frame.type === 'user') {
    users += 1;
    record({ event: 'user', message: frame });
  } else if (frame.type === 'control_request' && frame.request_id && frame.request)
    takeRequest(frame.request_id, frame.request);
  else if (frame.type === 'control_response' && frame.response) takeAnswer(frame.response);
  changed();
}

function endStdin(): void {
  stdinEnded = true;
  record({ event: 'stdin-end', after: lastSent });
  for (const request of unanswered.values()) lose(request, 'unanswered');
  unanswered.clear();
  changed();
}

/** Plays one step; false: the timeline cannot go on. */
async function play(step: Step): Promise<boolean> {
  if ('send' in step) sendFrame(step.send);
  else if ('request' in step) {
    ask(step);
    if (step.awaitResponse !== false) await until(() => !unanswered.has(step.id));
  } else if ('awaitResponse' in step) await until(() => !unanswered.has(step.awaitResponse));
  else if ('cancel' in step) cancel(step.cancel);
  else if ('expectStdinEnd' in step)
    record({ event: 'stdin-expected', met: await until(() => stdinEnded, step.withinMs) });
  else if ('pause' in step) await until(() => false, step.pause);
  else if ('note' in step) record({ event: 'note', text: step.note });
  else if ('answer' in step)
    await until(() => initializeId !== undefined || stdinEnded).then(answerInitialize);
  else if ('closeStdout' in step) {
    stdoutClosed = true;
    closeSync(1);
  } else if ('exit' in step) await new Promise(() => process.stdout.write('', () => process.exit(step.exit)));
  else return expectInbound(step);
  return true;
}

function cancel(id: string): void {
  const request = unanswered.get(id);
  if (!request) return;
  unanswered.delete(id);
  record({ event: 'cancelled', id, subtype: request.request });
  write({ type: 'control_cancel_request', request_id: id });
}

async function expectInbound(step: Extract<Step, { expect: string }>): Promise<boolean> {
  if (step.expect === 'user') expectedUsers = step.count ?? expectedUsers + 1;
  const met = (): boolean => (step.expect === 'user' ? users >= expectedUsers : asked.includes(step.subtype));
  await until(() => met() || stdinEnded);
  if (!met()) {
    record({ event: 'unmet', step });
    return false;
  }
  if (step.expect === 'control_request') asked.splice(asked.indexOf(step.subtype), 1);
  return true;
}

record({ event: 'start', pid: process.pid });
process.on('exit', (code) => record({ event: 'exit', code }));
process.on('SIGTERM', () => {
  record({ event: 'signal', name: 'SIGTERM' });
  process.exit(143);
});
// The host may leave at any time; then there is nobody to write to.
process.stdout.on('error', () => {
  stdoutClosed = true;
});
createInterface({ input: process.stdin }).on('line', takeLine).on('close', endStdin);
for (const step of timeline.steps) if (!(await play(step))) break;
record({ event: 'over' });
await until(() => stdinEnded);
