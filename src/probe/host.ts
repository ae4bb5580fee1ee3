/**
 * The host of driven runs, in a process of its own. Argument: the path of a plan, JSON, for a process that leaves when
 * its query lets it; or `--serve`, for one that takes paths of plans from its parent, one after the other.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type RunEvent, append } from './record.ts';
import { ABSENT, type HostAction, type HostPlan, type PromptStep, type Reply, SERVE } from './script.ts';
import { type Frame, frameLabels } from './timeline.ts';

type Methods = Record<string, ((...args: unknown[]) => unknown) | undefined>;
type Query = AsyncGenerator<Frame> & Methods;

const textOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

/** One run: imports the bundle of its plan, runs `query()` as the script says and records what it sees. */
class HostRun {
  readonly plan: HostPlan;
  readonly #label = frameLabels();
  readonly #seen = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  readonly #abortController = new AbortController();
  #release: (() => void) | undefined;

  /** @param path of the plan */
  constructor(path: string) {
    this.plan = JSON.parse(readFileSync(path, 'utf8')) as HostPlan;
  }

  record(event: RunEvent): void {
    try {
      append(this.plan.record, event);
    } catch {
      // The run is over and its folder gone.
    }
  }

  /** Resolves when the consumer's loop is over, however. Rejects where the bundle cannot be imported. */
  async start(): Promise<void> {
    const { bundle, prompt } = this.plan;
    const { query } = (await import(pathToFileURL(bundle).href)) as { query?: (input: unknown) => Query };
    if (typeof query !== 'function') throw new Error('it exports no query()');
    this.record({ event: 'started' });
    try {
      const input = typeof prompt === 'string' ? prompt : this.#prompts(prompt);
      await this.#consume(query({ prompt: input, options: this.#options() }));
    } catch (failure) {
      this.record({ event: 'ended', how: 'threw', error: textOf(failure) });
    }
  }

  async #consume(query: Query): Promise<void> {
    for await (const frame of query) {
      const label = this.#label(frame);
      this.record({ event: 'frame', label, frame });
      this.#seen.add(label);
      this.#waiting.get(label)?.();
      let leave = false;
      for (const action of this.plan.host.actions ?? []) {
        if (action.at !== label) continue;
        if (action.afterMs) setTimeout(() => this.#act(query, action), action.afterMs);
        else if (action.does === 'break') leave = true;
        else this.#act(query, action);
      }
      if (leave) return this.record({ event: 'ended', how: 'left' });
    }
    this.record({ event: 'ended', how: 'done' });
  }

