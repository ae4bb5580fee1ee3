/**
 * What the stand-in CLI is told to do, as JSON, and builders for the frames of the real one. `C>` of a
 * scenario is a `send` or a `request`, `H>` an `expect`.
 */

type Fields = Record<string, unknown>;

/** One JSON object a line, as the CLI writes it. */
export type Frame = Fields & { type: string };

export type Step =
  /** Waits until `count` user messages (one more than before, if not given) have come. */
  | { expect: 'user'; count?: number }
  /** Waits for one more control request of the host, such as `stop_task`. */
  | { expect: 'control_request'; subtype: string }
  /** A frame to the host. Session states go out only if the host asked for them, see `Timeline.sessionState`. */
  | { send: Frame }
  | RequestStep
  /** Waits until an earlier request is answered, lost or cancelled. */
  | { awaitResponse: string }
  /** Takes an unanswered request back. */
  | { cancel: string }
  /** Goes on when stdin has ended, or `withinMs` later; which of the two is recorded. */
  | { expectStdinEnd: true; withinMs?: number }
  /** Scripted time between two frames. */
  | { pause: number }
  /** A line in the record. */
  | { note: string }
  /** Answers `initialize`; only with `Timeline.initialize: 'step'`. */
  | { answer: 'initialize' }
  | { closeStdout: true }
  /** Leaves at once, whatever is outstanding. */
  | { exit: number };

/** A control request to the host. Goes on at its answer or loss, or at once with `awaitResponse: false`. */
export interface RequestStep {
  request: 'can_use_tool' | 'hook_callback' | 'mcp_message';
  id: string;
  payload: Fields;
  awaitResponse?: boolean;
}

export interface Timeline {
  steps: Step[];
  /**
   * `asked` (default): as CLIs since 0.2.83, session states go out only where the environment asks for
   * them, and marked as host-only where only the SDK does. `never`: an older CLI.
   */
  sessionState?: 'asked' | 'never';
  /** `auto` (default): answered as it comes. `step`: at the step `answer`. */
  initialize?: 'auto' | 'step';
}

/** Environment variable with the path of the timeline, JSON. */
export const TIMELINE_VARIABLE = 'HOLDOPEN_PROBE_TIMELINE';
/** Environment variable with the path of the record, JSON lines. */
export const RECORD_VARIABLE = 'HOLDOPEN_PROBE_RECORD';

/** Names frames the same way for the stand-in and the consumer: `init#2`, `result#1`, `task_started(A)`, `idle#1`. */
export function frameLabels(): (frame: Frame) => string {
  const counts = new Map<string, number>();
  return (frame) => {
    const name = frame.type === 'system' ? String(frame['subtype']) : frame.type;
    if (name === 'background_tasks_changed') {
      const tasks = (frame['tasks'] ?? []) as { task_id?: unknown }[];
      return `tasks[${tasks.map(({ task_id }) => String(task_id)).join(',')}]`;
    }
    if (typeof frame['task_id'] === 'string') return `${name}(${frame['task_id']})`;
    const counted = name === 'session_state_changed' ? String(frame['state']) : name;
    const count = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, count);
    return `${counted}#${count}`;
  };
}

const session_id = '00000000-0000-4000-8000-000000000001';

const system = (subtype: string, fields: Fields = {}): Frame => ({
  type: 'system',
  subtype,
  ...fields,
  session_id,
});

/** A turn begins. */
export const init = (): Frame =>
  system('init', { tools: ['Agent', 'Bash'], mcp_servers: [], model: 'stand-in', permissionMode: 'default' });

function message(type: 'assistant' | 'user', said: Fields, parent: string | null): Frame {
  return { type, message: said, parent_tool_use_id: parent, session_id };
}

function assistant(content: unknown, parent: string | null): Frame {
  const said = { id: 'msg', type: 'message', role: 'assistant', model: 'stand-in', content: [content] };
  return message('assistant', said, parent);
}

