import { type Frame, list, record, remember, text } from './frames.ts';

/** A task as far as frames have told of it. */
export interface Task {
  type: string;
  /** tool_use_id of the call that started it. */
  tool: string;
  /** Proved by the set, a launch mark or a flag. A foreground task is over with its tool_result. */
  background: boolean;
  /** Started by a subagent, which hears of its end and may go on. */
  owned: boolean;
  /** run_id (0.3.3xx): a task that is resumed keeps its id and has another one. */
  run: string;
}

/**
 * Told when a task ends, and again (`task`: undefined) with what is told of that later. `notified`: the model is being
 * told.
 */
export type OnEnd = (id: string, task: Task | undefined, status: string, notified: boolean) => void;

export interface Ledger {
  /** Reads what a frame says of tasks. */
  frame(frame: Frame): void;
  /** The CLI has stopped a task for the host. */
  stopped(id: string): void;
  outstanding(): [id: string, task: Task][];
  /** Whether there ever was one in the background that counts. */
  sawBackground(): boolean;
}

/** `task_updated` says these with patch.status. */
const TERMINAL = /^(completed|failed|killed|stopped|cancell?ed|error(ed)?|timed?_?out|aborted|done|expired)$/;
/** A `task_notification` with any other status is the last one of its task. */
const LIVE = /^(running|pending|queued|paused|idle|waiting|started|active|in_progress)$/;
const PLAIN: Task = { type: '', tool: '', background: false, owned: false, run: '' };
export const SHELL = /bash|shell|monitor/;

/**
 * Which tasks are outstanding (G2): the reported set as soon as the CLI sends one; before that edges, and launch
 * marks for the CLIs that have no edges.
 * @param counts whether tasks of a type hold input
 * @param ended called once for each life of a task that ends and may have news for a follow-up turn
 * @param foreground called when a tool_result shows that what its call started was a foreground task
 */
