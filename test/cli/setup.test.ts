import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { readScripts, setScript } from '../../src/cli/package-scripts.ts';
import { runsPatch, withPatch, withoutPatch } from '../../src/cli/setup-command.ts';
import { runCli } from '../support/child.ts';
import { link, makeTree, mode } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';

const dev = '"devDependencies": { "holdopen": "1" }';

async function setup(
  t: TestContext,
  tree: Tree,
  ...args: string[]
): Promise<{ cwd: string; code: number | null; stdout: string; stderr: string; text: string }> {
  const cwd = makeTree(t, tree);
  const run = await runCli(['setup', ...args], { cwd });
  return { cwd, ...run, text: readFileSync(join(cwd, 'package.json'), 'utf8') };
}

describe('setup', { concurrency: 2 }, () => {
  it('adds both scripts of npm and changes nothing else; again it has nothing to do; --remove gives the bytes back', async (t) => {
    const texts = [
      `{\n  "name": "a",\n  "scripts": {\n    "test": "t"\n  },\n  ${dev}\n}\n`,
      `\uFEFF{\r\n\t"scripts": {\r\n\t\t"b": "ü",\r\n\t\t"a": "2"\r\n\t},\r\n\t"x": [1,  2],\r\n\t${dev}\r\n}`,
      `{ "name": "a", ${dev} }`,
      `{"name":"a","scripts":{"test":"t"},${dev}}`,
      `{\n    "name": "a",\n    ${dev}\n}\n\n`,
    ];
    for (const before of texts) {
      const first = await setup(t, { 'package.json': before });
      assert.deepEqual([first.code, first.stderr], [0, ''], first.text);
      const { scripts, ...rest } = JSON.parse(first.text.replace('\uFEFF', '')) as {
        scripts: Record<string, string>;
      };
      assert.equal(scripts.postinstall, 'holdopen patch');
      assert.equal(scripts.dependencies, 'holdopen patch');
      assert.equal(first.text.includes('\r\n'), before.includes('\r\n'));
      assert.doesNotMatch(first.text.replaceAll('\r\n', ''), /\r/);
      if (before.includes('\r\n')) assert.doesNotMatch(first.text.replaceAll('\r\n', ''), /\n/);
      const old = JSON.parse(before.replace('\uFEFF', '')) as Record<string, unknown>;
      assert.deepEqual(
        Object.keys({ ...old, scripts: 0 }),
        Object.keys(JSON.parse(first.text.replace('\uFEFF', '')) as object),
      );
      assert.deepEqual({ ...rest, scripts: undefined }, { ...old, scripts: undefined });
      assert.match(
        first.stdout,
        /package\.json\n {2}added to "postinstall": holdopen patch\n {2}added to "dependencies": /,
      );

      const again = await runCli(['setup'], { cwd: first.cwd });
      assert.match(again.stdout, /"postinstall" runs the patch already/);
      assert.equal(readFileSync(join(first.cwd, 'package.json'), 'utf8'), first.text);
      const removed = await runCli(['setup', '--remove'], { cwd: first.cwd });
      assert.deepEqual([removed.code, removed.stderr], [0, '']);
      assert.equal(readFileSync(join(first.cwd, 'package.json'), 'utf8'), before);
      assert.deepEqual(readdirSync(first.cwd), ['package.json']);
    }
  });

  it('keeps the indentation of the file', async (t) => {
    const { text } = await setup(t, { 'package.json': `{\n\t"name": "a",\n\t${dev}\n}\n` });
    assert.equal(
      text,
      `{\n\t"name": "a",\n\t${dev},\n\t"scripts": {\n\t\t"postinstall": "holdopen patch",\n\t\t"dependencies": "holdopen patch"\n\t}\n}\n`,
    );
  });

  it('chains onto what is there, and takes only its own part out', async (t) => {
    const before = `{\n  "scripts": {\n    "postinstall": "patch-package"\n  }\n}\n`;
    const { cwd, text } = await setup(t, { 'package.json': before });
    assert.equal(readScripts(text).scripts.get('postinstall'), 'patch-package && holdopen patch');
    await runCli(['setup', '--remove'], { cwd });
    assert.equal(readFileSync(join(cwd, 'package.json'), 'utf8'), before);
  });

  it('checks without changing', async (t) => {
    const tree = { 'package.json': `{ "scripts": { "postinstall": "holdopen patch" } }` };
    const run = await setup(t, tree, '--check');
    assert.deepEqual([run.code, run.text], [1, tree['package.json']]);
    assert.match(run.stdout, /"dependencies" do not run "holdopen patch"\. Next: npx holdopen setup\n$/);
    await runCli(['setup'], { cwd: run.cwd });
    assert.equal((await runCli(['setup', '--check'], { cwd: run.cwd })).code, 0);
    assert.equal((await runCli(['setup', '--check', '--remove'], { cwd: run.cwd })).code, 2);
  });

  it('wires what the package manager runs, and says what it does not', async (t) => {
    const managers: [Tree, string[], RegExp][] = [
      [{ 'pnpm-lock.yaml': '' }, ['postinstall'], /pnpm runs no script .* pnpm add --save-dev holdopen/s],
      [{ 'yarn.lock': '' }, ['postinstall'], /Next: yarn add --dev holdopen/],
      [{ 'bun.lock': '' }, ['postinstall'], /Next: bun add --dev holdopen/],
      [{ 'package-lock.json': '' }, ['postinstall', 'dependencies'], /Next: npm install --save-dev holdopen/],
    ];
    for (const [files, scripts, note] of managers) {
      const run = await setup(t, { 'package.json': '{}', ...files });
      assert.deepEqual([...readScripts(run.text).scripts.keys()], scripts);
      assert.match(run.stdout, note);
    }
    const named = await setup(t, {
      'package.json': '{ "packageManager": "bun@1.4.5" }',
      'package-lock.json': '',
    });
    assert.deepEqual([...readScripts(named.text).scripts.keys()], ['postinstall']);
    const production = await setup(t, { 'package.json': `{ ${dev} }` });
    assert.match(production.stdout, /an install without devDependencies has no holdopen/);
  });

  it('says that yarn does not tell the root of what changes in a workspace', async (t) => {
    const note = /yarn runs no script of the root when only the packages of a workspace change/;
    const run = await setup(t, { 'package.json': '{ "workspaces": ["p/*"] }', 'yarn.lock': '' });
    assert.match(run.stdout, note);
    assert.doesNotMatch((await setup(t, { 'package.json': '{}', 'yarn.lock': '' })).stdout, note);
    assert.doesNotMatch((await setup(t, { 'package.json': '{ "workspaces": ["p/*"] }' })).stdout, note);
  });

  it('changes the root of a workspace only', async (t) => {
    const member = '{ "name": "m" }';
    const cwd = makeTree(t, { 'package.json': '{ "workspaces": ["p/*"] }', 'p/m/package.json': member });
    const run = await runCli(['setup'], { cwd: join(cwd, 'p/m') });
    assert.equal(run.code, 0);
    assert.ok(run.stdout.startsWith(`${join(cwd, 'package.json')}\n`), run.stdout);
    assert.equal(readFileSync(join(cwd, 'p/m/package.json'), 'utf8'), member);
    assert.match(readFileSync(join(cwd, 'package.json'), 'utf8'), /holdopen patch/);
  });

  it('exits with 2 and leaves a file alone that it cannot change', async (t) => {
    for (const [text, why] of [
      ['{ "scripts": ', /not valid JSON/],
      ['[]', /not a JSON object/],
      ['{ "scripts": [] }', /"scripts" is no object/],
      ['{ "scripts": { "postinstall": 7 } }', /the script "postinstall" is no text/],
    ] as const) {
      const run = await setup(t, { 'package.json': text });
      assert.deepEqual([run.code, run.stdout, run.text], [2, '', text]);
      assert.match(run.stderr, why);
      assert.match(run.stderr, /\n {2}next: /);
    }
    const cwd = makeTree(t, { 'p/x.txt': '', 'out.json': '{}', 'q/package.json': link('../out.json') });
    assert.equal((await runCli(['setup', 'gone'], { cwd })).code, 2);
    const outside = await runCli(['setup', 'q'], { cwd });
    assert.equal(outside.code, 2);
    assert.match(outside.stderr, /which is outside of/);
    assert.equal(readFileSync(join(cwd, 'out.json'), 'utf8'), '{}');
  });
});

