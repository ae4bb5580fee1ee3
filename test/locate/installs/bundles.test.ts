import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findBundles } from '../../../src/locate/installs/bundles.ts';
import type { BundleFiles } from '../../../src/locate/installs/bundles.ts';
import { giveAway, runScript } from '../../support/child.ts';
import { jsonFile, link, makeTree, mode } from '../../support/tree.ts';
import type { Tree } from '../../support/tree.ts';
import type { TestContext } from 'node:test';

const words = 'class A { streamInput() { this.t.endInput() } }';

/** Every file of `hold` holds both words. */
function bundles(t: TestContext, manifest: unknown, tree: Tree): BundleFiles {
  const dir = makeTree(t, { 'package.json': jsonFile(manifest), ...tree });
  return findBundles({ package: 'x', version: null, dir, layout: 'npm' });
}

function files(found: BundleFiles): string[] {
  return found.candidates.map((candidate) => candidate.file);
}

/** `{ a.js: words, b.js: words }` */
function holding(...names: string[]): Tree {
  return Object.fromEntries(names.map((name) => [name, words]));
}

describe('bundles: a package.json that makes no sense', () => {
  it('passes over a target with a NUL in it', (t) => {
    const found = bundles(t, { main: 'x\0', exports: { '.': ['./a\0.js', './a.mjs'] } }, holding('a.mjs'));
    assert.deepEqual(files(found), ['a.mjs']);
  });

  it('follows conditions as deep as they go', (t) => {
    const depth = 5000;
    const text = `{"exports":${'{"node":'.repeat(depth)}"./a.mjs"${'}'.repeat(depth)}}`;
    const dir = makeTree(t, { 'package.json': text, ...holding('a.mjs') });
    assert.deepEqual(files(findBundles({ package: 'x', version: null, dir, layout: 'npm' })), ['a.mjs']);
  });
});

describe('bundles: what the package.json leads to', () => {
  const all = ['a.mjs', 'b.cjs', 'c.js', 'lib/d.js', 'lib/deep/e.js', 'index.js', 'cli.js'];
  const cases: [name: string, manifest: unknown, found: string[]][] = [
    ['exports as a string', { exports: './a.mjs' }, ['a.mjs']],
    ['exports as conditions', { exports: { import: './a.mjs', require: './b.cjs' } }, ['a.mjs', 'b.cjs']],
    [
      'subpaths, nested conditions and arrays',
      {
        exports: {
          '.': { node: { import: './a.mjs' }, default: ['./b.cjs', './c.js'] },
          './d': './lib/d.js',
        },
      },
      ['a.mjs', 'b.cjs', 'c.js', 'lib/d.js'],
    ],
    ['patterns', { exports: { './*': './lib/*.js' } }, ['lib/d.js', 'lib/deep/e.js']],
    ['old folder targets', { exports: { './lib/': './lib/' } }, ['lib/d.js', 'lib/deep/e.js']],
    ['null, types and what is no script', { exports: { '.': { types: './c.js', default: null } } }, []],
    [
      'exports and main',
      { exports: { './c': './c.js' }, main: 'a.mjs', module: './b.cjs' },
      ['c.js', 'a.mjs', 'b.cjs'],
    ],
    ['the browser field', { main: 'a.mjs', browser: 'c.js' }, ['a.mjs', 'c.js']],
    ['main without an ending', { main: './lib/d' }, ['lib/d.js']],
    ['main as a folder', { main: '.' }, ['index.js']],
    ['nothing: index.js', {}, ['index.js']],
    ['bin is no entry', { bin: { claude: 'cli.js' }, main: 'a.mjs' }, ['a.mjs']],
    ['targets that are not there', { exports: { '.': './gone.mjs', './a': './a.mjs' } }, ['a.mjs']],
    ['the same file twice', { exports: './a.mjs', main: 'a.mjs' }, ['a.mjs']],
  ];
  for (const [name, manifest, found] of cases) {
    it(name, (t) => assert.deepEqual(files(bundles(t, manifest, holding(...all))), found));
  }

  it('takes only files that hold both words', (t) => {
    const tree = { 'a.js': 'streamInput', 'b.js': 'endInput', 'c.js': words };
    const found = bundles(t, { exports: { './a': './a.js', './b': './b.js', './c': './c.js' } }, tree);
    assert.deepEqual(files(found), ['c.js']);
    assert.equal(found.candidates[0]?.bundle.bytes.toString(), words);
  });
});

