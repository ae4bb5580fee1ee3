import { type Dialect, hasEdges } from './dialects.ts';
import type { Event, TaskKind } from './scenarios/scenario.ts';
import {
  type Frame,
  type RequestStep,
  type Step,
  type TaskType,
  assistantText,
  backgroundTasks,
  init,
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
  /** The request that an `ask` makes; undefined: the host has no callbacks. */
  request: ((id: string) => RequestStep) | undefined;
  /** Whether a permission prompt is what is asked, which session state tells. */
  prompts: boolean;
  /** How long stock may take to end input in a `quiet`, in ms; undefined: the patched one, which must not. */
  stockMs: number | undefined;
  /** Where silence ends input: how long it lasts. */
  silenceMs: number;
}

/** A story in the frames of one dialect. */
export function tell(story: readonly Event[], telling: Telling): Step[] {
  const teller = new Teller(telling);
  for (const event of story) teller.tell(event);
  return teller.steps;
}

const TYPES: Record<TaskKind, TaskType> = {
  agent: 'local_agent',
  shell: 'local_bash',
  workflow: 'local_workflow',
  monitor: 'monitor',
  teammate: 'in_process_teammate',
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

class Teller {
  readonly steps: Step[] = [];
  readonly #to: Telling;
  /** Background tasks. */
  readonly #live = new Map<string, TaskKind>();
  #flushed: Frame[] = [];
  #afterResult: Frame[] = [];
  #turn = false;
  /** The turn is over, but its result was kept back. */
  #kept = false;
  #state: 'idle' | 'running' = 'idle';
  /** Where the frames behind the last result begin. */
  #behindResult = 0;

  constructor(to: Telling) {
    this.#to = to;
  }

  tell(event: Event): void {
    if (event === 'turn' || event === 'wake') this.#begin(event === 'wake');
    else if (event === 'idle') this.#idle();
    else if (event === 'over') this.steps.splice(this.#behindResult, 0, { note: 'over' });
    else if ('launch' in event) this.#launch(event);
    else if ('foreground' in event) this.#foreground(event);
    else if ('end' in event) this.#end(event);
    else if ('resume' in event) this.#resume(event.resume);
    else if ('news' in event) this.#news(event.news);
    else if ('result' in event) this.#result(event);
    else if ('ask' in event) this.#ask(event);
    else if ('quiet' in event) this.#quiet(event.quiet);
    else this.steps.push(event);
  }

  #begin(wake: boolean): void {
    if (wake) this.#pause(this.#state === 'idle' ? 60 : 30);
    this.#say('running');
    if (wake) this.#pause(15);
    this.#turn = true;
    this.#send(init(), assistantText('working'));
  }

  #launch({ launch: id, as, by }: Extract<Event, { launch: string }>): void {
    const parent = by === undefined ? null : `tool-${by}`;
    this.#live.set(id, as);
    this.#send(toolUse(`tool-${id}`, as === 'shell' ? 'Bash' : 'Agent', {}, parent));
    this.#sendSet();
    this.#started(id, as, true, by);
    // What a subagent is told carries no mark.
    const options = parent === null ? { mark: launchMark(id, as) } : { parent };
    this.#send(toolResult(`tool-${id}`, `running in the background with ID: ${id}`, options));
  }

  #foreground({ foreground: id, as, ask }: Extract<Event, { foreground: string }>): void {
    const { dialect } = this.#to;
    const agent = as === 'agent';
    const flushed = dialect.started === 'flushed';
    this.#send(toolUse(`tool-${id}`, agent ? 'Agent' : 'Bash'));
    if (!flushed) this.#started(id, as, false);
    if (ask !== undefined) this.#request(ask, agent ? `tool-${id}` : null);
    this.#pause(20);
    if (hasEdges(dialect)) {
      if (dialect.set && agent) this.#send(taskUpdated(id, { status: 'completed' }));
      this.#send(taskNotification(id));
    }
    const mark = agent ? { status: 'completed', agentId: id } : { stdout: '', stderr: '' };
    this.#send(toolResult(`tool-${id}`, 'done', { mark }));
    if (flushed && agent) this.#started(id, as, false);
  }

  #end({ end: id, status = 'completed', late, ownedBy }: Extract<Event, { end: string }>): void {
    const { dialect } = this.#to;
    const updates = hasEdges(dialect);
    this.#live.delete(id);
    const owned = ownedBy !== undefined && dialect.started === 'flagged' ? { owned_by_subagent: true } : {};
    const notification = { ...taskNotification(id, status), ...owned };
    // A stop by the host is told by the answer to its request alone.
    if (!updates && status === 'stopped') return;
    if (dialect.set === 'first') this.#sendSet();
    if (updates) this.#send(taskUpdated(id, { status: status === 'stopped' ? 'killed' : status }));
    if (!this.#turn || dialect.set) this.#send(notification);
    // Before there were sets, a turn that takes the news up says no more of it, once there were edges.
    else if (late === true || !updates) this.#afterResult.push(notification);
    if (dialect.set === 'last') this.#sendSet();
  }

  #resume(id: string): void {
    this.#live.set(id, 'agent');
    this.#sendSet();
    this.#started(id, 'agent', true);
  }

  #news(id: string): void {
    if (this.#to.dialect.set !== 'last') this.#send({ ...taskNotification(id), status: undefined });
  }

  #result({ result: kind, turns }: Extract<Event, { result: unknown }>): void {
    const { keepsResult, idleWaits } = this.#to.dialect;
    this.#send(...this.#flushed.splice(0));
    const waits = [...this.#live.values()].filter((as) => as !== 'shell' && as !== 'monitor').length;
    this.#turn = false;
    this.#kept = keepsResult === true && waits > 0;
    if (this.#kept) return;
    this.#send(kind === 'error' ? resultError() : result(turns === undefined ? {} : { num_turns: turns }));
    this.#behindResult = this.steps.length;
    const queued = kind === 'queued' || this.#afterResult.length > 0;
    if (this.#afterResult.length > 0) this.#pause(4);
    this.#send(...this.#afterResult.splice(0));
    const outstanding = idleWaits === 'all' ? this.#live.size : idleWaits === 'agents' ? waits : 0;
    if (queued || outstanding > 0) return;
    this.#pause(4);
    this.#say('idle');
  }

  /** Twice in a row, where the first one has been said. */
  #idle(): void {
    this.#pause(this.#state === 'idle' ? 60 : 1);
    this.#state = 'running';
    this.#say('idle');
  }

  #ask({ ask: id, open }: Extract<Event, { ask: string; open?: boolean }>): void {
    const agent = [...this.#live].find(([, as]) => as === 'agent' || as === 'teammate');
    this.#request(id, this.#turn || !agent ? null : `tool-${agent[0]}`, open);
  }

  #request(id: string, parent: string | null, open = false): void {
    const { request, prompts, dialect } = this.#to;
    if (!request) return;
    const wasIdle = this.#state === 'idle';
    const tells = prompts && !open && dialect.idleWaits !== undefined;
    const shown = this.#turn || parent !== null;
    if (shown) this.#send(toolUse(`tool-${id}`, 'Bash', {}, parent));
    if (tells) this.#send(sessionState('requires_action'));
    this.steps.push(open ? { ...request(id), awaitResponse: false } : request(id));
    if (tells) this.#send(sessionState('running'));
    if (open) return;
    if (shown) this.#send(toolResult(`tool-${id}`, 'ok', { parent }));
    if (tells && wasIdle) this.#send(sessionState('idle'));
  }

  #quiet(ms: number): void {
    const { stockMs, silenceMs, dialect } = this.#to;
    const patched = ms < SHORT_MS || silenceMs === 0 ? ms : Math.max(ms, silenceMs + 150);
    // Where no result has come, or the session says that it runs, stock has no reason to end input soon.
    const waits = this.#turn || this.#kept || (dialect.idleWaits !== undefined && this.#state === 'running');
    const stock = stockMs === undefined ? 0 : waits ? WAITING_MS : stockMs;
    this.steps.push({ expectStdinEnd: true, withinMs: Math.max(patched, stock) });
  }

  #started(id: string, as: TaskKind, background: boolean, by?: string): void {
    const { started } = this.#to.dialect;
    if (started === 'none') return;
    const fields = {
      // A workflow does not say.
      ...(started === 'flagged' && as !== 'workflow' && { is_backgrounded: background }),
      ...(started === 'flagged' && by !== undefined && { owned_by_subagent: true, parent_task_id: by }),
    };
    const frame = taskStarted(id, this.#type(as), fields);
    if (started === 'flushed') this.#flushed.push(frame);
    else this.#send(frame);
  }

  #sendSet(): void {
    if (!this.#to.dialect.set) return;
    this.#send(backgroundTasks(...[...this.#live].map(([id, as]) => ({ id, type: this.#type(as) }))));
  }

  #type(as: TaskKind): TaskType {
    return as === 'monitor' && this.#to.dialect.set === 'last' ? 'local_bash' : TYPES[as];
  }

  #say(state: 'idle' | 'running'): void {
    if (this.#to.dialect.idleWaits === undefined || this.#state === state) return;
    this.#state = state;
    this.#send(sessionState(state));
  }

  #pause(ms: number): void {
    this.steps.push({ pause: ms });
  }

  #send(...frames: Frame[]): void {
    this.steps.push(...frames.map((frame) => ({ send: frame })));
  }
}