describe('the command in a script', () => {
  it('runs whatever else the script does, and its failure is one of the script', (t) => {
    const scripts = [
      'true',
      'a || exit 0',
      'true; exit 0',
      'exec true',
      'a || true # b',
      'true; true # c',
      'true &',
    ];
    for (const works of [true, false]) {
      const root = makeTree(t, {
        holdopen: mode(0o755, `#!/bin/sh\necho ran\n${works ? '' : 'exit 1'}\n`),
        a: mode(0o755, '#!/bin/sh\nexit 1\n'),
      });
      const env = { PATH: `${root}:${process.env.PATH ?? ''}` };
      for (const script of scripts) {
        const { status, stdout } = spawnSync('sh', ['-c', withPatch(script)], { env, encoding: 'utf8' });
        assert.deepEqual([status === 0, stdout], [works, 'ran\n'], withPatch(script));
      }
    }
  });

  it('goes where it runs, once, and comes out again', () => {
    for (const [before, after] of [
      [undefined, 'holdopen patch'],
      ['a', 'a && holdopen patch'],
      ['a || b', 'a || b && holdopen patch'],
      ['a &', 'a & holdopen patch'],
      ['a;', 'a; holdopen patch'],
      ['a # b', 'holdopen patch && a # b'],
      ['a || true # b', 'holdopen patch || exit 1; a || true # b'],
      ['a; b # c', 'holdopen patch || exit 1; a; b # c'],
      ['a || exit 0', '(a || exit 0) && holdopen patch'],
      ['a; exit 0', '(a; exit 0) && holdopen patch'],
      ['exec a', '(exec a) && holdopen patch'],
      ['(a)', '(a) && holdopen patch'],
      ['node exit.js', 'node exit.js && holdopen patch'],
      [' a  ', ' a   && holdopen patch'],
      ['a && b', 'a && b && holdopen patch'],
    ] as const) {
      assert.equal(withPatch(before), after);
      assert.equal(withPatch(after), after);
      assert.equal(withoutPatch(after), before);
    }
    assert.equal(withoutPatch('(a) && holdopen patch && b'), '(a) && b');
    assert.equal(withoutPatch('a && npx holdopen patch --quiet && b'), 'a && b');
    assert.equal(
      withoutPatch('a || holdopen patch'),
      'a || holdopen patch',
      'only its owner knows what is meant',
    );
    assert.equal(runsPatch('my-holdopen patch'), false);
    assert.equal(runsPatch('holdopen patcher'), false);
  });
});

