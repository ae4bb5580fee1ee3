import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { find, pack, sdk, sdkName, sdkPlace } from '../../support/installs.ts';
import { runScript, giveAway } from '../../support/child.ts';
import { jsonFile, link, makeTree, mode } from '../../support/tree.ts';
import type { Tree } from '../../support/tree.ts';

describe('npm: by place', () => {
  it('finds a hoisted copy', (t) => {
    const root = makeTree(t, { 'package.json': '{"name":"app"}', [sdkPlace]: sdk('0.3.205') });
    assert.deepEqual(find(root), [`${sdkPlace} ${sdkName}@0.3.205`]);
  });

  it('finds copies nested to any depth, and below scopes', (t) => {
    const root = makeTree(t, {
      'package.json': '{"name":"app"}',
      [sdkPlace]: sdk('0.3.205'),
      'node_modules/a': pack('a', '1.0.0', {
        'node_modules/@s/b': pack('@s/b', '1.0.0', { [sdkPlace]: sdk('0.2.50') }),
      }),
    });
    assert.deepEqual(find(root), [
      `${sdkPlace} ${sdkName}@0.3.205`,
      `node_modules/a/node_modules/@s/b/${sdkPlace} ${sdkName}@0.2.50`,
    ]);
  });

  it('looks at no folder of a package but its node_modules', (t) => {
    const root = makeTree(t, {
      'package.json': '{"name":"app"}',
      'node_modules/a': pack('a', '1.0.0', { [`lib/${sdkPlace}`]: sdk('0.2.50') }),
      [`src/${sdkPlace}`]: sdk('0.2.50'),
    });
    assert.deepEqual(find(root), []);
  });

  it('takes the CLI package only where it ships the class', (t) => {
    const root = makeTree(t, {
      'package.json': '{"name":"app"}',
      'node_modules/@anthropic-ai/claude-code': pack('@anthropic-ai/claude-code', '2.0.0'),
      'node_modules/a/node_modules/@anthropic-ai/claude-code': {
        'package.json': jsonFile({ name: '@anthropic-ai/claude-code', version: '2.1.0' }),
        'cli.js': '',
      },
    });
    assert.deepEqual(find(root), ['node_modules/@anthropic-ai/claude-code @anthropic-ai/claude-code@2.0.0']);
  });

  it('takes a copy whose package.json is broken, under the name of its place', (t) => {
    const root = makeTree(t, { 'package.json': '{"name":"app"}', [sdkPlace]: { 'package.json': '{ "na' } });
    assert.deepEqual(find(root), [`${sdkPlace} ${sdkName}@null`]);
  });

  it('passes over the empty folder that an interrupted install leaves', (t) => {
    const root = makeTree(t, { 'package.json': '{"name":"app"}', [sdkPlace]: {} });
    assert.deepEqual(find(root), []);
  });

  it('reports a package.json at the root that nobody can read the workspaces from', (t) => {
    const root = makeTree(t, { 'package.json': '{ "workspaces": [', [sdkPlace]: sdk('0.3.205') });
    assert.deepEqual(find(root), [`${sdkPlace} ${sdkName}@0.3.205`, 'package.json ! not valid JSON']);
  });
});

describe('npm: links', () => {
  it('follows a linked package, once however many links lead to it, and circles', (t) => {
    const root = makeTree(t, {
      'app/package.json': '{"name":"app"}',
      'app/node_modules/a': link('../../lib'),
      'app/node_modules/b': link('../../lib'),
      lib: pack('lib', '1.0.0', { [sdkPlace]: sdk('0.3.209'), 'node_modules/self': link('..') }),
    });
    assert.deepEqual(find(root, 'app'), [`lib/${sdkPlace} ${sdkName}@0.3.209`]);
  });

  it('passes over links that lead nowhere or to themselves', (t) => {
    const root = makeTree(t, {
      'package.json': '{"name":"app"}',
      'node_modules/gone': link('../nowhere'),
      'node_modules/loop': link('loop'),
      [sdkPlace]: link('../../nowhere'),
    });
    assert.deepEqual(find(root), []);
  });

  it('finds every copy in the store of a linked install, reached by a link or not', (t) => {
    const store = 'node_modules/.store';
    const root = makeTree(t, {
      'package.json': '{"name":"app"}',
      [`${store}/@anthropic-ai/claude-agent-sdk@0.3.205-abc/${sdkPlace}`]: sdk('0.3.205'),
      [`${store}/x@1.0.0-def/node_modules/x`]: pack('x'),
      [`${store}/x@1.0.0-def/${sdkPlace}`]: link(
        '../../../@anthropic-ai/claude-agent-sdk@0.2.50-abc/node_modules/@anthropic-ai/claude-agent-sdk',
      ),
      [`${store}/@anthropic-ai/claude-agent-sdk@0.2.50-abc/${sdkPlace}`]: sdk('0.2.50'),
      [sdkPlace]: link(`../.store/@anthropic-ai/claude-agent-sdk@0.3.205-abc/${sdkPlace}`),
    });
    assert.deepEqual(
      find(root).map((line) => line.split('@').at(-1)),
      ['0.2.50', '0.3.205'],
    );
  });
});

