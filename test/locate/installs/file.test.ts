import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findInstalls } from '../../../src/locate/installs/index.ts';
import type { Copy } from '../../../src/locate/installs/index.ts';
import { sdk, sdkName, sdkPlace } from '../../support/installs.ts';
import { link, makeTree } from '../../support/tree.ts';

function named(cwd: string, ...files: string[]): Copy[] {
  return findInstalls({ cwd, files }).copies;
}

describe('--file', () => {
  it('takes one file, whatever it is called, with name and version of its package', (t) => {
    const root = makeTree(t, {
      'app/package.json': '{"name":"app","version":"7.1.0"}',
      'app/out/package.json': '{"type":"module"}',
      'app/out/bundle': '',
    });
    assert.deepEqual(named(root, 'app/out/bundle'), [
      {
        package: 'app',
        version: '7.1.0',
        dir: `${root}/app/out`,
        layout: 'file',
        files: { kind: 'file', names: ['bundle'] },
      },
    ]);
  });

  it('takes every script of a folder, but not packages installed in it', (t) => {
    const root = makeTree(t, {
      'dist/b.mjs': '',
      'dist/a.js': '',
      'dist/chunks/c.cjs': '',
      'dist/a.js.map': '',
      'dist/a.d.ts': '',
      'dist/node_modules/x/index.js': '',
    });
    const [copy] = named(root, 'dist');
    assert.deepEqual(copy?.files, { kind: 'folder', names: ['a.js', 'b.mjs', 'chunks/c.cjs'] });
    assert.equal(copy?.dir, `${root}/dist`);
  });

  it('follows the link that was named', (t) => {
    const root = makeTree(t, { 'real/x.js': '', 'x.js': link('real/x.js') });
    assert.equal(named(root, 'x.js')[0]?.dir, `${root}/real`);
    assert.equal(named(root, 'x.js', 'real/x.js').length, 1);
  });

  it('takes several, of one directory as well, and then searches no directory that was not named', (t) => {
    const root = makeTree(t, {
      'package.json': '{"name":"app"}',
      [sdkPlace]: sdk('1.0.0'),
      'a.js': '',
      'b.js': '',
    });
    const names = (copies: Copy[]): string[] =>
      copies.map((copy) => copy.files?.names.join() ?? copy.package);
    assert.deepEqual(names(named(root, 'a.js', 'b.js')), ['a.js', 'b.js']);
    const both = findInstalls({ cwd: root, dir: '.', files: ['a.js'] }).copies;
    assert.deepEqual(names(both), ['a.js', sdkName]);
  });

  it('says what is wrong with a file that is not there', (t) => {
    const root = makeTree(t, {});
    assert.throws(() => named(root, 'x.js'), {
      name: 'HoldopenError',
      code: 'no-file',
      message: /no such file/,
    });
  });
});