  /** What the script does at a frame, but for leaving the loop. */
  #act(query: Query, action: HostAction): void {
    if (action.does === 'abort') this.#abortController.abort();
    else if (action.does === 'release') this.#release?.();
    else if (action.does === 'throw') this.#call(query, 'throw', new Error('the consumer threw'));
    else if (action.does === 'stopTask') this.#call(query, 'stopTask', action.task);
    else if (action.does === 'streamInput') this.#call(query, 'streamInput', this.#prompts(action.prompt));
    else this.#call(query, action.does);
  }

  #call(query: Methods, does: string, ...args: unknown[]): void {
    const made = query[does]
      ? Promise.resolve().then(() => query[does]?.(...args))
      : Promise.reject(new Error(ABSENT));
    made.then(
      (value) => {
        if (does === 'holdInput' && typeof value === 'function') this.#release = value as () => void;
        this.record({ event: 'action', does, ok: true });
      },
      (failure: unknown) => this.record({ event: 'action', does, ok: false, error: textOf(failure) }),
    );
  }

  async *#prompts(steps: readonly PromptStep[]): AsyncGenerator<unknown> {
    for (const step of steps) {
      if ('say' in step) yield userMessage(step.say, step.fields);
      else if ('until' in step) await this.#seenFrame(step.until);
      else if ('pause' in step) await sleep(step.pause);
      else await new Promise(() => {});
    }
  }

  /** Resolves when the consumer has seen the frame. */
  #seenFrame(name: string): Promise<void> {
    if (this.#seen.has(name)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(name, resolve));
  }

  #options(): Record<string, unknown> {
    const { canUseTool, hooks, mcpServers } = this.plan.host;
    const hook = ([event, reply]: [string, Reply]) => {
      const deny = { permissionDecision: 'deny', permissionDecisionReason: 'not today' };
      const answers = { allow: {}, deny: { hookSpecificOutput: { hookEventName: event, ...deny } } };
      return [event, [{ hooks: [() => this.#reply(`hook ${event}`, reply, answers)] }]] as const;
    };
    const server = (name: string) => {
      const instance = mcpServer(name, () => this.record({ event: 'call', name: `mcp ${name}` }));
      return [name, { type: 'sdk', name, instance }] as const;
    };
    return {
      abortController: this.#abortController,
      pathToClaudeCodeExecutable: this.plan.standIn,
      env: { ...process.env, ...this.plan.cliEnv },
      ...this.plan.options,
      ...(canUseTool && {
        canUseTool: (tool: string, input: unknown) =>
          this.#reply(`canUseTool ${tool}`, canUseTool, {
            allow: { behavior: 'allow', updatedInput: input },
            deny: { behavior: 'deny', message: 'not today' },
          }),
      }),
      ...(hooks && { hooks: Object.fromEntries(Object.entries(hooks).map(hook)) }),
      ...(mcpServers && { mcpServers: Object.fromEntries(mcpServers.map(server)) }),
    };
  }

  /** Records the call, waits as the script says and answers. */
  async #reply(
    name: string,
    { afterMs = 0, does }: Reply,
    answers: { allow: unknown; deny: unknown },
  ): Promise<unknown> {
    this.record({ event: 'call', name });
    if (afterMs > 0) await sleep(afterMs);
    if (does === 'throw') throw new Error(`${name} threw`);
    return does === 'never' ? new Promise(() => {}) : answers[does];
  }
}

function userMessage(text: string, fields: Record<string, unknown> = {}): unknown {
  const message = { role: 'user', content: [{ type: 'text', text }] };
  return { type: 'user', message, parent_tool_use_id: null, session_id: '', ...fields };
}

interface McpTransport {
  onmessage?: (message: { id?: number | string; method?: string }) => void;
  start?(): Promise<void>;
  send(message: unknown): unknown;
}

/**
 * The least that counts as an MCP server: answers every request on the transport that it is connected to.
 * @param called told of every call of its one tool
 */
function mcpServer(name: string, called: () => void): unknown {
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name, version: '1.0.0' },
    },
    'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'seen' }] },
  };
  return {
    async connect(transport: McpTransport) {
      transport.onmessage = ({ id, method = '' }) => {
        if (method === 'tools/call') called();
        if (id !== undefined) void transport.send({ jsonrpc: '2.0', id, result: results[method] ?? {} });
      };
      await transport.start?.();
    },
  };
}

let run: HostRun | undefined;

const uncaught = (failure: unknown): void => run?.record({ event: 'uncaught', error: textOf(failure) });
process.on('uncaughtException', uncaught).on('unhandledRejection', uncaught);
process.on('warning', (warning: Error & { code?: string }) =>
  run?.record({ event: 'warning', code: warning.code ?? warning.name, message: warning.message }),
);

async function start(plan: string): Promise<void> {
  run = new HostRun(plan);
  const before = { ...process.env };
  Object.assign(process.env, run.plan.env);
  // Where not even the import worked, the missing entry `started` says so.
  await run.start().catch(uncaught);
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  process.send?.('ended');
}

const [, , argument = ''] = process.argv;
if (argument === SERVE) {
  process.on('message', (plan) => void start(String(plan)));
  process.on('disconnect', () => process.exit());
} else await start(argument);
