// Runs one query() of the bundle that the plan names and writes what happens to fd 3, one JSON object a line.
// Plain JavaScript without a loader: the bundle must run as Node itself loads it.
//   node runner.mjs <plan.json>
import childProcess from 'node:child_process';
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import { hostServer } from './host-server.mjs';

/** @type {import('./drive.ts').Plan & { sdk: string }} */
const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'));

// --- the timeline ---

const past = [];
const waiters = new Set();
let lastFrameAt = performance.now();

function emit(event, data = {}) {
  const entry = { t: performance.timeOrigin + performance.now(), event, ...data };
  if (event === 'frame') lastFrameAt = performance.now();
  past.push(entry);
  writeSync(3, `${JSON.stringify(entry)}\n`);
  for (const waiter of [...waiters]) waiter(entry);
}

function holds(value, pattern) {
  if (typeof pattern !== 'object' || pattern === null) return value === pattern;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(pattern).every((key) => holds(value[key], pattern[key]))
  );
}

/** Calls back once, when the nth entry that holds the pattern is there (now, if it is already). */
function when({ nth = 1, ...pattern }, callback) {
  const hits = past.filter((entry) => holds(entry, pattern));
  if (hits.length >= nth) return void callback(hits[nth - 1]);
  let left = nth - hits.length;
  const waiter = (entry) => {
    if (!holds(entry, pattern) || --left > 0) return;
    waiters.delete(waiter);
    callback(entry);
  };
  waiters.add(waiter);
}

const until = (match) => new Promise((resolve) => when(match, resolve));
const sleep = (ms, keepsAlive = true) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    if (!keepsAlive) timer.unref();
  });

async function quiet(ms) {
  for (let left = ms; left > 0; left = lastFrameAt + ms - performance.now()) await sleep(left);
}

/** A frame as data that can be read: long texts cut, long lists counted. */
function brief(value, depth = 0) {
  if (typeof value === 'string')
    return value.length > 400 ? `${value.slice(0, 400)}[+${value.length - 400}]` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.length > 12 ? `[${value.length} entries]` : value.map((item) => brief(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, brief(item, depth + 1)]));
}

// --- the CLI process: seen through spawn(), so the SDK's own way of starting it is not changed ---

const spawn = childProcess.spawn;
let cli;
childProcess.spawn = (...args) => {
  const child = spawn(...args);
  if (!Array.isArray(args[1]) || !args[1].includes('--input-format')) return child;
  cli = child;
  emit('cliSpawn', { pid: child.pid });
  const { end, write } = child.stdin;
  child.stdin.end = (...rest) => {
    emit('stdinEnd');
    return end.apply(child.stdin, rest);
  };
  child.stdin.write = (chunk, ...rest) => {
    for (const message of lines(String(chunk))) emit('write', { message });
    return write.call(child.stdin, chunk, ...rest);
  };
  const { push } = child.stdout;
  let rest = '';
  child.stdout.push = (chunk, ...more) => {
    const parts = (rest + (chunk === null ? '' : chunk.toString())).split('\n');
    rest = parts.pop();
    for (const message of lines(parts.join('\n'))) emit('wire', { message });
    if (chunk === null) emit('stdoutEnd');
    return push.call(child.stdout, chunk, ...more);
  };
  child.on('exit', (code, signal) => emit('cliExit', { code, signal }));
  return child;
};
syncBuiltinESMExports();

/** What goes over the pipes: whole for the control protocol and the CLI's news, by name for the rest. */
function lines(text) {
  return text.split('\n').flatMap((line) => {
    try {
      const message = JSON.parse(line);
      const { type, subtype, uuid } = message;
      const whole = String(type).startsWith('control_') || (type === 'system' && subtype !== 'init');
      return [whole ? brief(message) : { type, subtype, uuid }];
    } catch {
      return [];
    }
  });
}

// --- the host's side: prompt, callbacks, actions ---

const userMessage = ({ say, ...fields }) => ({
  type: 'user',
  session_id: '',
  parent_tool_use_id: null,
  message: { role: 'user', content: say },
  ...fields,
});

async function* prompt(steps) {
  for (const step of steps) {
    if ('say' in step) {
      emit('sent', { say: step.say });
      yield userMessage(step);
    } else if ('until' in step) await until(step.until);
    else await quiet(step.quiet);
  }
  emit('promptEnd');
}

