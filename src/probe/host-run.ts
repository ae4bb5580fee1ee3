import { appendFileSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { mcpServer } from './mcp-server.ts';
import {
  ABSENT,
  type HostAction,
  type HostEntry,
  type HostPlan,
  type PromptStep,
  type Reply,
} from './script.ts';
import { type Frame, frameLabels } from './timeline.ts';

type Methods = Record<string, ((...args: unknown[]) => unknown) | undefined>;
type Query = AsyncGenerator<Frame> & Methods;
type Entry = HostEntry extends infer Each ? (Each extends unknown ? Omit<Each, 'at'> : never) : never;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const textOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure);

/** One run: imports the bundle of its plan, runs `query()` as the script says and records what it sees. */
export class HostRun {
  readonly plan: HostPlan;
  readonly #label = frameLabels();
  readonly #seen = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  readonly #abortController = new AbortController();
  #release: (() => void) | undefined;

  /** @param path of the plan, JSON */
  constructor(path: string) {
    this.plan = JSON.parse(readFileSync(path, 'utf8')) as HostPlan;
  }

  record(entry: Entry): void {
    const at = performance.timeOrigin + performance.now();
    try {
      appendFileSync(this.plan.record, `${JSON.stringify({ at, ...entry })}\n`);
    } catch {
      // The run is over and its folder gone.
    }
  }

  /** Resolves when the consumer's loop is over, however. Rejects where the bundle cannot be imported. */
  async start(): Promise<void> {
    const { bundle, prompt } = this.plan;
    const sdk = (await import(pathToFileURL(bundle).href)) as { query?: (input: unknown) => Query };
    const query = sdk.query;
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
      const name = this.#label(frame);
      this.record({ event: 'frame', label: name, frame });
      this.#seen.add(name);
      this.#waiting.get(name)?.();
      const now = this.plan.host.actions?.filter((action) => action.at === name) ?? [];
      let leave = false;
      for (const action of now) {
        if (action.afterMs) setTimeout(() => this.#act(query, action), action.afterMs);
        else leave = this.#act(query, action) || leave;
      }
      if (leave) return this.record({ event: 'ended', how: 'left' });
    }
    this.record({ event: 'ended', how: 'done' });
  }

  /** What the script does at a frame. True: leave the loop. */
  #act(query: Query, action: HostAction): boolean {
    if (action.does === 'break') return true;
    if (action.does === 'abort') this.#abortController.abort();
    else if (action.does === 'release') this.#release?.();
    else if (action.does === 'throw') this.#call(query, action, new Error('the consumer threw'));
    else if (action.does === 'stopTask') this.#call(query, action, action.task);
    else if (action.does === 'streamInput') this.#call(query, action, this.#prompts(action.prompt));
    else this.#call(query, action);
    return false;
  }

  #call(query: Query, { does }: HostAction, ...args: unknown[]): void {
    const methods: Methods = query;
    const made = methods[does]
      ? Promise.resolve().then(() => methods[does]?.(...args))
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
      else if ('throw' in step) throw new Error(step.throw);
      else await new Promise(() => {});
    }
    this.record({ event: 'prompts-over' });
  }

  /** Resolves when the consumer has seen the frame. */
  #seenFrame(name: string): Promise<void> {
    if (this.#seen.has(name)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(name, resolve));
  }

  #options(): Record<string, unknown> {
    const { canUseTool, hooks, mcpServers } = this.plan.host;
    return {
      abortController: this.#abortController,
      pathToClaudeCodeExecutable: this.plan.standIn,
      env: { ...process.env, ...this.plan.cliEnv },
      ...this.plan.options,
      ...(canUseTool && {
        canUseTool: (tool: string, input: unknown) =>
          this.#reply<unknown>(`canUseTool ${tool}`, canUseTool, {
            allow: { behavior: 'allow', updatedInput: input },
            deny: { behavior: 'deny', message: 'not today' },
          }),
      }),
      ...(hooks && {
        hooks: Object.fromEntries(
          Object.entries(hooks).map(([event, script]) => [
            event,
            [{ hooks: [() => this.#hookReply(event, script)] }],
          ]),
        ),
      }),
      ...(mcpServers && {
        mcpServers: Object.fromEntries(
          mcpServers.map((name) => {
            const called = (): void => this.record({ event: 'call', name: `mcp ${name}` });
            return [name, { type: 'sdk', name, instance: mcpServer(name, called) }];
          }),
        ),
      }),
    };
  }

  #hookReply(event: string, script: Reply): Promise<unknown> {
    const verdict = {
      hookEventName: event,
      permissionDecision: 'deny',
      permissionDecisionReason: 'not today',
    };
    return this.#reply<unknown>(`hook ${event}`, script, {
      allow: {},
      deny: { hookSpecificOutput: verdict },
    });
  }

  /** Records the call, waits as the script says and answers. */
  async #reply<T>(name: string, { afterMs = 0, does }: Reply, answers: Record<string, T>): Promise<T> {
    this.record({ event: 'call', name });
    if (afterMs > 0) await sleep(afterMs);
    if (does === 'throw') throw new Error(`${name} threw`);
    if (does === 'never') await new Promise(() => {});
    const answer = answers[does];
    if (answer === undefined) throw new Error(`${name} has no answer ${does}`);
    return answer;
  }
}

function userMessage(text: string, fields: Record<string, unknown> = {}): unknown {
  const message = { role: 'user', content: [{ type: 'text', text }] };
  return { type: 'user', message, parent_tool_use_id: null, session_id: '', ...fields };
}
