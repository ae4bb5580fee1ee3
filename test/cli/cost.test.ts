// What a plain patch costs, counted and not timed: on the same tree it is the same on every machine.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { patch } from '../../src/index.ts';
import { pack, sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { makeTree } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
let home: string;

/** The CLI as it is shipped, built from what is here. */
before(() => {
  home = mkdtempSync(join(realpathSync.native(tmpdir()), 'holdopen-cost-'));
  for (const name of ['bin', 'package.json'])
    cpSync(join(repository, name), join(home, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(home, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build-cli.mjs', join(home, 'dist')], { cwd: repository });
});
after(() => rmSync(home, { recursive: true, force: true }));

interface Counts {
  opened: string[];
  listed: string[];
  written: string[];
  looked: number;
  modules: string[];
  bytes: number;
  builtins: string[];
  wholeParses: number;
  regionParses: number;
}

/** Runs `patch` on a tree. Paths are relative to it. */
function counted(cwd: string): Counts {
  const file = join(home, 'counts.json');
  const hook = join(repository, 'test/support/counted.cjs');
  const args = ['--require', hook, join(home, 'bin/holdopen.js'), 'patch'];
  const run = spawnSync(process.execPath, args, {
    cwd,
    env: { ...process.env, COUNTED: file },
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.stderr);
  const counts = JSON.parse(readFileSync(file, 'utf8')) as Counts;
  const inTree = (paths: string[]): string[] =>
    paths.filter((path) => path.startsWith(cwd)).map((path) => relative(cwd, path) || '.');
  return { ...counts, opened: inTree(counts.opened), listed: inTree(counts.listed) };
}

/** Twenty packages with folders that cannot hold a copy, one with a `node_modules` of its own, and a scope. */
function manyPackages(copy: Tree): Tree {
  const packages = Array.from({ length: 20 }, (_, index): [string, Tree] => [
    `node_modules/p${index}`,
    pack(`p${index}`, '1.0.0', { lib: { deep: { 'index.js': '' } }, test: { 'a.js': '' } }),
  ]);
  return project({
    src: { 'index.js': '', deep: { 'x.js': '' } },
    ...Object.fromEntries(packages),
    'node_modules/@scope/q': pack('@scope/q'),
    [sdkPlace]: copy,
    'node_modules/p3/node_modules/r': pack('r'),
  });
}

function patchedSdk(): Tree {
  const result = patch(fixture('first-result'));
  assert.ok(result.outcome === 'patched');
  return installedSdk('0.3.205', { 'sdk.mjs': result.source });
}

const plain = ['holdopen.js', 'entry.cjs'];

/** What Node loads for them takes longer than the work. */
function assertNoNeedless({ builtins }: Counts): void {
  const needless = [
    'zlib',
    'child_process',
    'net',
    'http',
    'https',
    'worker_threads',
    'readline',
    'fs/promises',
  ];
  assert.deepEqual(
    needless.filter((name) => builtins.includes(`NativeModule ${name}`)),
    [],
  );
}

describe('what a plain patch costs', () => {
  it('without the SDK: two files of ours, one listing for each node_modules and scope', (t: TestContext) => {
    const tree = manyPackages({});
    delete tree[sdkPlace];
    const cwd = makeTree(t, tree);
    const counts = counted(cwd);
    assert.deepEqual(counts.modules, plain);
    assert.ok(counts.bytes < 90_000, `${counts.bytes} bytes of ours are compiled`);
    assert.deepEqual(counts.listed.sort(), [
      'node_modules',
      'node_modules/@scope',
      'node_modules/p3/node_modules',
    ]);
    // No list of npm's tells the names: every package.json is read once, and the root's at most so often.
    const manifests = counts.opened.filter((path) => /^node_modules\/[^.]/.test(path));
    assert.equal(new Set(manifests).size, manifests.length);
    assert.equal(manifests.filter((path) => !path.endsWith('/package.json')).length, 0);
    assert.ok(counts.opened.length - manifests.length <= 7, counts.opened.join());
    assertNoNeedless(counts);
  });

  it('with nothing to do: no parser, each script of the copy once', (t: TestContext) => {
    const cwd = makeTree(t, manyPackages(patchedSdk()));
    const counts = counted(cwd);
    assert.deepEqual(counts.modules, plain);
    assert.deepEqual([counts.wholeParses, counts.regionParses], [0, 0]);
    assert.deepEqual(
      counts.opened.filter((path) => path.endsWith('.mjs')),
      [`${sdkPlace}/sdk.mjs`],
    );
    assert.ok(!counts.listed.some((path) => path.startsWith(sdkPlace)), counts.listed.join());
    assert.deepEqual(counts.written, []);
    assertNoNeedless(counts);
  });

  it('the first time: the parser and nothing that prints, each bundle parsed and written once', (t: TestContext) => {
    const cwd = makeTree(t, manyPackages(installedSdk()));
    const counts = counted(cwd);
    assert.deepEqual(counts.modules, [...plain, 'patching.cjs', 'acorn.js']);
    assert.equal(counts.written.length, 1);
    // The class, and the transport's for its environment; the bytes are no release's, so the whole file is parsed once
    // to trust them, and the result once to prove it.
    assert.deepEqual([counts.regionParses, counts.wholeParses], [2, 2]);
    assertNoNeedless(counts);
  });
});
