/**
 * The gate under arbitrary orders of frames and of the host's doings. What must never happen is said by a small
 * model that knows nothing of the gate's own bookkeeping. A failure prints seed and path: run again with
 * HOLDOPEN_SEED and HOLDOPEN_PATH set to them.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type Frame,
  assistantText,
  backgroundTasks,
  init,
  result,
  sessionState,
  taskNotification,
  taskProgress,
  taskStarted,
  taskUpdated,
  toolResult,
  toolUse,
} from '../../src/probe/timeline.ts';
import { type Asked, type Prompt, Session, controlCancel, controlResponse } from '../support/gate-host.ts';

const CEILING = 600_000;
const TERMINAL = ['completed', 'failed', 'killed', 'stopped'];

const { HOLDOPEN_SEED: seed, HOLDOPEN_PATH: path } = process.env;
const runs = (numRuns: number): fc.Parameters<unknown> => ({
  numRuns,
  ...(seed ? { seed: Number(seed) } : {}),
  ...(path ? { path } : {}),
});

type Step =
  | { frame: Frame }
  | { prompt: number }
  | { write: number }
  | { endPrompt: number }
  | { failPrompt: number }
  | { endSingleTurn: true }
  | { ask: string }
  | { answer: number; rejects: boolean }
  | { advance: number }
  | { block: number }
  | { stop: string; agrees: boolean | undefined }
  | { hold: true }
  | { letGo: true };

const id = fc.constantFrom('A', 'B', 'C');
const request = fc.constantFrom('r1', 'r2');
const parent = fc.constantFrom(null, 'tool-A');
const type = fc.constantFrom(
  'local_agent',
  'local_bash',
  'local_workflow',
  'monitor',
) as fc.Arbitrary<'monitor'>;

const mark = fc.oneof(
  fc.constant(undefined),
  id.map((backgroundTaskId) => ({ backgroundTaskId })),
  id.map((agentId) => ({ status: 'async_launched', agentId })),
  id.map((agentId) => ({ status: 'completed', agentId })),
  id.map((taskId) => ({ task_id: taskId, task_type: 'local_bash', message: 'stopped' })),
);

const wellFormed: fc.Arbitrary<Frame> = fc.oneof(
  fc.constant(init()),
  parent.map((from) => assistantText('text', from)),
  id.map((name) => toolUse(`tool-${name}`, 'Agent')),
  fc
    .tuple(id, mark, parent)
    .map(([name, launch, from]) => toolResult(`tool-${name}`, name, { mark: launch, parent: from })),
  fc.constantFrom(0, 1, 2).map((turns) => result({ num_turns: turns })),
  fc.constant(result({ is_error: true, origin: { kind: 'task-notification' } })),
  fc
    .tuple(id, type, fc.constantFrom({}, { is_backgrounded: true }, { is_backgrounded: false }))
    .map(([name, kind, fields]) => taskStarted(name, kind, fields)),
  fc
    .tuple(id, fc.constantFrom(...TERMINAL, 'running', 'paused'))
    .map(([name, status]) => taskUpdated(name, { status })),
  id.map((name) => taskUpdated(name, { is_backgrounded: true })),
  fc
    .tuple(id, fc.constantFrom(...TERMINAL, undefined))
    .map(([name, status]) => ({ ...taskNotification(name), status })),
  id.map(taskProgress),
  fc
    .uniqueArray(fc.record({ id, type, ambient: fc.boolean() }), {
      selector: (task) => task.id,
      maxLength: 3,
    })
    .map((tasks) => backgroundTasks(...tasks)),
  fc.constantFrom('idle', 'running', 'requires_action').map((state) => sessionState(state as 'idle')),
  request.map(controlCancel),
  fc.constantFrom('success', 'error').map((outcome) => controlResponse(outcome as 'success')),
  fc.constant({ type: 'keep_alive' }),
);

const junk = fc.oneof(
  fc.constantFrom(null, '', 0, -1, true, [], {}, [null], [[]], { status: 1 }, 'A', 'tool-A'),
  fc.jsonValue({ maxDepth: 2 }),
);
const types = [
  'system',
  'user',
  'assistant',
  'result',
  'stream_event',
  'control_cancel_request',
  'hm',
  'rate_limit',
];
const subtypes = [
  'init',
  'session_state_changed',
  'background_tasks_changed',
  'task_started',
  'task_updated',
  'task_notification',
  'compact_boundary',
];
const malformed: fc.Arbitrary<Frame> = fc.record(
  {
    type: fc.oneof(fc.constantFrom(...types), junk) as fc.Arbitrary<string>,
    subtype: fc.oneof(fc.constantFrom(...subtypes), junk),
    task_id: junk,
    task_type: junk,
    tool_use_id: junk,
    status: junk,
    patch: junk,
    tasks: junk,
    state: junk,
    message: fc.oneof(junk, fc.record({ content: junk })),
    tool_use_result: junk,
    origin: junk,
    num_turns: junk,
    parent_tool_use_id: junk,
    request_id: junk,
    is_backgrounded: junk,
  },
  { requiredKeys: ['type'] },
);

const hostStep: fc.Arbitrary<Step> = fc.oneof(
  fc.nat(2).map((prompt) => ({ prompt })),
  fc.constant({ write: 1 }),
  fc.nat(3).map((endPrompt) => ({ endPrompt })),
  fc.nat(3).map((failPrompt) => ({ failPrompt })),
  fc.constant({ endSingleTurn: true as const }),
  request.map((ask) => ({ ask })),
  fc.record({ answer: fc.nat(3), rejects: fc.boolean() }),
  fc.constantFrom(1, 30, 200, 1000, 6000, CEILING / 2, CEILING + 1).map((advance) => ({ advance })),
  fc.constantFrom(50, 2000).map((block) => ({ block })),
  fc.record({ stop: id, agrees: fc.constantFrom(true, false, undefined) }),
  fc.constant({ hold: true as const }),
  fc.constant({ letGo: true as const }),
);

const script = (frames: fc.Arbitrary<Frame>): fc.Arbitrary<Step[]> => {
  const frame = frames.map((each): Step => ({ frame: each }));
  const step = fc.oneof({ weight: 3, arbitrary: frame }, { weight: 2, arbitrary: hostStep });
  const anything = fc.array(step, { maxLength: 40 });
  // Most runs begin like this; by chance alone few would come to a hold with a task.
  const turn = fc
    .tuple(fc.array(frame, { maxLength: 8 }), fc.array(step, { maxLength: 12 }))
    .map(([before, after]): Step[] => [
      { prompt: 1 },
      { frame: init() },
      ...before,
      { frame: result() },
      { endPrompt: 0 },
      ...after,
    ]);
  return fc.oneof(anything, turn);
};

const settings = fc.record({ asked: fc.boolean(), needs: fc.constant(true) });

/** Drives a session by steps and keeps book of what may not be lost. */
class World {
  readonly session: Session;
  readonly prompts: Prompt[] = [];
  readonly #asked: { id: string; asked: Asked; done: boolean; counts: boolean }[] = [];
  readonly #holds: (() => void)[] = [];
  /** Tasks of the last set, without those that have ended since. */
  readonly #set = new Set<string>();
  results = 0;
  state = '';
  /** A message was written while no turn was on its way, and no result has come since. */
  #owed = false;
  #turn = false;
  #activity: number;
  left = false;