describe('npm: aliases', () => {
  /** `node_modules/sdk` holds the SDK; npm's list says so where there is one. */
  const alias = (list?: unknown): Tree => ({
    'package.json': '{"name":"app"}',
    'node_modules/a': pack('a'),
    'node_modules/sdk': sdk('0.3.205'),
    'node_modules/@x/sdk': sdk('0.3.209'),
    ...(list === undefined ? {} : { 'node_modules/.package-lock.json': JSON.stringify(list) }),
  });
  const both = [`node_modules/@x/sdk ${sdkName}@0.3.209`, `node_modules/sdk ${sdkName}@0.3.205`];
  const packages = {
    'node_modules/a': {},
    'node_modules/sdk': { name: sdkName },
    'node_modules/@x/sdk': { name: sdkName },
  };

  it('asks every package.json where npm left no list', (t) => {
    assert.deepEqual(find(makeTree(t, alias())), both);
  });

  it('takes the word of npm where its list is newer than the folders', (t) => {
    const root = makeTree(t, alias({ packages }));
    assert.deepEqual(find(root), both);
    // To see that it is the list that was asked: one that leaves something out is believed as well.
    const silent = makeTree(t, alias({ packages: { 'node_modules/sdk': { name: sdkName } } }));
    assert.deepEqual(find(silent), [`node_modules/sdk ${sdkName}@0.3.205`]);
  });

  it('does not take its word for a folder that was touched after it', (t) => {
    const root = makeTree(t, alias({ packages: {} }));
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(root, 'node_modules/.package-lock.json'), old, old);
    assert.deepEqual(find(root), both);
    utimesSync(join(root, 'node_modules'), old, old);
    assert.deepEqual(find(root), both.slice(0, 1), 'the scope is a folder of its own');
  });

  it('finds an alias in the list that npm writes, where the SDK stands under its own name too', (t) => {
    const named = `node_modules/${sdkName}`;
    const list = {
      packages: { ...packages, 'node_modules/a': { dependencies: { [sdkName]: '1' } }, [named]: {} },
    };
    const lists = { 'node_modules/.package-lock.json': jsonFile(list), [named]: sdk('0.3.1') };
    assert.deepEqual(find(makeTree(t, { ...alias(), ...lists })), [`${named} ${sdkName}@0.3.1`, ...both]);
  });

  it('does not parse a list without aliases, unless it is cut off', (t) => {
    const list = `{ "packages": { "a": { "dependencies": { "${sdkName}": "1" } } },\n`;
    const lists = (text: string): Tree => ({ ...alias(), 'node_modules/.package-lock.json': text });
    assert.deepEqual(find(makeTree(t, lists(list))), both);
    // No JSON, which only who parses it can know.
    assert.deepEqual(find(makeTree(t, lists(`${list}\n}\n`))), []);
  });

  it('asks every package.json where the list is none of npm', (t) => {
    const root = makeTree(t, alias());
    for (const list of [`{ "name": "${sdkName}"`, jsonFile([sdkName]), jsonFile({ sdkName })]) {
      const other = makeTree(t, { ...alias(), 'node_modules/.package-lock.json': list });
      assert.deepEqual(find(other), find(root), list);
    }
  });

  it('asks the target of a link, which the list does not name', (t) => {
    const root = makeTree(t, {
      'app/package.json': '{"name":"app"}',
      'app/node_modules/sdk': link('../../checkout'),
      'app/node_modules/.package-lock.json': jsonFile({ packages: { 'node_modules/sdk': { link: true } } }),
      checkout: sdk('0.3.300'),
    });
    assert.deepEqual(find(root, 'app'), [`checkout ${sdkName}@0.3.300`]);
  });
});

describe('npm: what cannot be read', () => {
  const cases: [string, Tree, string[]][] = [
    [
      'a scope',
      { 'node_modules/@anthropic-ai': mode(0, { 'claude-agent-sdk': sdk('1.0.0') }) },
      ['node_modules/@anthropic-ai ! EACCES'],
    ],
    [
      'a package whose folders cannot be entered',
      { 'node_modules/a': mode(0o644, pack('a')), [sdkPlace]: sdk('0.3.205') },
      [
        `${sdkPlace} ${sdkName}@0.3.205`,
        'node_modules/a/node_modules ! EACCES',
        'node_modules/a/package.json ! EACCES',
      ],
    ],
    ['node_modules itself', { node_modules: mode(0o311, { 'b/x': '' }) }, ['node_modules ! EACCES']],
  ];
  for (const [name, tree, expected] of cases) {
    it(`reports ${name}`, async (t) => {
      const root = makeTree(t, { 'package.json': '{"name":"app"}', ...tree });
      giveAway(root);
      const child = await runScript(
        `import { findInstalls, displayPath } from '$SRC/locate/installs/index.ts';
         const { root, copies, unreadable } = findInstalls({ cwd: process.cwd() });
         const lines = [
           ...copies.map((c) => displayPath(root, c.dir) + ' ' + c.package + '@' + c.version),
           ...unreadable.map((p) => displayPath(root, p.path) + ' ! ' + p.detail),
         ];
         console.log(JSON.stringify(lines));`,
        { cwd: root, unprivileged: true },
      );
      assert.equal(child.stderr, '');
      assert.deepEqual(JSON.parse(child.stdout), expected);
    });
  }
});