export function createLedger(
  counts: (type: string) => boolean,
  ended: OnEnd,
  foreground: (tool: string) => void,
): Ledger {
  const tasks = new Map<string, Task>();
  let reported: Map<string, Task> | undefined;
  let background = false;
  const ambient = new Set<string>();
  /** Tasks that are over, with the tool call of the life that ended: another call starts another life. */
  const over = new Map<string, string>();
  /** What the tool_result of a call said: a launch, no launch, or only a text. */
  const results = new Map<string, boolean | string>();
  /** Whether this CLI marks launches at all. */
  let marks = false;

  const add = (id: string, task: Task): void => {
    if (ambient.has(id)) return;
    tasks.set(id, task);
    background ||= task.background && counts(task.type);
  };

  const current = (id: string): Task | undefined => reported?.get(id) ?? tasks.get(id);

  /** @param news the tool call that the model's news of it names; undefined: the model is not told by this frame */
  const end = (id: string, status: string, news?: string): void => {
    const task = current(id);
    const notified = news !== undefined;
    reported?.delete(id);
    if (!task && over.has(id)) return ended(id, undefined, status, notified);
    // The news of a task that nobody has told of may start a turn, as a shell's does.
    const stranger = notified ? { ...PLAIN, type: 'bash', tool: news } : undefined;
    const known = tasks.get(id) ?? task ?? stranger;
    tasks.delete(id);
    remember(over, id, known?.tool ?? '');
    if (known && !ambient.has(id)) ended(id, known, status, notified);
  };

  /** A tool has returned: its foreground task is over, a background one goes on. */
  const toolResult = (tool: string, said: boolean | string, parent: string): void => {
    // A shell of a background agent wakes nobody before the set came in: it is none of ours.
    const answer = typeof said === 'string' && results.get(parent) === true ? `${said} ` : said;
    remember(results, tool, answer);
    if (answer === false) foreground(tool);
    for (const [id, task] of tasks) {
      if (task.tool !== tool || task.background) continue;
      if (launched(answer, id, task.type)) add(id, { ...task, background: true });
      else {
        tasks.delete(id);
        remember(over, id, tool);
        foreground(tool);
      }
    }
  };

  /** A subagent's frames carry no launch mark; but what it launched is named to it by its id. */
  const launched = (said: boolean | string | undefined, id: string, type: string): boolean => {
    if (typeof said !== 'string') return said === true;
    return said.includes(id) && !(said.endsWith(' ') && SHELL.test(type));
  };

  /**
   * `tool_use_result`: {backgroundTaskId} of a shell, {status:"async_launched",agentId} of an agent, with taskId of
   * a workflow; {status:"completed",agentId} of a foreground agent.
   */
  const userFrame = (frame: Frame): void => {
    // What a resumed session replays is over.
    if (frame.isReplay === true) return;
    const marked = frame.tool_use_result !== undefined && frame.tool_use_result !== null;
    const mark = record(frame.tool_use_result);
    const shell = text(mark.backgroundTaskId);
    const agent = /launch|background/.test(text(mark.status)) ? text(mark.agentId) || text(mark.taskId) : '';
    const id = shell || agent;
    marks ||= id !== '';
    // {task_id,task_type,command,message}: the model stopped a task; 0.2.50 reports that in no other way.
    const stopped = text(mark.task_id);
    if (stopped && mark.message !== undefined) {
      remember(over, stopped, tasks.get(stopped)?.tool ?? '');
      tasks.delete(stopped);
    }
    for (const item of list(record(frame.message).content)) {
      if (item.type !== 'tool_result') continue;
      const tool = text(item.tool_use_id);
      const parent = text(frame.parent_tool_use_id);
      toolResult(
        tool,
        marked || !parent ? id !== '' : JSON.stringify(item.content ?? '').slice(0, 400),
        parent,
      );
      if (!id || reported || tasks.has(id) || over.get(id) === tool || over.get(id) === '') continue;
      const type = text(mark.taskType) || (shell ? 'local_bash' : 'local_agent');
      add(id, { ...PLAIN, type, tool, background: true });
    }
  };

  const taskStarted = (frame: Frame, id: string): void => {
    const tool = text(frame.tool_use_id);
    const said = results.get(tool);
    const type = text(frame.task_type);
    if (over.has(id) && (over.get(id) === tool || !tool || over.get(id) === '')) return;
    // 0.2.50 tells of a foreground task after its tool_result, when it is over.
    const inSet = reported?.has(id) === true;
    if (tool && said !== undefined && !launched(said, id, type) && !inSet) return;
    over.delete(id);
    const proved = frame.is_backgrounded === true || inSet || launched(said, id, type);
    // 0.2.50 tells of a shell that a hidden background agent started, and never of its end, which wakes nobody.
    if (!proved && marks && !reported && said === undefined && SHELL.test(type)) return;
    const known = tasks.get(id);
    add(id, {
      type,
      tool,
      background: proved || known?.background === true,
      owned: frame.owned_by_subagent === true,
      run: text(frame.run_id),
    });
  };

  const setChanged = (frame: Frame): void => {
    if (!Array.isArray(frame.tasks)) return;
    const before = reported ?? tasks;
    const now = new Map<string, Task>();
    for (const item of list(frame.tasks)) {
      const id = text(item.task_id);
      if (item.ambient === true) {
        ambient.add(id);
        tasks.delete(id);
        continue;
      }
      ambient.delete(id);
      const known = tasks.get(id);
      if (known) known.background = true;
      // An agent that is sent another message runs again under its old id.
      over.delete(id);
      const type = text(item.task_type);
      const run = text(item.run_id) || (known?.run ?? '');
      now.set(id, { ...PLAIN, ...known, type, run, background: true });
      background ||= counts(type);
    }
    for (const [id, task] of [...before]) if (task.background && !now.has(id)) end(id, '');
    reported = now;
  };

  return {
    frame(frame) {
      if (frame.type === 'user') return userFrame(frame);
      if (frame.type !== 'system') return;
      const id = text(frame.task_id);
      const run = text(frame.run_id);
      // Late news of an earlier run of a task that runs again.
      const late = run !== '' && Boolean(current(id)?.run) && run !== current(id)?.run;
      switch (text(frame.subtype)) {
        case 'background_tasks_changed':
          return setChanged(frame);
        case 'task_started':
          return taskStarted(frame, id);
        case 'task_updated': {
          const patch = record(frame.patch);
          const task = tasks.get(id);
          if (task && patch.is_backgrounded === true) add(id, { ...task, background: true });
          if (!late && TERMINAL.test(text(patch.status))) end(id, text(patch.status));
          return;
        }
        case 'task_notification': {
          if (late) return;
          const task = current(id);
          const status = text(frame.status);
          if (task && frame.owned_by_subagent === true) task.owned = true;
          // A monitor's events have no status; only its last one has, and each starts a turn.
          if (status && !LIVE.test(status)) end(id, status, text(frame.tool_use_id));
          else if (task && !status && !ambient.has(id)) ended(id, task, '', true);
        }
      }
    },
    stopped(id) {
      if (!reported) end(id, 'stopped');
    },
    outstanding: () => [...(reported ?? tasks)],
    sawBackground: () => background,
  };
}