  constructor(given: { asked: boolean; needs: boolean }) {
    this.session = new Session(given);
    this.#activity = this.session.host.now();
    this.session.endInput = () => this.#mayEnd();
  }

  /** Input was to end: `end` was called. */
  wanted = false;
  fault: string | undefined;

  #mayEnd(): void {
    // Thrown from here it would be taken for a failing transport.
    const { session } = this;
    if (session.ends.length > 1) this.fault = 'input ended twice';
    if (this.left || !session.host.bidirectional) return;
    const quiet = session.host.now() - this.#activity;
    const unanswered = this.#asked.filter(({ done, counts }) => counts && !done).map((each) => each.id);
    if (unanswered.length > 0) this.fault = `ended with ${unanswered.join()} unanswered`;
    if (this.#holds.length > 0) this.fault = 'ended while the host held it';
    if (this.#set.size > 0 && quiet < CEILING) this.fault = `ended with ${[...this.#set].join()} outstanding`;
    if (this.#owed && (this.results === 0 || quiet < 6 * CEILING))
      this.fault = 'ended with a message unanswered';
  }

  async play(step: Step): Promise<void> {
    const { session } = this;
    if ('frame' in step) this.#frame(step.frame);
    else if ('prompt' in step) {
      if (step.prompt > 0) this.#write();
      this.prompts.push(session.prompt(step.prompt));
    } else if ('write' in step) {
      this.#write();
      session.write();
    } else if ('endPrompt' in step) this.#endPrompt(step.endPrompt);
    else if ('failPrompt' in step) this.prompts.splice(step.failPrompt, 1)[0]?.fail();
    else if ('endSingleTurn' in step) {
      this.wanted = true;
      session.endSingleTurn();
    } else if ('ask' in step) {
      const counts = !this.#asked.some((each) => each.id === step.ask && each.counts && !each.done);
      this.#asked.push({ id: step.ask, asked: session.ask(step.ask), done: false, counts });
      this.#activity = session.host.now();
    } else if ('answer' in step) await this.#answer(step.answer, step.rejects);
    else if ('advance' in step) session.advance(step.advance);
    else if ('block' in step) session.host.block(step.block);
    else if ('stop' in step) {
      const stop = session.stop(step.stop);
      if (step.agrees === true) await stop.answer();
      else if (step.agrees === false) await stop.reject(new Error('no such task'));
    } else if ('hold' in step) this.#holds.push(session.gate.hold());
    else this.#letGo();
    this.check();
  }

  check(): void {
    assert.equal(this.fault, undefined);
    if (this.session.ended) assert.deepEqual(this.session.leftovers, { timers: 0, listeners: 0 });
  }

  /** Everything that the host owes is done, in whatever order; then only the CLI can hold. */
  async settleHost(): Promise<void> {
    while (this.prompts.length > 0) this.#endPrompt(0);
    while (this.#asked.some(({ done }) => !done)) await this.#answer(0, false);
    while (this.#holds.length > 0) this.#letGo();
    this.check();
  }

  #endPrompt(index: number): void {
    const [prompt] = this.prompts.splice(index, 1);
    if (!prompt) return;
    this.wanted = true;
    prompt.end();
  }

  #letGo(): void {
    this.#holds.shift()?.();
  }

  #write(): void {
    if (!this.#turn) this.#owed = true;
  }

  async #answer(index: number, rejects: boolean): Promise<void> {
    const open = this.#asked.filter(({ done }) => !done);
    const each = open[index];
    if (!each) return;
    each.done = true;
    if (each.counts) this.#activity = this.session.host.now();
    await (rejects ? each.asked.reject(new Error('handler failed')) : each.asked.answer());
  }

  #frame(frame: Frame): void {
    const { type, subtype, task_id: task } = frame;
    // Most is known before the gate sees the frame, as input may end at it.
    if (type !== 'keep_alive' && type !== 'control_response') this.#activity = this.session.host.now();
    if (type === 'result') {
      this.results += 1;
      this.#owed = this.#turn = false;
    }
    if (type === 'assistant' || type === 'stream_event' || subtype === 'init') this.#turn = true;
    if (type === 'control_cancel_request')
      for (const each of this.#asked) if (each.id === frame['request_id']) each.counts = false;
    if (type === 'system') {
      if (subtype === 'session_state_changed')
        this.state = typeof frame['state'] === 'string' ? frame['state'] : '';
      const patch = frame['patch'] as { status?: unknown } | null | undefined;
      const status = subtype === 'task_updated' ? patch?.status : frame['status'];
      if (
        (subtype === 'task_updated' || subtype === 'task_notification') &&
        TERMINAL.includes(status as string)
      )
        this.#set.delete(task as string);
      if (subtype === 'background_tasks_changed') {
        this.#set.clear();
        for (const each of Array.isArray(frame['tasks']) ? (frame['tasks'] as Record<string, unknown>[]) : [])
          if (typeof each?.['task_id'] === 'string' && each['ambient'] !== true)
            this.#set.add(each['task_id']);
      }
    }
    this.session.send(frame);
  }
}

async function played(given: { asked: boolean; needs: boolean }, steps: Step[]): Promise<World> {
  const world = new World(given);
  for (const step of steps) await world.play(step);
  return world;
}

describe('whatever the order of frames', () => {
  test('input ends at most once, and never while a request, a reported task, a message or the host holds it', () =>
    fc.assert(
      fc.asyncProperty(settings, script(wellFormed), async (given, steps) => {
        await played(given, steps);
      }),
      runs(4000),
    ));

  test('malformed frames throw nothing and lose nothing', () =>
    fc.assert(
      fc.asyncProperty(
        settings,
        script(fc.oneof({ weight: 2, arbitrary: malformed }, { weight: 1, arbitrary: wellFormed })),
        async (given, steps) => {
          await played(given, steps);
        },
      ),
      runs(3000),
    ));

  test('a quiet CLI never holds for ever, nor does any frame order make it', () =>
    fc.assert(
      fc.asyncProperty(
        settings,
        script(fc.oneof({ weight: 5, arbitrary: wellFormed }, { weight: 1, arbitrary: malformed })),
        async (given, steps) => {
          const world = await played(given, steps);
          await world.settleHost();
          // Stock waits for the first result without a limit, and a human may take for ever.
          if (world.results === 0) await world.play({ frame: result() });
          if (world.state === 'requires_action') await world.play({ frame: sessionState('running') });
          world.session.advance(7 * CEILING);
          world.check();
          assert.equal(world.session.ended, world.wanted);
          assert.ok(world.session.host.warnings.length <= 2);
        },
      ),
      runs(3000),
    ));

  for (const way of ['close', 'abort', 'needs'] as const)
    test(`leaving at any point ends a hold at once and leaves nothing: ${way}`, () =>
      fc.assert(
        fc.asyncProperty(settings, script(wellFormed), async (given, steps) => {
          const world = await played(given, steps);
          const { session } = world;
          const before = session.ends.length;
          world.left = true;
          if (way === 'close') session.gate.close('closed');
          else if (way === 'abort') session.host.happens('aborted');
          else {
            session.host.bidirectional = false;
            session.send(taskProgress('A'));
          }
          assert.equal(session.ended, world.wanted);
          assert.deepEqual(session.leftovers, { timers: 0, listeners: 0 });
          if (before > 0) assert.equal(session.ends.length, before);
          world.check();
          if (way === 'abort') return;
          while (world.prompts.length > 0) await world.play({ endPrompt: 0 });
          assert.equal(session.ended, world.wanted);
          assert.deepEqual(session.leftovers, { timers: 0, listeners: 0 });
        }),
        runs(2000),
      ));
});

describe('a plain run', () => {
  const middle = fc.array(
    fc.oneof(
      fc.constant(assistantText('text')),
      fc.constant({ type: 'stream_event', event: {}, parent_tool_use_id: null }),
      fc.constant({ type: 'rate_limit_event' }),
      fc.constant({ type: 'keep_alive' }),
      fc.constant(toolUse('tool-1', 'Bash')),
      fc.constant(toolResult('tool-1', 'ok', { mark: { stdout: 'ok', stderr: '' } })),
    ),
    { maxLength: 8 },
  );
  const turn = fc.record({
    middle,
    /** A foreground subagent: whether it is told, and with its end or without. */
    foreground: fc.constantFrom('none', 'silent', 'late', 'whole'),
    states: fc.boolean(),
    error: fc.boolean(),
    asks: fc.boolean(),
  });
  type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

  const foreground = (how: Turn['foreground'], name: string): Frame[] => {
    const done = toolResult(`tool-${name}`, 'done', { mark: { status: 'completed', agentId: name } });
    const call = toolUse(`tool-${name}`, 'Agent');
    const end = [taskUpdated(name, { status: 'completed' }), taskNotification(name)];
    if (how === 'none') return [];
    if (how === 'silent') return [call, taskStarted(name), done];
    if (how === 'late') return [call, done, taskStarted(name)];
    return [call, taskStarted(name, 'local_agent', { is_backgrounded: false }), ...end, done];
  };

  test('ends at its last result and not a moment later, whichever comes first: result or end of the stream', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('before init', 'before the result', 'after the result', 'string'),
        async (turns, streamEnds) => {
          const session = new Session({ asked: true });
          const prompt = streamEnds === 'string' ? undefined : session.prompt(0);
          for (const [n, each] of turns.entries()) {
            const last = n === turns.length - 1;
            if (prompt) session.write();
            if (last && streamEnds === 'before init') prompt?.end();
            if (each.states) session.send(sessionState('running'));
            session.send(init(), ...each.middle, ...foreground(each.foreground, `F${n}`));
            if (each.asks) await session.ask(`r${n}`).answer();
            if (last && streamEnds === 'before the result') prompt?.end();
            assert.equal(session.ended, false);
            session.advance(1000);
            session.send(result(each.error ? { is_error: true, subtype: 'error_during_execution' } : {}));
            if (last && streamEnds === 'after the result') prompt?.end();
            if (last && streamEnds === 'string') session.endSingleTurn();
            assert.equal(session.ended, last);
            if (each.states) session.send(sessionState('idle'));
            session.advance(50);
          }
          assert.equal(session.ends.length, 1);
          assert.deepEqual(session.leftovers, { timers: 0, listeners: 0 });
        },
      ),
      runs(2000),
    ));
});