describe('a script in the text of a package.json', () => {
  it('changes, and nothing else, whatever the document is', () => {
    const command = fc.constantFrom('a', 'b && c', '"', '\\');
    const scripts = fc.dictionary(fc.constantFrom('postinstall', 'a"b', 'test'), fc.string(), { maxKeys: 3 });
    const rest = fc.dictionary(
      fc.string().filter((key) => key !== 'scripts' && key !== '__proto__'),
      fc.jsonValue(),
      { maxKeys: 4 },
    );
    const indents = fc.constantFrom(undefined, 2, 4, '\t');
    fc.assert(
      fc.property(
        rest,
        fc.option(scripts, { nil: undefined }),
        indents,
        fc.boolean(),
        command,
        (others, own, indent, windows, value) => {
          const document: Record<string, unknown> = own ? { ...others, scripts: own } : others;
          const lines = JSON.stringify(document, null, indent);
          const text = windows ? lines.replaceAll('\n', '\r\n') : lines;
          const changed = setScript(text, 'postinstall', value);
          assert.deepEqual(
            JSON.parse(changed),
            JSON.parse(JSON.stringify({ ...document, scripts: { ...own, postinstall: value } })),
          );
          if (own?.postinstall === undefined && (own === undefined || Object.keys(own).length > 0))
            assert.equal(setScript(changed, 'postinstall', undefined), text.replace(/^\{\s*\}$/, '{}'));
        },
      ),
    );
  });
});
