import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Frame,
  type Step,
  canUseTool,
  hookCallback,
  init,
  mcpToolCall,
  result,
  send,
  sessionState,
} from '../../src/probe/timeline.ts';
import { type DriveRecord, type HostScript, driveFixture } from '../support/drive-fixture.ts';
import { fixturePath } from '../support/fixtures.ts';
import { outlivesTurn, plainTurn } from '../support/timelines.ts';

const path = (name: string): string => fixturePath(`${name}.mjs`);
const asks: HostScript = { canUseTool: { does: 'allow' } };

interface Family {
  name: string;
  host: HostScript;
  request: Step;
  /**
   * How long silence lasts where it ends input, in ms. An iterable lasts until the result, and its silence begins there;
   * a string's begins with the run, so it must outlast the start of a process.
   */
  silence?: { iterable: number; string: number };
  endsAfter: 'result#1' | 'idle#1';
}

const families: Family[] = [
  {
    name: 'timed-race',
    host: { mcpServers: ['desk'] },
    request: mcpToolCall('r1', 'desk', 'look'),
    endsAfter: 'result#1',
  },
  {
    name: 'timed-race-hooks',
    host: { hooks: { PreToolUse: { does: 'deny' } } },
    request: hookCallback('r1', 'PreToolUse'),
    endsAfter: 'result#1',
  },
  {
    name: 'inactivity',
    host: asks,
    request: canUseTool('r1'),
    silence: { iterable: 200, string: 4000 },
    endsAfter: 'result#1',
  },
  { name: 'first-result', host: asks, request: canUseTool('r1'), endsAfter: 'result#1' },
  { name: 'first-result-mirror', host: asks, request: canUseTool('r1'), endsAfter: 'result#1' },
  { name: 'run-end', host: asks, request: canUseTool('r1'), endsAfter: 'idle#1' },
  { name: 'run-end-prompt-hold', host: asks, request: canUseTool('r1'), endsAfter: 'idle#1' },
];

/** The run came to its end by itself and in order. */
function assertEnded(record: DriveRecord): void {
  assert.deepEqual(
    { ended: record.ended, hung: record.hung, exit: record.cliExit, uncaught: record.uncaught },
    { ended: 'done', hung: false, exit: 0, uncaught: [] },
  );
}

function assertLost(record: DriveRecord, endsAfter: string): void {
  assertEnded(record);
  assert.equal(record.stdinEndedAfter, endsAfter);
  assert.deepEqual(record.served, []);
  assert.deepEqual(
    record.lost.map(({ id, when }) => [id, when]),
    [['r1', 'after-end']],
  );
  assert.deepEqual(record.calls, []);
}

describe('stock fixtures', { concurrency: 2 }, () => {
  for (const { name, host, request, silence, endsAfter } of families) {
    for (const form of ['src', 'esbuild']) {
      const bundle = form === 'src' ? path(`src/${name}`) : path(`dist/${name}.${form}`);
      const isRunEnd = endsAfter === 'idle#1';
      const outlives = outlivesTurn(request, { idles: isRunEnd });
      const quiet = (ms = 0) => ({ CLAUDE_CODE_STREAM_CLOSE_TIMEOUT: silence ? String(ms) : '' });
      const iterable = {
        prompt: [{ say: 'Begin.' }, ...(silence ? [{ until: 'result#1' }] : [])],
        env: quiet(silence?.iterable),
      };
      const string = { prompt: 'Begin.', env: quiet(silence?.string) };

      describe(`${name} (${form})`, { concurrency: 1 }, () => {
        test('P1 a plain turn is served and ends', async () => {
          const record = await driveFixture({ bundle, host, ...iterable, timeline: plainTurn(request) });
          assertEnded(record);
          assert.equal(record.stdinEndedAfter, endsAfter);
          assert.deepEqual(record.lost, []);
          assert.deepEqual(
            record.served.map(({ id, ok }) => [id, ok]),
            [['r1', true]],
          );
          assert.equal(record.calls.length, 1);
          assert.deepEqual(record.labels, ['init#1', 'assistant#1', 'user#1', 'assistant#2', 'result#1']);
        });

        const situation = isRunEnd ? 'S13 a background shell' : 'S1 a subagent';
        test(`${situation} outlives the turn: what is asked then is lost`, async () => {
          assertLost(await driveFixture({ bundle, host, ...iterable, timeline: outlives }), endsAfter);
        });

        test(`S2 the same with a string prompt`, async () => {
          assertLost(await driveFixture({ bundle, host, ...string, timeline: outlives }), endsAfter);
        });

        if (isRunEnd) {
          test('S1 a subagent is waited for while the session is not idle', async () => {
            const timeline = outlivesTurn(request, { withinMs: 200 });
            const record = await driveFixture({ bundle, host, ...iterable, timeline });
            assertEnded(record);
            assert.deepEqual([record.served.length, record.lost.length], [1, 0]);
          });

          test('S1 is lost where the CLI reports no session state', async () => {
            const timeline = { ...outlivesTurn(request), sessionState: 'never' as const };
            assertLost(await driveFixture({ bundle, host, ...iterable, timeline }), 'result#1');
          });
        }
      });
    }
  }
});

