import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { describe, it } from 'node:test';
import { isWorkspaceMember, workspaceMembers } from '../../../src/locate/installs/project.ts';
import { find, sdk, sdkName, sdkPlace } from '../../support/installs.ts';
import { jsonFile, link, makeTree } from '../../support/tree.ts';
import type { Tree } from '../../support/tree.ts';

const folders: Tree = {
  'packages/a/package.json': '{}',
  'packages/b/package.json': '{}',
  'packages/.hidden/package.json': '{}',
  'packages/readme.md': '',
  'packages/deep/er/c/package.json': '{}',
  'packages/a/node_modules/x/package.json': '{}',
  'apps/web/package.json': '{}',
  'apps/web2/package.json': '{}',
  'tool/package.json': '{}',
};

const none = { addCopy: () => assert.fail(), addUnreadable: () => assert.fail(), enter: () => true };

describe('workspaces', () => {
  const cases: [patterns: string[], members: string[]][] = [
    [['packages/a'], ['packages/a']],
    [
      ['./packages/a/', '/tool'],
      ['packages/a', 'tool'],
    ],
    [['packages/*'], ['packages/a', 'packages/b', 'packages/deep']],
    [['*/a'], ['packages/a']],
    [['apps/web?'], ['apps/web2']],
    [
      ['apps/web[0-9]', 'packages/[!ab]*'],
      ['apps/web2', 'packages/deep'],
    ],
    [['{apps/web,tool}'], ['apps/web', 'tool']],
    [['packages/@(a|deep)'], ['packages/a', 'packages/deep']],
    [['{apps,packages}/{a,web}'], ['apps/web', 'packages/a']],
    [['packages/**/c'], ['packages/deep/er/c']],
    [
      ['packages/**'],
      ['packages', 'packages/a', 'packages/b', 'packages/deep', 'packages/deep/er', 'packages/deep/er/c'],
    ],
    [
      ['packages/*', '!packages/b'],
      ['packages/a', 'packages/deep'],
    ],
    [['packages/*', '!packages/*', 'packages/b'], ['packages/b']],
    [
      ['!packages/b', 'packages/*'],
      ['packages/a', 'packages/b', 'packages/deep'],
    ],
    [['packages/.hidden'], ['packages/.hidden']],
    [['packages/missing', 'tool'], ['tool']],
    [['tool', 'tool', 't*'], ['tool']],
    [['.', '{.,tool}'], ['tool']],
    [['packages/a.c', 'packages/(a)'], []],
  ];
  for (const [patterns, members] of cases) {
    it(patterns.join(' '), (t) => {
      const root = makeTree(t, folders);
      const found = workspaceMembers(root, { workspaces: patterns }, none).map((dir) => relative(root, dir));
      assert.deepEqual(found.sort(), members);
      for (const member of members) {
        assert.ok(isWorkspaceMember(root, { workspaces: patterns }, `${root}/${member}`), member);
      }
      assert.equal(isWorkspaceMember(root, { workspaces: patterns }, `${root}/elsewhere/a/b`), false);
    });
  }

  it('reads the object form, and passes over what is no pattern', (t) => {
    const root = makeTree(t, folders);
    const found = workspaceMembers(root, { workspaces: { packages: ['tool', 7], nohoist: ['x'] } }, none);
    assert.deepEqual(found, [`${root}/tool`]);
    for (const workspaces of [undefined, null, 'tool', 7, {}, { packages: 'tool' }]) {
      assert.deepEqual(workspaceMembers(root, { workspaces }, none), []);
    }
  });

  it('finds the copies of the members, once although npm links the members into node_modules', (t) => {
    const root = makeTree(t, {
      'package.json': jsonFile({ workspaces: ['packages/*', '!packages/old'] }),
      [sdkPlace]: sdk('0.3.205'),
      'node_modules/a': link('../packages/a'),
      'packages/a': { 'package.json': '{"name":"a"}', [sdkPlace]: sdk('0.3.209') },
      'packages/b': { 'package.json': '{"name":"b"}', 'node_modules/my-sdk': sdk('0.2.50') },
      'packages/old': { 'package.json': '{"name":"old"}', [sdkPlace]: sdk('0.0.4') },
    });
    assert.deepEqual(find(root), [
      `${sdkPlace} ${sdkName}@0.3.205`,
      `packages/a/${sdkPlace} ${sdkName}@0.3.209`,
      `packages/b/node_modules/my-sdk ${sdkName}@0.2.50`,
    ]);
  });
});
