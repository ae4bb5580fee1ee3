// The fault as it was reported, and what a patch must leave alone, on real releases with their real CLI.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { bundleOf, disposeBundles, type Gate } from './bundles.ts';
import { drive, type DriveOptions, type Run } from './drive.ts';
import { isResult, isSubagentAnswer, lanes } from './lanes.ts';
import { conversations, fail, launch, once, say, shell, type Step, use } from './messages-api.ts';

type Play = Omit<DriveOptions, 'sdk' | 'script' | 'prompt'> & {
  script: Record<string, Step[]>;
  prompt?: 'iterable' | 'string';
};

after(disposeBundles);

async function play(version: string, gate: Gate, { script, prompt, ...rest }: Play): Promise<Run> {
  return await drive({
    sdk: await bundleOf(version, gate),
    script: conversations(script),
    prompt: prompt === 'string' ? '[[main]] go' : [{ say: '[[main]] go' }],
    callbacks: { canUseTool: { behavior: 'allow' } },
    deadline: 120_000,
    ...rest,
  });
}

const read = (path: string, id: string): ReturnType<typeof use> => use('Read', { file_path: path }, id);

/** A background subagent reads a file while the turn runs, and another one when the turn is over. */
const seed: Record<string, Step[]> = {
  main: [launch('A', { background: true }), once(isSubagentAnswer, say('launched')), say('end')],
  A: [
    read('/etc/hostname', 'toolu_first'),
    once(isResult, read('/etc/os-release', 'toolu_second'), { settle: 200 }),
    say('A is done'),
  ],
};

/** A background shell that ends when the turn is over; the turn that its end starts reads a file. */
const wokenByShell: Play = {
  script: {
    main: [
      shell('for i in $(seq 400); do [ -e over ] && break; sleep 0.05; done', { background: true }),
      say('launched'),
      read('/etc/os-release', 'toolu_second'),
      say('end'),
    ],
  },
  actions: [{ on: { event: 'frame', frame: { type: 'result' } }, do: 'signal', file: 'over', afterMs: 200 }],
};

/** The tool calls that the host was asked for; whether a shell is one of them differs between releases. */
const asked = ({ timeline }: Run): string[] =>
  timeline.flatMap(({ event, toolUseID }) =>
    event === 'canUseTool' && /first|second/.test(String(toolUseID)) ? [String(toolUseID)] : [],
  );

const refused = ({ timeline }: Run, id: string): string | undefined =>
  timeline
    .flatMap(({ toolResults }) => (toolResults as { id: string; text: string; isError: boolean }[]) ?? [])
    .find((result) => result.id === id && result.isError)?.text;

function endedByItself(run: Run): void {
  assert.equal(run.hung, false, 'the run hung');
  assert.deepEqual([run.exitCode, run.cliExit?.code], [0, 0], run.stderr);
  assert.deepEqual(run.left, [], 'processes were left behind');
}

function sameAsStock(patched: Run, stock: Run, results?: number): void {
  assert.deepEqual(lanes(patched, results), lanes(stock, results));
  const states = patched.frames.filter(({ subtype }) => subtype === 'session_state_changed');
  assert.deepEqual(states, [], 'state frames that nobody asked for');
}

function served(run: Run, ids: string[]): void {
  endedByItself(run);
  assert.deepEqual(asked(run), ids);
  assert.deepEqual(run.streamClosed, []);
  for (const id of ids) assert.equal(refused(run, id), undefined);
}

describe('the seed case', { concurrency: 2 }, () => {
  for (const version of ['0.3.205', '0.3.209', '0.3.332'])
    for (const prompt of ['iterable', 'string'] as const) {
      test(`${version}, ${prompt} prompt: a background subagent asks after the turn`, async () => {
        const stock = await play(version, 'stock', { script: seed, prompt });
        const patched = await play(version, 'patched', { script: seed, prompt });
        if (version === '0.3.332') served(stock, ['toolu_first', 'toolu_second']);
        else {
          assert.match(refused(stock, 'toolu_second') ?? 'it was not refused', /stream closed/i);
          assert.deepEqual(asked(stock), ['toolu_first']);
        }
        served(patched, ['toolu_first', 'toolu_second']);
        sameAsStock(patched, stock, version === '0.3.332' ? undefined : 1);
      });

      test(`${version}, ${prompt} prompt: the turn that a shell's end starts asks`, async () => {
        const stock = await play(version, 'stock', { ...wokenByShell, prompt });
        const patched = await play(version, 'patched', { ...wokenByShell, prompt });
        assert.match(refused(stock, 'toolu_second') ?? 'it was not refused', /stream closed/i);
        served(patched, ['toolu_second']);
        sameAsStock(patched, stock, 1);
      });
    }
});

/** Turns with nothing in the background. The last tool call is what a patch would wait for in vain. */
const plain: Record<string, Record<string, Step[]>> = {
  'a plain turn': { main: [say('hi')] },
  'a subagent in the foreground': {
    main: [shell('echo short'), launch('A', { background: false }), say('end')],
    A: [shell('echo a'), say('A is done')],
  },
  'a long shell in the foreground': { main: [shell('for i in 1 2 3 4; do sleep 1; done'), say('end')] },
  'a model error': { main: [fail(400, 'invalid_request_error'), fail(400, 'invalid_request_error')] },
};

/** Between the last result and the end of input. */
const delay = (run: Run): number => {
  const last = run.frames.findLast(({ type }) => type === 'result');
  assert.ok(last && run.stdinEndedAt !== undefined, 'no result, or input was not ended');
  return run.stdinEndedAt - last.t;
};

/** Far more than the same frame takes on a busy machine, and far less than any wait of the gate. */
const NO_WAIT_MS = 300;

describe('without background work', { concurrency: 2 }, () => {
  for (const version of ['0.2.50', '0.2.112', '0.3.205', '0.3.332'])
    for (const [name, script] of Object.entries(plain))
      test(`${version}: ${name} is and ends as in stock`, async () => {
        const stock = await play(version, 'stock', { script });
        const patched = await play(version, 'patched', { script });
        assert.ok(!patched.hung && !stock.hung, 'a run hung');
        sameAsStock(patched, stock);
        assert.deepEqual(
          [patched.exitCode, patched.cliExit?.code, patched.left],
          [stock.exitCode, stock.cliExit?.code, []],
        );
        const late = delay(patched) - delay(stock);
        assert.ok(late < NO_WAIT_MS, `input ended ${Math.round(late)} ms later than in stock`);
      });
});
