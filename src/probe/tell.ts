import { type Dialect, hasEdges } from './dialects.ts';
import type { Event, Kind, TaskKind } from './scenarios/scenario.ts';
import {
  type Frame,
  type Step,
  type TaskType,
  assistantText,
  backgroundTasks,
  canUseTool,
  hookCallback,
  init,
  mcpToolCall,
  result,
  resultError,
  sessionState,
  taskNotification,
  taskStarted,
  taskUpdated,
  toolResult,
  toolUse,
} from './timeline.ts';

/** Who the story is told to. */
export interface Telling {
  dialect: Dialect;
  /** What an `ask` asks for. */
  kind: Kind;
  /** How long stock may take to end input in a `quiet`, in ms; undefined: the patched one, which must not. */
  stockMs: number | undefined;
  /** Where silence ends input: how long it lasts. */
  silenceMs: number;
}

const TYPES: Record<TaskKind, TaskType> = {
  agent: 'local_agent',
  shell: 'local_bash',
  workflow: 'local_workflow',
  monitor: 'monitor',
  teammate: 'in_process_teammate',
};

const REQUESTS = {
  canUseTool,
  hooks: (id: string) => hookCallback(id, 'PreToolUse'),
  mcp: (id: string) => mcpToolCall(id, 'desk', 'look'),
};

/** What a launch says in its tool_result. */
const launchMark = (id: string, as: TaskKind): unknown => {
  if (as === 'shell' || as === 'monitor')
    return { backgroundTaskId: id, stdout: '', stderr: '', interrupted: false };
  if (as === 'workflow') return { status: 'async_launched', taskId: id, taskType: 'local_workflow' };
  return { isAsync: true, status: 'async_launched', agentId: id };
};

/** Below this the time to the next frame is a matter of bounds, and stays as the story has it. */
const SHORT_MS = 150;
const WAITING_MS = 600;