describe('web-transport', () => {
  for (const name of ['src/web-transport', 'dist/web-transport.esbuild']) {
    test(`${name} answers after the result, since nothing there ends input`, async () => {
      interface Socket {
        onmessage?: (event: { data: string }) => void;
        onclose?: () => void;
        send: (text: string) => void;
        close: () => void;
      }
      const answers: unknown[] = [];
      const socket: Socket = {
        send(text) {
          const frame = JSON.parse(text) as { type: string; response?: unknown };
          if (frame.type === 'control_response') answers.push(frame.response);
        },
        close() {},
      };
      const { query } = (await import(path(name))) as { query: (input: unknown) => AsyncGenerator<Frame> };
      async function* prompt() {
        yield await Promise.resolve({ type: 'user', message: { role: 'user', content: 'Begin.' } });
      }
      const run = query({ prompt: prompt(), options: { socket, canUseTool: () => ({ behavior: 'allow' }) } });
      const take = (frame: object): void => socket.onmessage?.({ data: `${JSON.stringify(frame)}\n` });
      take(result());
      assert.deepEqual(await run.next(), { value: result(), done: false });
      take({
        type: 'control_request',
        request_id: 'r1',
        request: { subtype: 'can_use_tool', tool_name: 'Bash' },
      });
      take(init());
      assert.deepEqual(await run.next(), { value: init(), done: false });
      await new Promise(setImmediate);
      assert.deepEqual(answers, [{ subtype: 'success', request_id: 'r1', response: { behavior: 'allow' } }]);
      socket.onclose?.();
      assert.equal((await run.next()).done, true);
    });
  }
});

