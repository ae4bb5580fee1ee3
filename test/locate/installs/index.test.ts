import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { displayPath, findInstalls } from '../../../src/locate/installs/index.ts';
import { find, pack, sdk, sdkName, sdkPlace } from '../../support/installs.ts';
import { jsonFile, link, makeTree } from '../../support/tree.ts';
import type { Tree } from '../../support/tree.ts';

const project: Tree = {
  'p/package.json': jsonFile({ name: 'p', workspaces: ['packages/*'] }),
  [`p/${sdkPlace}`]: sdk('0.3.205', { 'dist/deep/x.js': '' }),
  'p/src/deep/x.ts': '',
  'p/build/package.json': '{ "type": "commonjs" }',
  'p/packages/a': pack('a', '1.0.0', { [sdkPlace]: sdk('0.3.209'), 'src/x.ts': '' }),
  'p/packages/b': pack('b'),
  'p/examples/own': { 'package.json': '{"name":"own"}', [sdkPlace]: sdk('0.2.50') },
  'link-to-p': link('p'),
};
const hoisted = `p/${sdkPlace} ${sdkName}@0.3.205`;
const nested = `p/packages/a/${sdkPlace} ${sdkName}@0.3.209`;

describe('where a search starts', () => {
  const cases: [dir: string, root: string, copies: string[]][] = [
    ['p', 'p', [hoisted, nested]],
    ['p/src/deep', 'p', [hoisted, nested]],
    ['p/build', 'p', [hoisted, nested]],
    ['p/packages/a', 'p', [hoisted, nested]],
    ['p/packages/a/src', 'p', [hoisted, nested]],
    ['p/packages/b', 'p', [hoisted, nested]],
    ['p/examples/own', 'p/examples/own', [`p/examples/own/${sdkPlace} ${sdkName}@0.2.50`]],
    ['p/node_modules', 'p/node_modules', [hoisted]],
    ['p/node_modules/@anthropic-ai', 'p/node_modules', [hoisted]],
    [`p/${sdkPlace}`, `p/${sdkPlace}`, [hoisted]],
    [`p/${sdkPlace}/dist/deep`, `p/${sdkPlace}`, [hoisted]],
    ['link-to-p', 'p', [hoisted, nested]],
  ];
  for (const [dir, root, copies] of cases) {
    it(dir, (t) => {
      const base = makeTree(t, project);
      assert.equal(displayPath(base, findInstalls({ dir, cwd: base }).root), root);
      assert.deepEqual(find(base, dir), copies);
    });
  }

  it('takes a node_modules that is a link to a folder of another name for one', (t) => {
    const base = makeTree(t, {
      'p/package.json': '{"name":"p"}',
      'p/node_modules': link('../deps'),
      'deps/@anthropic-ai/claude-agent-sdk': sdk('0.3.205'),
    });
    const copy = `deps/@anthropic-ai/claude-agent-sdk ${sdkName}@0.3.205`;
    for (const dir of ['p', 'p/node_modules', 'p/node_modules/']) assert.deepEqual(find(base, dir), [copy]);
  });

  it('takes a copy with a broken package.json that was named itself', (t) => {
    const base = makeTree(t, { [sdkPlace]: { 'package.json': '', 'sdk.mjs': '' } });
    assert.deepEqual(find(base, sdkPlace), [`${sdkPlace} ${sdkName}@null`]);
  });

  it('finds nothing in a directory without a project', (t) => {
    const base = makeTree(t, { 'x/y.txt': '' });
    assert.deepEqual(find(base, 'x'), []);
  });

  it('says what is wrong with a directory that is none', (t) => {
    const base = makeTree(t, { 'x/y.txt': '' });
    const noDirectory = { name: 'HoldopenError', code: 'no-directory' };
    assert.throws(() => find(base, 'nowhere'), { ...noDirectory, message: /there is no such directory/ });
    assert.throws(() => find(base, 'x/y.txt'), { ...noDirectory, message: /it is a file/, hint: /--file/ });
  });
});

describe('paths in reports', () => {
  it('are relative below the root and absolute elsewhere', () => {
    assert.equal(displayPath('/a/b', '/a/b/c/d'), 'c/d');
    assert.equal(displayPath('/a/b', '/a/b'), '.');
    assert.equal(displayPath('/a/b', '/a/bc'), '/a/bc');
    assert.equal(displayPath('/a/b', '/a'), '/a');
    assert.equal(displayPath('/a/b', '/a/b/..c'), '..c');
  });
});