/** A story in the frames of one dialect. */
export function tell(story: readonly Event[], told: Telling): Step[] {
  const { dialect, kind, stockMs, silenceMs } = told;
  const { started, set, idleWaits } = dialect;
  const edges = hasEdges(dialect);
  const steps: Step[] = [];
  /** Background tasks. */
  const live = new Map<string, TaskKind>();
  const flushed: Frame[] = [];
  const afterResult: Frame[] = [];
  let turn = false;
  /** The turn is over, but its result was kept back. */
  let kept = false;
  let state: 'idle' | 'running' = 'idle';
  /** Where the frames behind the last result begin. */
  let behindResult = 0;

  const send = (...frames: Frame[]): unknown => steps.push(...frames.map((frame) => ({ send: frame })));
  const pause = (ms: number): unknown => steps.push({ pause: ms });
  const typeOf = (as: TaskKind): TaskType => (as === 'monitor' && set === 'last' ? 'local_bash' : TYPES[as]);

  const say = (next: 'idle' | 'running'): void => {
    if (idleWaits === undefined || state === next) return;
    state = next;
    send(sessionState(state));
  };

  const sendSet = (): void => {
    if (set) send(backgroundTasks(...[...live].map(([id, as]) => ({ id, type: typeOf(as) }))));
  };

  const start = (id: string, as: TaskKind, background: boolean, by?: string): void => {
    if (started === 'none') return;
    const frame = taskStarted(id, typeOf(as), {
      // A workflow does not say.
      ...(started === 'flagged' && as !== 'workflow' && { is_backgrounded: background }),
      ...(started === 'flagged' && by !== undefined && { owned_by_subagent: true, parent_task_id: by }),
    });
    if (started === 'flushed') flushed.push(frame);
    else send(frame);
  };

  const begin = (wake: boolean): void => {
    if (wake) pause(state === 'idle' ? 60 : 30);
    say('running');
    if (wake) pause(15);
    turn = true;
    send(init(), assistantText('working'));
  };

  /** Twice in a row, where the first one has been said. */
  const idle = (): void => {
    pause(state === 'idle' ? 60 : 1);
    state = 'running';
    say('idle');
  };

  const ask = (id: string, parent: string | null, open = false): void => {
    if (kind === 'none') return;
    const request = REQUESTS[kind](id);
    const wasIdle = state === 'idle';
    // A permission prompt is what session state tells of.
    const tells = kind === 'canUseTool' && !open && idleWaits !== undefined;
    const shown = turn || parent !== null;
    if (shown) send(toolUse(`tool-${id}`, 'Bash', {}, parent));
    if (tells) send(sessionState('requires_action'));
    steps.push(open ? { ...request, awaitResponse: false } : request);
    if (tells) send(sessionState('running'));
    if (open) return;
    if (shown) send(toolResult(`tool-${id}`, 'ok', { parent }));
    if (tells && wasIdle) send(sessionState('idle'));
  };

  /** Who asks between turns is a subagent. */
  const asking = (): string | null => {
    const agent = [...live].find(([, as]) => as === 'agent' || as === 'teammate');
    return turn || !agent ? null : `tool-${agent[0]}`;
  };

  const launch = ({ launch: id, as, by }: Extract<Event, { launch: string }>): void => {
    const parent = by === undefined ? null : `tool-${by}`;
    live.set(id, as);
    send(toolUse(`tool-${id}`, as === 'shell' ? 'Bash' : 'Agent', {}, parent));
    sendSet();
    start(id, as, true, by);
    // What a subagent is told carries no mark.
    const options = parent === null ? { mark: launchMark(id, as) } : { parent };
    send(toolResult(`tool-${id}`, `running in the background with ID: ${id}`, options));
  };

  const resume = (id: string): void => {
    live.set(id, 'agent');
    sendSet();
    start(id, 'agent', true);
  };

  const foreground = ({ foreground: id, as, ask: asked }: Extract<Event, { foreground: string }>): void => {
    const agent = as === 'agent';
    send(toolUse(`tool-${id}`, agent ? 'Agent' : 'Bash'));
    if (started !== 'flushed') start(id, as, false);
    if (asked !== undefined) ask(asked, agent ? `tool-${id}` : null);
    pause(20);
    if (edges && set && agent) send(taskUpdated(id, { status: 'completed' }));
    if (edges) send(taskNotification(id));
    const mark = agent ? { status: 'completed', agentId: id } : { stdout: '', stderr: '' };
    send(toolResult(`tool-${id}`, 'done', { mark }));
    if (started === 'flushed' && agent) start(id, as, false);
  };

  const end = ({ end: id, status = 'completed', late, ownedBy }: Extract<Event, { end: string }>): void => {
    live.delete(id);
    const owned = ownedBy !== undefined && started === 'flagged' ? { owned_by_subagent: true } : {};
    const notification = { ...taskNotification(id, status), ...owned };
    // A stop by the host is told by the answer to its request alone.
    if (!edges && status === 'stopped') return;
    if (set === 'first') sendSet();
    if (edges) send(taskUpdated(id, { status: status === 'stopped' ? 'killed' : status }));
    if (!turn || set) send(notification);
    // Before there were sets, a turn that takes the news up says no more of it, once there were edges.
    else if (late === true || !edges) afterResult.push(notification);
    if (set === 'last') sendSet();
  };

  const endTurn = ({ result: how, turns }: Extract<Event, { result: unknown }>): void => {
    send(...flushed.splice(0));
    const waits = [...live.values()].filter((as) => as !== 'shell' && as !== 'monitor').length;
    turn = false;
    kept = dialect.keepsResult === true && waits > 0;
    if (kept) return;
    send(how === 'error' ? resultError() : result(turns === undefined ? {} : { num_turns: turns }));
    behindResult = steps.length;
    const more = afterResult.splice(0);
    if (more.length > 0) pause(4);
    send(...more);
    const outstanding = idleWaits === 'all' ? live.size : idleWaits === 'agents' ? waits : 0;
    if (how === 'queued' || more.length > 0 || outstanding > 0) return;
    pause(4);
    say('idle');
  };

  const quiet = (ms: number): void => {
    const patched = ms < SHORT_MS || silenceMs === 0 ? ms : Math.max(ms, silenceMs + 150);
    // Where no result has come, or the session says that it runs, stock has no reason to end input soon.
    const waits = turn || kept || (idleWaits !== undefined && state === 'running');
    const stock = stockMs === undefined ? 0 : waits ? WAITING_MS : stockMs;
    steps.push({ expectStdinEnd: true, withinMs: Math.max(patched, stock) });
  };

  for (const event of story)
    if (event === 'turn' || event === 'wake') begin(event === 'wake');
    else if (event === 'idle') idle();
    else if (event === 'over') steps.splice(behindResult, 0, { note: 'over' });
    else if ('launch' in event) launch(event);
    else if ('foreground' in event) foreground(event);
    else if ('end' in event) end(event);
    else if ('resume' in event) resume(event.resume);
    else if ('news' in event) {
      if (set !== 'last') send({ ...taskNotification(event.news), status: undefined });
    } else if ('result' in event) endTurn(event);
    else if ('ask' in event) ask(event.ask, asking(), event.open);
    else if ('quiet' in event) quiet(event.quiet);
    else steps.push(event);
  return steps;
}