describe('bundles: what the entries import', () => {
  const cases: [name: string, source: string][] = [
    ['from', 'import{a as b}from"./chunk.js";'],
    ['bare import', "import './chunk.js'"],
    ['dynamic import', 'const x = await import( "./chunk.js" )'],
    ['import with a comment', 'import(/* webpackChunkName: "c" */ `./chunk.js`)'],
    ['export from', 'export * from "./chunk.js"'],
    ['require', 'const a = require("./chunk")'],
    ['through another', 'import"./step.js"'],
    ['through a folder', 'import "./lib/up.js"'],
    ['in a circle', 'import "./circle.js"'],
  ];
  const tree: Tree = {
    'chunk.js': words,
    'step.js': 'export{a}from"./chunk.js"',
    'lib/up.js': 'import "../chunk.js"',
    'circle.js': 'import "./main.js"; import "./chunk.js"',
  };
  for (const [name, source] of cases) {
    it(name, (t) => {
      const found = bundles(t, { main: 'main.js' }, { ...tree, 'main.js': source });
      assert.deepEqual(files(found), ['chunk.js']);
      assert.deepEqual(found.mains, [{ file: 'main.js', candidates: ['chunk.js'] }]);
    });
  }

  it('takes no other string for an import', (t) => {
    const source = 'spawn("./chunk.js"); x.from = 1; "./chunk.js"; import("./gone.js"); import("chunk.js")';
    assert.deepEqual(files(bundles(t, { main: 'main.js' }, { ...tree, 'main.js': source })), []);
  });

  it('stays inside of the copy', (t) => {
    const root = makeTree(t, {
      'outside.js': words,
      'copy/package.json': jsonFile({ main: 'main.js', exports: { './up': './../outside.js' } }),
      'copy/main.js': 'import "../outside.js"; import "./node_modules/x/index.js"',
      'copy/node_modules/x/index.js': words,
    });
    const found = findBundles({ package: 'x', version: null, dir: `${root}/copy`, layout: 'npm' });
    assert.deepEqual(found, { candidates: [], unreadable: [], mains: [{ file: 'main.js', candidates: [] }] });
  });

  it('follows links to files and folders out of the copy, as hosts do, but lists no folder behind one', (t) => {
    const root = makeTree(t, {
      'cache/sdk.mjs': 'import "./chunk.mjs"; import "./lib/deep.mjs"',
      'cache/chunk.mjs': words,
      'cache/lib/deep.mjs': words,
      'copy/package.json': jsonFile({ main: 'sdk.mjs', exports: { '.': './sdk.mjs', './*': './all/*' } }),
      'copy/sdk.mjs': link('../cache/sdk.mjs'),
      'copy/chunk.mjs': link('../cache/chunk.mjs'),
      'copy/lib': link('../cache/lib'),
      'copy/all': link('/'),
    });
    const found = findBundles({ package: 'x', version: null, dir: `${root}/copy`, layout: 'npm' });
    assert.deepEqual(files(found), ['chunk.mjs', 'lib/deep.mjs']);
    assert.deepEqual(found.unreadable, [{ file: 'all', detail: 'a link leads out of the package' }]);
  });

  it('passes over a name that is too long for a file', (t) => {
    const found = bundles(
      t,
      { main: 'main.js', exports: { '.': './main.js', './x': `./${'x'.repeat(300)}` } },
      { 'main.js': `import "./${'y'.repeat(300)}"; import "./chunk.js"`, 'chunk.js': words },
    );
    assert.deepEqual([files(found), found.unreadable], [['chunk.js'], []]);
  });

  it('misses the main file that an install has not written yet, or that a link leads nowhere for', (t) => {
    const manifest = { main: 'sdk.mjs', exports: { '.': './sdk.mjs', './browser': './browser.js' } };
    for (const tree of [{}, { 'sdk.mjs': link('gone') }]) {
      const found = bundles(t, manifest, { 'browser.js': words, ...tree });
      assert.deepEqual(files(found), ['browser.js']);
      assert.deepEqual(found.unreadable, [{ file: 'sdk.mjs', detail: 'missing' }]);
    }
  });

  it('tells which main file leads to nothing', (t) => {
    const found = bundles(
      t,
      { exports: { '.': { import: './a.js', require: './b.js' }, './c': './c.js' } },
      { 'a.js': 'import "./chunk.js"', 'b.js': '', 'c.js': '', 'chunk.js': words },
    );
    assert.deepEqual(found.mains, [
      { file: 'a.js', candidates: ['chunk.js'] },
      { file: 'b.js', candidates: [] },
    ]);
  });
});

