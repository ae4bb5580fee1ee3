// What a plain patch costs, counted and not timed: on the same tree it is the same on every machine.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { patch } from '../../src/index.ts';
import { assertNoNeedless, countTheBuiltCli, counted, plain, working } from '../support/counted.ts';
import { pack, sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { makeTree } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';

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

countTheBuiltCli();

describe('what a plain patch costs', () => {
  it('without the SDK: two files of ours, one listing for each node_modules and scope', (t: TestContext) => {
    const tree = manyPackages({});
    delete tree[sdkPlace];
    const cwd = makeTree(t, tree);
    const counts = counted(cwd);
    assert.deepEqual(counts.modules, plain);
    assert.ok(counts.bytes < 80_000, `${counts.bytes} bytes of ours are compiled`);
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
    assert.deepEqual([counts.compiles, counts.wholeParses, counts.regionParses], [0, 0, 0]);
    assert.equal(counts.parsedBytes, 0);
    assert.deepEqual(
      counts.opened.filter((path) => path.endsWith('.mjs')),
      [`${sdkPlace}/sdk.mjs`],
    );
    assert.ok(!counts.listed.some((path) => path.startsWith(sdkPlace)), counts.listed.join());
    assert.deepEqual(counts.written, []);
    assertNoNeedless(counts);
  });

  it('the first time: of each bundle two classes parsed, the result compiled once and written once', (t: TestContext) => {
    const cwd = makeTree(t, manyPackages(installedSdk()));
    const stock = statSync(join(cwd, sdkPlace, 'sdk.mjs')).size;
    const counts = counted(cwd);
    assert.deepEqual(counts.modules, working);
    assert.equal(counts.written.length, 1);
    // The class, and the transport's for its environment; the result proves itself and the text that it was made from.
    assert.deepEqual([counts.compiles, counts.regionParses, counts.wholeParses], [1, 2, 0]);
    assert.ok(counts.parsedBytes < stock, String(counts.parsedBytes));
    assertNoNeedless(counts);
  });
});