async function decide(decision, input) {
  const { of: text, behavior, afterMs } = decision;
  if (text && !JSON.stringify(input).includes(text)) return 'allow';
  if (decision.until) await until(decision.until);
  if (afterMs) await sleep(afterMs);
  return behavior;
}

function canUseTool(decision) {
  return async (tool, input, { signal, toolUseID, agentID }) => {
    emit('canUseTool', { tool, input: brief(input), toolUseID, agentID });
    signal?.addEventListener('abort', () => emit('canUseToolAborted', { toolUseID }));
    const behavior = await decide(decision, input);
    emit('canUseToolAnswer', { toolUseID, behavior });
    return behavior === 'allow'
      ? { behavior, updatedInput: input }
      : { behavior, message: 'denied by the host' };
  };
}

function hooks(decisions) {
  return Object.fromEntries(
    Object.entries(decisions).map(([name, decision]) => [name, [{ hooks: [hook(name, decision)] }]]),
  );
}

function hook(name, decision) {
  return async (input, toolUseID, { signal }) => {
    emit('hook', { name, tool: input.tool_name, toolUseID, agentID: input.agent_id });
    signal?.addEventListener('abort', () => emit('hookAborted', { name, toolUseID }));
    const behavior = await decide(decision, input.tool_input);
    emit('hookAnswer', { name, toolUseID, behavior });
    if (name !== 'PreToolUse' || behavior === 'observe') return {};
    const answer = { permissionDecision: behavior, permissionDecisionReason: `${behavior} by the host` };
    return { hookSpecificOutput: { hookEventName: name, ...answer } };
  };
}

let leave = false;
const controller = new AbortController();
const releases = [];

async function act(action, query, trigger) {
  const { do: name } = action;
  if (action.afterMs) await sleep(action.afterMs, false);
  emit('action', { name });
  try {
    if (name === 'abort') controller.abort();
    else if (name === 'break') leave = true;
    else if (name === 'signal') writeFileSync(action.file, '');
    else if (name === 'kill') cli.kill(action.signal ?? 'SIGKILL');
    else if (name === 'stopTask') await query.stopTask(trigger.frame?.task_id ?? lastTask());
    else if (name === 'streamInput') await query.streamInput(prompt(action.messages));
    else if (name === 'hold') releases.push(query.holdInput());
    else if (name === 'release') releases.pop()();
    else await query[name](...(action.args ?? []));
    emit('actionDone', { name });
  } catch (error) {
    emit('actionFailed', { name, error: String(error) });
  }
}

/** The id of the task last heard of, by whatever the release tells it with. */
function lastTask() {
  for (const { frame } of past.filter(({ event }) => event === 'frame').reverse()) {
    const result = frame.tool_use_result;
    const id = frame.task_id ?? result?.backgroundTaskId ?? result?.agentId;
    if (id) return id;
  }
}

process.on('warning', (warning) =>
  emit('warning', { name: warning.name, code: warning.code, message: warning.message }),
);
process.on('unhandledRejection', (reason) => emit('unhandledRejection', { error: String(reason) }));
process.on('exit', (code) => emit('exit', { code, resources: process.getActiveResourcesInfo() }));

const { query: start, startup } = await import(pathToFileURL(plan.sdk));
const { callbacks = {}, options = {} } = plan;
const given = typeof plan.prompt === 'string' ? plan.prompt : prompt(plan.prompt);
const settings = {
  abortController: controller,
  stderr: (text) => emit('stderr', { text: text.slice(0, 2000) }),
  settingSources: [],
  ...options,
  ...(options.env && { env: { ...process.env, ...options.env } }),
  ...(callbacks.canUseTool && { canUseTool: canUseTool(callbacks.canUseTool) }),
  ...(callbacks.hooks && { hooks: hooks(callbacks.hooks) }),
  ...(callbacks.mcp && {
    mcpServers: { host: hostServer((tool) => emit('mcp', { tool })) },
    allowedTools: ['mcp__host__ping', ...(options.allowedTools ?? [])],
  }),
};
const query = plan.warmed
  ? (await startup({ options: settings })).query(given)
  : start({ prompt: given, options: settings });
emit('start');
for (const action of plan.actions ?? []) when(action.on, (trigger) => void act(action, query, trigger));
try {
  for await (const frame of query) {
    emit('frame', { frame: brief(frame) });
    if (leave) break;
  }
  emit('iterationEnd');
} catch (error) {
  emit('iterationError', { error: String(error) });
}
setImmediate(() => emit('resources', { resources: process.getActiveResourcesInfo() }));
