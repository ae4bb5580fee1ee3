/**
 * The host of one driven run, in a process of its own: imports the bundle that it is given, runs `query()` as its
 * script says and records what it sees. Started by `driveFixture`; argument: the path of its plan, JSON.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Frame, frameLabels } from '../../src/probe/timeline.ts';
import type { HostAction, HostEntry, HostPlan, PromptStep, Reply } from './drive-fixture.ts';

type Query = AsyncGenerator<Frame> & Record<string, ((...args: unknown[]) => unknown) | undefined>;
type Entry = HostEntry extends infer Each ? (Each extends unknown ? Omit<Each, 'at'> : never) : never;

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as HostPlan;
const label = frameLabels();
const seen = new Set<string>();
const waiting = new Map<string, () => void>();
const abortController = new AbortController();
let release: (() => void) | undefined;

function record(entry: Entry): void {
  const at = performance.timeOrigin + performance.now();
  appendFileSync(plan.record, `${JSON.stringify({ at, ...entry })}\n`);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const textOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

/** Resolves when the consumer has seen the frame. */
function seenFrame(name: string): Promise<void> {
  if (seen.has(name)) return Promise.resolve();
  return new Promise((resolve) => waiting.set(name, resolve));
}

async function* prompts(steps: readonly PromptStep[]): AsyncGenerator<unknown> {
  for (const step of steps) {
    if ('say' in step) yield userMessage(step.say, step.fields);
    else if ('until' in step) await seenFrame(step.until);
    else if ('pause' in step) await sleep(step.pause);
    else if ('throw' in step) throw new Error(step.throw);
    else await new Promise(() => {});
  }
  record({ event: 'prompts-over' });
}

function userMessage(text: string, fields: Record<string, unknown> = {}): unknown {
  const message = { role: 'user', content: [{ type: 'text', text }] };
  return { type: 'user', message, parent_tool_use_id: null, session_id: '', ...fields };
}

/** Records the call, waits as the script says and answers. */
async function reply<T>(name: string, { afterMs = 0, does }: Reply, answers: Record<string, T>): Promise<T> {
  record({ event: 'call', name });
  if (afterMs > 0) await sleep(afterMs);
  if (does === 'throw') throw new Error(`${name} threw`);
  if (does === 'never') await new Promise(() => {});
  const answer = answers[does];
  if (answer === undefined) throw new Error(`${name} has no answer ${does}`);
  return answer;
}

function options(): Record<string, unknown> {
  const { canUseTool, hooks, mcpServers } = plan.host;
  return {
    abortController,
    pathToClaudeCodeExecutable: plan.standIn,
    env: { ...process.env, ...plan.cliEnv },
    ...plan.options,
    ...(canUseTool && {
      canUseTool: (tool: string, input: unknown) =>
        reply<unknown>(`canUseTool ${tool}`, canUseTool, {
          allow: { behavior: 'allow', updatedInput: input },
          deny: { behavior: 'deny', message: 'not today' },
        }),
    }),
    ...(hooks && {
      hooks: Object.fromEntries(
        Object.entries(hooks).map(([event, script]) => [
          event,
          [{ hooks: [() => hookReply(event, script)] }],
        ]),
      ),
    }),
    ...(mcpServers && {
      mcpServers: Object.fromEntries(
        mcpServers.map((name) => [name, { type: 'sdk', name, instance: mcpServer(name) }]),
      ),
    }),
  };
}

function hookReply(event: string, script: Reply): Promise<unknown> {
  const verdict = { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: 'not today' };
  return reply<unknown>(`hook ${event}`, script, { allow: {}, deny: { hookSpecificOutput: verdict } });
}

/** The least that counts as an MCP server: answers every request on the transport that it is connected to. */
function mcpServer(name: string): unknown {
  interface Message {
    id?: number | string;
    method?: string;
  }
  interface Transport {
    onmessage?: (message: Message) => void;
    start?(): Promise<void>;
    send(message: unknown): unknown;
  }
  const capabilities = { protocolVersion: '2025-06-18', capabilities: { tools: {} } };
  const results: Record<string, unknown> = {
    initialize: { ...capabilities, serverInfo: { name, version: '1.0.0' } },
    'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'seen' }] },
  };
  return {
    async connect(transport: Transport) {
      transport.onmessage = ({ id, method = '' }) => {
        if (method === 'tools/call') record({ event: 'call', name: `mcp ${name}` });
        if (id !== undefined) void transport.send({ jsonrpc: '2.0', id, result: results[method] ?? {} });
      };
      await transport.start?.();
    },
  };
}

/** What the script does at a frame. True: leave the loop. */
function act(query: Query, action: HostAction): boolean {
  const call = (name: string, ...args: unknown[]): void => {
    const method = query[name];
    const made = method
      ? Promise.resolve().then(() => method.apply(query, args))
      : Promise.reject(new Error('absent'));
    made.then(
      (value) => {
        if (name === 'holdInput' && typeof value === 'function') release = value as () => void;
        record({ event: 'action', does: action.does, ok: true });
      },
      (failure: unknown) => record({ event: 'action', does: action.does, ok: false, error: textOf(failure) }),
    );
  };
  if (action.does === 'break') return true;
  if (action.does === 'abort') abortController.abort();
  else if (action.does === 'release') release?.();
  else if (action.does === 'throw') call('throw', new Error('the consumer threw'));
  else if (action.does === 'stopTask') call('stopTask', action.task);
  else if (action.does === 'streamInput') call('streamInput', prompts(action.prompt));
  else call(action.does);
  return false;
}

async function consume(query: Query): Promise<void> {
  for await (const frame of query) {
    const name = label(frame);
    record({ event: 'frame', label: name, frame });
    seen.add(name);
    waiting.get(name)?.();
    const now = plan.host.actions?.filter((action) => action.at === name) ?? [];
    let leave = false;
    for (const action of now) {
      if (action.afterMs) setTimeout(() => act(query, action), action.afterMs);
      else leave = act(query, action) || leave;
    }
    if (leave) return record({ event: 'ended', how: 'left' });
  }
  record({ event: 'ended', how: 'done' });
}

process.on('warning', (warning) => {
  const { code } = warning as Error & { code?: string };
  record({ event: 'warning', code: code ?? warning.name, message: warning.message });
});
process.on('uncaughtException', (failure) => record({ event: 'uncaught', error: textOf(failure) }));
process.on('unhandledRejection', (failure) => record({ event: 'uncaught', error: textOf(failure) }));

const bundle = (await import(pathToFileURL(plan.bundle).href)) as { query(input: unknown): Query };
record({ event: 'started' });
try {
  const prompt = typeof plan.prompt === 'string' ? plan.prompt : prompts(plan.prompt);
  await consume(bundle.query({ prompt, options: options() }));
} catch (failure) {
  record({ event: 'ended', how: 'threw', error: textOf(failure) });
}
process.send?.('ended');
