/** Each rule of the gate switched off alone: a test that has a name must turn red. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

interface Mutation {
  rule: string;
  what: string;
  file: 'gate.ts' | 'gate/ledger.ts' | 'gate/news.ts';
  /** Stands in the file exactly once. */
  from: string;
  to: string;
}

const inFile =
  (file: Mutation['file']) =>
  (rule: string, what: string, from: string, to: string): Mutation => ({ rule, what, file, from, to });
const gate = inFile('gate.ts');
const ledger = inFile('gate/ledger.ts');
const news = inFile('gate/news.ts');

const mutations: Mutation[] = [
  gate('G1', 'outstanding tasks do not hold', 'if (running.length)', 'if (false)'),
  gate('G1', 'a turn in flight does not hold', 'if (owed || turn)\n', 'if (false)\n'),
  gate('G1', 'a queued message does not hold', 'if (queued) {', 'if (false) {'),
  gate(
    'G1',
    'news of a task do not hold',
    'for (const until of news.until())',
    'for (const until of [] as number[])',
  ),
  gate('G1', 'an unanswered request does not hold', 'if (unanswered.length)', 'if (false)'),
  gate('G1', 'session state does not hold', "if (state && state !== 'idle' &&", 'if (false &&'),
  gate('G1', 'an open prompt stream does not hold', 'if (streams.size)', 'if (false)'),
  gate('G1', 'no callbacks, and yet it holds', 'closed || !host.needs() ? []', 'closed ? []'),
  ledger('G2', 'the reported set is not read', 'return setChanged(frame);', 'return;'),
  ledger('G2', 'ambient tasks hold', 'item.ambient === true', 'false'),
  ledger(
    'G2',
    'launch marks are not read',
    'const shell = text(mark.backgroundTaskId);',
    "const shell = '';",
  ),
  ledger(
    'G2',
    'a tool_result does not end a foreground task',
    'if (task.tool !== tool || task.background) continue;',
    'if (task.tool !== tool || task) continue;',
  ),
  ledger('G2', 'killed is not the end of a task', 'failed|killed|', 'failed|'),
  gate(
    'G2',
    'error results are no results',
    "if (type === 'result')",
    "if (type === 'result' && !frame.is_error)",
  ),
  ledger('G2', 'a late frame of an earlier run counts', 'run !== current(id)?.run;', 'false;'),
  ledger(
    'G2',
    'news of a task that nobody told of do not count',
    'const stranger = notified ?',
    'const stranger = false ?',
  ),
  gate('G3', 'a call that the CLI gave up is waited for', 'forgetCancelledCall(frame);', ''),
  gate('G3', 'no ceiling', 'const quiet = lastFrame + limit;', 'const quiet = Infinity;'),
  gate('G3', 'closing does not release', 'closed ||= cause;', ''),
  gate('G3', 'abort and end of stdout are not watched', 'unwatch = host.watch(release);', ''),
  gate('G3', 'input may end twice', 'if (ended || pending) return;', 'if (pending) return;'),
  gate('G3', 'a human has no time for ever', "state === 'requires_action' ? Infinity : quiet", 'quiet'),
  news(
    'G3',
    'a wake that never comes is waited for without a limit',
    'export const MAYBE_MS = 900;',
    'export const MAYBE_MS = 1e9;',
  ),
  gate('G3b', 'HOLDOPEN_HOLD is not read', '!agentsOnly() || !SHELL', 'true || !SHELL'),
  gate(
    'G4',
    'state that only the gate asked for always counts',
    '(ledger.sawBackground() || !host.asked())',
    'true',
  ),
  news(
    'G4',
    'a bare idle does not shorten the wait',
    'item.until = Math.min(item.until, now() + more);',
    'void more;',
  ),
  gate(
    'G5',
    'the consumer sees what it did not ask for',
    "'session_state_changed' && host.asked();",
    "'session_state_changed' && false;",
  ),
  gate('G6', 'holdInput() does not hold', 'if (holds.size)', 'if (false)'),
  gate(
    'G7',
    'the ceiling is not warned of',
    "host.warn(\n        'HOLDOPEN_CEILING',",
    "String(\n        'HOLDOPEN_CEILING' +",
  ),
  gate('G7', 'a loss is not warned of', 'lossSaid = true;\n    const', 'return;\n    const'),
];

const repository = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'holdopen-mutations-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The gate with its tests, and room for one change. */
function copy(name: string): string {
  const root = join(folder, name);
  mkdirSync(root);
  for (const path of [
    'package.json',
    'tsconfig.json',
    'src/patch',
    'src/probe',
    'test/patch',
    'test/support',
  ]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(repository, path), join(root, path), { recursive: true });
  }
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** Names of the tests of the gate that fail in a copy. */
function failures(root: string): Promise<string[]> {
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  const args = [
    '--import',
    'tsx',
    '--test',
    '--test-reporter=tap',
    'test/patch/gate.test.ts',
    'test/patch/gate-cases.test.ts',
    'test/patch/gate-odd.test.ts',
  ];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: root, env, maxBuffer: 2 ** 26 }, (error, stdout) => {
      if (!/^# tests [1-9]/m.test(stdout)) return reject(error ?? new Error(`no test ran: ${stdout}`));
      // Suites and files fail with their tests; only tests count.
      const names = [...stdout.matchAll(/^ +not ok \d+ - (.*)\n +---\n(?: +.*\n)*? +failureType: '(\w+)'/gm)];
      resolve(names.flatMap(([, name = '', type]) => (type === 'testCodeFailure' ? [name] : [])));
    });
  });
}

describe('a gate without one of its rules', { concurrency: 2 }, () => {
  test('with all of them every test passes', async () => {
    assert.deepEqual(await failures(copy('whole')), []);
  });

  for (const [n, { rule, what, file, from, to }] of mutations.entries())
    test(`${rule}: ${what}`, async (t) => {
      const root = copy(String(n));
      const path = join(root, 'src/patch', file);
      const [before, behind, ...more] = readFileSync(path, 'utf8').split(from);
      assert.ok(
        before !== undefined && behind !== undefined && more.length === 0,
        `not once in ${file}: ${from}`,
      );
      writeFileSync(path, before + to + behind);
      const red = await failures(root);
      assert.ok(red.length > 0, 'no test noticed');
      t.diagnostic(`${red.length} red, as: ${red[0] ?? ''}`);
    });
});