describe('bundles: what cannot be read', () => {
  it('falls back to the scripts beside a broken or missing package.json, and reports it', (t) => {
    const tree = { ...holding('sdk.mjs', 'core.js', 'lib/x.js', 'sdk.d.ts'), 'cli.js': '' };
    for (const [manifest, detail] of [
      [{ 'package.json': '{' }, 'not valid JSON'],
      [{ 'package.json': '[]' }, 'not a JSON object'],
      [{}, 'missing'],
    ] as const) {
      const dir = makeTree(t, { ...tree, ...manifest });
      const found = findBundles({ package: 'x', version: null, dir, layout: 'npm' });
      assert.deepEqual(files(found), ['core.js', 'sdk.mjs']);
      assert.deepEqual(found.unreadable, [{ file: 'package.json', detail }]);
    }
  });

  it('reports an entry, a chunk and a folder, and goes on', async (t) => {
    const root = makeTree(t, {
      'package.json': jsonFile({ exports: { '.': './a.js', './b': './b.js', './*': './lib/*.js' } }),
      'a.js': mode(0, words),
      'b.js': 'import "./c.js"; import "./d.js"',
      'c.js': mode(0, words),
      'd.js': words,
      lib: mode(0, {}),
    });
    giveAway(root);
    const child = await runScript(
      `import { findBundles } from '$SRC/locate/installs/bundles.ts';
       const { candidates, unreadable } = findBundles({ package: 'x', version: null, dir: process.cwd(), layout: 'npm' });
       console.log(JSON.stringify([candidates.map((c) => c.file), unreadable]));`,
      { cwd: root, unprivileged: true },
    );
    assert.equal(child.stderr, '');
    assert.deepEqual(JSON.parse(child.stdout), [
      ['d.js'],
      [
        { file: 'a.js', detail: 'EACCES' },
        { file: 'c.js', detail: 'EACCES' },
        { file: 'lib', detail: 'EACCES' },
      ],
    ]);
  });
});

describe('bundles: files that were named', () => {
  it('looks at nothing else, and asks of a file, not of a folder, that it hold the class', (t) => {
    const dir = makeTree(t, {
      'package.json': jsonFile({ main: 'z.js' }),
      'a.js': words,
      'b.js': '',
      'z.js': words,
    });
    const copy = { package: 'x', version: null, dir, layout: 'file' } as const;
    const file = findBundles({ ...copy, files: { kind: 'file', names: ['b.js'] } });
    assert.deepEqual([files(file), file.mains], [[], [{ file: 'b.js', candidates: [] }]]);
    const folder = findBundles({ ...copy, files: { kind: 'folder', names: ['a.js', 'b.js'] } });
    assert.deepEqual([files(folder), folder.mains], [['a.js'], []]);
  });
});