describe('the stand-in', { concurrency: 2 }, () => {
  const bundle = path('src/first-result-mirror');

  test('loses a request that is unanswered when stdin ends, and says so to the model', async () => {
    const steps: Step[] = [
      { expect: 'user' },
      ...send(init()),
      { ...canUseTool('r1'), awaitResponse: false },
      ...send(result()),
      { awaitResponse: 'r1' },
    ];
    const record = await driveFixture({
      bundle,
      host: { canUseTool: { does: 'never' } },
      timeline: { steps },
    });
    assertEnded(record);
    assert.deepEqual(record.lost, [{ id: 'r1', subtype: 'can_use_tool', when: 'unanswered' }]);
    assert.match(
      JSON.stringify(record.frames.at(-1)),
      /"tool_use_id":"tool-r1".*Stream closed.*"is_error":true/,
    );
  });

  test('records what the host answered, also a deny and an error', async () => {
    const steps: Step[] = [
      { expect: 'user' },
      hookCallback('h1', 'PreToolUse'),
      canUseTool('r1'),
      mcpToolCall('m1', 'desk', 'look'),
      ...send(result()),
    ];
    const host: HostScript = {
      hooks: { PostToolUse: { does: 'allow' }, PreToolUse: { does: 'deny' } },
      canUseTool: { does: 'throw' },
      mcpServers: ['desk'],
    };
    const { served, calls } = await driveFixture({ bundle, host, timeline: { steps } });
    assert.deepEqual(calls, ['hook PreToolUse', 'canUseTool Bash', 'mcp desk']);
    assert.deepEqual(
      served.map(({ id, ok }) => [id, ok]),
      [
        ['h1', true],
        ['r1', false],
        ['m1', true],
      ],
    );
    const [hook, permission, message] = served.map(({ response }) => JSON.stringify(response));
    assert.match(hook ?? '', /"permissionDecision":"deny"/);
    assert.equal(permission, '"canUseTool Bash threw"');
    assert.match(message ?? '', /"mcp_response":\{.*"id":"rpc-m1"/);
  });

  test('takes a request back', async () => {
    const steps: Step[] = [
      { expect: 'user' },
      { ...canUseTool('r1'), awaitResponse: false },
      { cancel: 'r1' },
      { awaitResponse: 'r1' },
      ...send(result()),
    ];
    const record = await driveFixture({
      bundle,
      host: { canUseTool: { does: 'never' } },
      timeline: { steps },
    });
    assertEnded(record);
    assert.deepEqual([record.served, record.lost], [[], []]);
    assert.ok(record.log.some((entry) => entry.event === 'cancelled' && entry.id === 'r1'));
  });

  test('answers the requests of the host', async () => {
    const steps: Step[] = [
      { expect: 'user' },
      ...send(init()),
      { expect: 'control_request', subtype: 'stop_task' },
      ...send(result()),
    ];
    const host: HostScript = { ...asks, actions: [{ at: 'init#1', does: 'stopTask', task: 'A' }] };
    const record = await driveFixture({ bundle, host, timeline: { steps } });
    assertEnded(record);
    assert.deepEqual(record.actions, [{ does: 'stopTask', ok: true }]);
    assert.ok(record.log.some((entry) => entry.event === 'asked' && entry.request['task_id'] === 'A'));
  });

  test('holds the answer to initialize back until its step', async () => {
    const steps: Step[] = [
      { pause: 300 },
      { answer: 'initialize' },
      { expect: 'user' },
      ...send(init(), result()),
    ];
    const timeline = { steps, initialize: 'step' as const };
    const late = path('src/run-end-prompt-hold');
    const record = await driveFixture({ bundle: late, options: { holdPrompts: true }, timeline });
    assertEnded(record);
    const at = (event: string): number => record.log.find((entry) => entry.event === event)?.at ?? Number.NaN;
    assert.ok(at('user') - at('start') >= 300, 'the prompt was written before initialize was answered');
  });

  test('reports session states only to those who ask', async () => {
    const timeline = {
      steps: [{ expect: 'user' } as const, ...send(init(), result(), sessionState('idle'))],
    };
    const silent = await driveFixture({ bundle, timeline });
    assert.deepEqual(silent.labels, ['init#1', 'result#1']);
    const asked = await driveFixture({
      bundle,
      timeline,
      cliEnv: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
    });
    assert.deepEqual(asked.labels, ['init#1', 'result#1', 'idle#1']);
  });

  test('stops where the host can no longer do what is expected', async () => {
    const steps: Step[] = [{ expect: 'user', count: 2 }, ...send(init())];
    const record = await driveFixture({ bundle, host: {}, timeline: { steps } });
    assertEnded(record);
    assert.deepEqual(record.labels, []);
    assert.ok(record.log.some((entry) => entry.event === 'unmet'));
  });

  test('leaves with a code, or closes stdout alone', async () => {
    const left = await driveFixture({ bundle, timeline: { steps: [{ expect: 'user' }, { exit: 7 }] } });
    assert.deepEqual([left.ended, left.cliExit], ['threw', 7]);
    const steps: Step[] = [{ expect: 'user' }, ...send(init()), { closeStdout: true }, ...send(result())];
    const closed = await driveFixture({
      bundle,
      timeline: { steps },
      prompt: [{ say: 'Begin.' }, { park: true }],
      deadlineMs: 1500,
    });
    assert.deepEqual([closed.labels, closed.hung], [['init#1'], true]);
  });
});

describe('driveFixture', { concurrency: 2 }, () => {
  const bundle = path('src/first-result-mirror');
  const isAlive = (pid: number): boolean => {
    try {
      // A killed process is a zombie until its parent has waited for it.
      process.kill(pid, 0);
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };

  test('ends a run that hangs and leaves no process behind', async () => {
    const prompt = [{ say: 'Begin.' }, { park: true as const }];
    const record = await driveFixture({ bundle, prompt, timeline: plainTurn(), deadlineMs: 1500 });
    assert.deepEqual([record.hung, record.ended, record.stdinEndedAfter], [true, undefined, undefined]);
    assert.deepEqual(record.labels.at(-1), 'result#1');
    const start = record.log.find((entry) => entry.event === 'start');
    assert.ok(start?.event === 'start');
    // Killed it is, but on a busy machine the kernel takes its time.
    const soon = Date.now() + 2000;
    while (isAlive(start.pid) && Date.now() < soon) await sleep(10);
    assert.ok(!isAlive(start.pid), 'the CLI is still there');
  });

  test('tells how the consumer left and how long the host stayed', async () => {
    const host: HostScript = { ...asks, actions: [{ at: 'init#1', does: 'break' }] };
    // Still at work when stdin ends: only the signal that follows makes it leave.
    const steps: Step[] = [{ expect: 'user' }, ...send(init()), { pause: 60_000 }];
    const record = await driveFixture({ bundle, host, timeline: { steps }, lingerMs: 4000 });
    assert.deepEqual([record.ended, record.labels, record.hung], ['left', ['init#1'], false]);
    assert.ok(record.hostLeftAfterMs !== undefined && record.hostLeftAfterMs < 4000);
    assert.equal(record.cliExit, 143);
  });

  test('plays the prompts of the script', async () => {
    const prompt = [
      { say: 'One.' },
      { until: 'init#1' },
      { pause: 20 },
      { say: 'Two.', fields: { shouldQuery: false } },
    ];
    const steps: Step[] = [{ expect: 'user' }, ...send(init()), { expect: 'user' }, ...send(result())];
    const record = await driveFixture({ bundle, prompt, timeline: { steps } });
    assertEnded(record);
    const users = record.log.flatMap((entry) =>
      entry.event === 'user' ? [JSON.stringify(entry.message)] : [],
    );
    assert.match(users.join('\n'), /^.*"One\.".*\n.*"Two\.".*"shouldQuery":false.*$/);
  });

  test('rejects a bundle that cannot be imported', async () => {
    await assert.rejects(
      driveFixture({ bundle: path('dist/absent'), timeline: plainTurn() }),
      /cannot be driven.*absent/s,
    );
  });
});