export const assistantText = (text: string, parent: string | null = null): Frame =>
  assistant({ type: 'text', text }, parent);

export const toolUse = (id: string, name: string, input: unknown = {}, parent: string | null = null): Frame =>
  assistant({ type: 'tool_use', id, name, input }, parent);

/** A tool's result on its way to the model. `mark` is `tool_use_result`: how launches in the background tell themselves. */
export function toolResult(
  id: string,
  text: string,
  { mark, isError, parent }: { mark?: unknown; isError?: boolean; parent?: string | null } = {},
): Frame {
  const content = [{ type: 'tool_result', tool_use_id: id, content: text, is_error: isError ?? false }];
  const frame = message('user', { role: 'user', content }, parent ?? null);
  return mark === undefined ? frame : { ...frame, tool_use_result: mark };
}

/** The end of a turn. */
export const result = (fields: Fields = {}): Frame => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 1,
  result: 'done',
  duration_ms: 1,
  duration_api_ms: 1,
  total_cost_usd: 0,
  usage: { input_tokens: 0, output_tokens: 0 },
  permission_denials: [],
  ...fields,
  session_id,
});

export const resultError = (): Frame =>
  result({ subtype: 'error_during_execution', is_error: true, result: undefined, errors: ['failed'] });

export type TaskType = 'local_agent' | 'local_bash' | 'local_workflow' | 'monitor' | 'in_process_teammate';

/** Also sent for foreground tasks; `fields` may hold `is_backgrounded`, which only late CLIs tell. */
export const taskStarted = (id: string, type: TaskType = 'local_agent', fields: Fields = {}): Frame =>
  system('task_started', {
    task_id: id,
    task_type: type,
    tool_use_id: `tool-${id}`,
    description: id,
    ...fields,
  });

export const taskUpdated = (id: string, patch: Fields): Frame =>
  system('task_updated', { task_id: id, patch });

export const taskProgress = (id: string): Frame => system('task_progress', { task_id: id, description: id });

export const taskNotification = (
  id: string,
  status: 'completed' | 'failed' | 'stopped' = 'completed',
): Frame => system('task_notification', { task_id: id, status, output_file: '', summary: `${id} ${status}` });

/** The whole live set; an entry with `ambient` is no activity. */
export const backgroundTasks = (...tasks: { id: string; type?: TaskType; ambient?: boolean }[]): Frame =>
  system('background_tasks_changed', {
    tasks: tasks.map(({ id, type = 'local_agent', ambient }) => ({
      task_id: id,
      task_type: type,
      description: id,
      ...(ambient === undefined ? {} : { ambient }),
    })),
  });

export const sessionState = (state: 'idle' | 'running' | 'requires_action'): Frame =>
  system('session_state_changed', { state });

/** Tells nothing of tasks or turns. */
export const status = (): Frame => system('status', { status: null });

/** Steps for several frames in a row. */
export const send = (...frames: Frame[]): Step[] => frames.map((frame) => ({ send: frame }));

/** Asks `canUseTool` of the host; the tool call's id is `tool-<id>`. */
export const canUseTool = (id: string): RequestStep => ({
  request: 'can_use_tool',
  id,
  payload: { tool_name: 'Bash', input: { command: 'true' }, tool_use_id: `tool-${id}` },
});

/** Calls the first hook that the host registered for the event. */
export const hookCallback = (id: string, event: string): RequestStep => ({
  request: 'hook_callback',
  id,
  payload: {
    input: { hook_event_name: event, tool_name: 'Bash', tool_input: {} },
    tool_use_id: `tool-${id}`,
  },
});

/** Calls a tool of an in-process MCP server. */
export const mcpToolCall = (id: string, server: string, name: string): RequestStep => ({
  request: 'mcp_message',
  id,
  payload: {
    server_name: server,
    message: { jsonrpc: '2.0', id: `rpc-${id}`, method: 'tools/call', params: { name, arguments: {} } },
  },
});
