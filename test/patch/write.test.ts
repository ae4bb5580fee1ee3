import assert from 'node:assert/strict';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { HoldopenError } from '../../src/errors.ts';
import { replaceFile } from '../../src/patch/write.ts';
import { assertUntouched } from '../support/files.ts';
import { Tally } from '../support/report.ts';
import { hardLink, link, makeTree, mode } from '../support/tree.ts';

const old = Buffer.from('old bytes \xff\0', 'latin1');
const next = Buffer.from('new bytes \xfe\0, more of them', 'latin1');

describe('replaceFile', () => {
  it('replaces the bytes and keeps the mode', (t) => {
    const root = makeTree(t, { 'run.js': mode(0o751, old), 'other.js': 'x' });
    assert.equal(replaceFile(join(root, 'run.js'), old, next, { root }), 'written');
    assert.deepEqual(fs.readFileSync(join(root, 'run.js')), next);
    assert.equal(fs.statSync(join(root, 'run.js')).mode & 0o7777, 0o751);
    assert.deepEqual(fs.readdirSync(root).sort(), ['other.js', 'run.js']);
  });

  // A plain user cannot make a file of somebody else; what the code does then is tested below with a failing chown.
  it('keeps the owner where it may', { skip: process.getuid?.() !== 0 && 'needs root' }, (t) => {
    const root = makeTree(t, { a: mode(0o4755, old) });
    fs.chownSync(join(root, 'a'), 1234, 2345);
    fs.chmodSync(join(root, 'a'), 0o4755);
    replaceFile(join(root, 'a'), old, next, { root });
    const { uid, gid, mode: bits } = fs.statSync(join(root, 'a'));
    assert.deepEqual([uid, gid, bits & 0o7777], [1234, 2345, 0o4755]);
  });

  it('replaces a read-only file: that its directory can be written is what counts', (t) => {
    const root = makeTree(t, { a: mode(0o444, old) });
    replaceFile(join(root, 'a'), old, next, { root });
    assert.equal(fs.statSync(join(root, 'a')).mode & 0o7777, 0o444);
  });

  it('does not touch a file that holds the new bytes already', (t) => {
    const root = makeTree(t, { a: next });
    const before = fs.statSync(join(root, 'a'));
    const open = t.mock.method(fs, 'openSync');
    assert.equal(replaceFile(join(root, 'a'), old, next, { root }), 'unchanged');
    assert.equal(fs.statSync(join(root, 'a')).ino, before.ino);
    const opened = open.mock.calls.map((call) => call.arguments[0]);
    assert.deepEqual(opened, [], 'no temporary file');
  });

  it('leaves a file alone that is not what was read', (t) => {
    const root = makeTree(t, { a: 'something else' });
    assert.throws(() => replaceFile(join(root, 'a'), old, next, { root }), expected('file-changed'));
    reportUntouched(t, 'file-changes', root, 'something else', { changes: 1 });
  });
});

describe('replaceFile and links', () => {
  it('leaves the old bytes to every other hard link', (t) => {
    const root = makeTree(t, { 'store/x': old, 'p/a': hardLink('store/x'), 'q/a': hardLink('store/x') });
    replaceFile(join(root, 'p/a'), old, next, { root });
    assert.deepEqual(fs.readFileSync(join(root, 'p/a')), next);
    assert.deepEqual(fs.readFileSync(join(root, 'q/a')), old);
    assert.deepEqual(fs.readFileSync(join(root, 'store/x')), old);
    assert.equal(fs.statSync(join(root, 'p/a')).nlink, 1);
  });

  it('writes behind a symlink that stays inside, and the symlink stays one', (t) => {
    const root = makeTree(t, { 'lib/a': old, a: link('lib/a') });
    replaceFile(join(root, 'a'), old, next, { root });
    assert.deepEqual(fs.readFileSync(join(root, 'lib/a')), next);
    assert.equal(fs.readlinkSync(join(root, 'a')), 'lib/a');
    assert.deepEqual(fs.readdirSync(root).sort(), ['a', 'lib']);
  });

  for (const [name, path] of [
    ['file', 'p/a'],
    ['directory', 'p/pack/a'],
  ] as const) {
    it(`refuses a ${name} that a symlink takes out of the root`, (t) => {
      const root = makeTree(t, { 'out/a': old, 'p/a': link('../out/a'), 'p/pack': link('../out') });
      const write = (): unknown => replaceFile(join(root, path), old, next, { root: join(root, 'p') });
      assert.throws(write, {
        ...expected('outside-root'),
        message: /out\/a/,
        hint: new RegExp(`${root}/out`),
      });
      assertUntouched(root, 'out/a', old);
    });
  }

  it('writes there if that is what was named, also through a link', (t) => {
    const root = makeTree(t, { 'out/a': old, 'p/pack': link('../out') });
    replaceFile(join(root, 'p/pack/a'), old, next, { root: join(root, 'p/pack') });
    assert.deepEqual(fs.readFileSync(join(root, 'out/a')), next);
  });

  it('does not take a sibling whose name begins like the root for inside', (t) => {
    const root = makeTree(t, { 'p2/a': old, 'p/a': link('../p2/a') });
    assert.throws(
      () => replaceFile(join(root, 'p/a'), old, next, { root: join(root, 'p') }),
      expected('outside-root'),
    );
  });
});

describe('replaceFile when the system refuses', () => {
  /** Every step after the first look, with a code that it can fail with. */
  const steps = [
    ['openSync', 'EACCES', 'no-permission'],
    ['openSync', 'EROFS', 'read-only'],
    ['writeFileSync', 'ENOSPC', 'disk-full'],
    ['writeFileSync', 'EDQUOT', 'disk-full'],
    ['fchmodSync', 'EPERM', 'no-permission'],
    ['fsyncSync', 'EIO', 'write-failed'],
    ['closeSync', 'ENOSPC', 'disk-full'],
    ['openSync', 'ENAMETOOLONG', 'path-too-long'],
    ['renameSync', 'EBUSY', 'file-busy'],
    ['renameSync', 'ENOENT', 'file-gone'],
  ] as const;
  for (const [step, system, code] of steps) {
    it(`${step} ${system}: ${code}, the old file, no temporary file`, (t) => {
      const root = makeTree(t, { a: old });
      const failed = failOnce(t, step, system);
      assert.throws(() => replaceFile(join(root, 'a'), old, next, { root }), {
        ...expected(code),
        message: new RegExp(`cannot write ${join(root, 'a')}: .*\\(${system}\\)`),
        hint: /./,
      });
      assert.equal(failed(), 1);
      t.mock.restoreAll();
      reportUntouched(t, 'write-faults', root, old, { faults: failed() });
    });
  }

  for (const system of ['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP'])
    it(`does not mind that the file cannot be given to its owner: ${system}`, (t) => {
      const root = makeTree(t, { a: old });
      const now = fs.fstatSync;
      t.mock.method(fs, 'fstatSync', (file: number) => ({ ...now(file), uid: 4711 }));
      const chown = t.mock.method(fs, 'fchownSync', failing('fchownSync', system));
      assert.equal(replaceFile(join(root, 'a'), old, next, { root }), 'written');
      assert.equal(chown.mock.callCount(), 1);
    });

  it('writes a file whose name is as long as a name can be', (t) => {
    for (const name of ['x'.repeat(255), '\u{1F98A}'.repeat(63), '\u00E9'.repeat(127)]) {
      const root = makeTree(t, { [name]: old });
      assert.equal(replaceFile(join(root, name), old, next, { root }), 'written');
      assertUntouched(root, name, next);
    }
  });

  it('has written the file even if the directory cannot be synced', (t) => {
    const root = makeTree(t, { a: old });
    const sync = fs.fsyncSync;
    const mocked = t.mock.method(fs, 'fsyncSync', (file: number) => {
      if (fs.fstatSync(file).isDirectory()) failing('fsyncSync', 'EINVAL')();
      sync(file);
    });
    assert.equal(replaceFile(join(root, 'a'), old, next, { root }), 'written');
    assert.equal(mocked.mock.callCount(), 2, 'the file and its directory');
  });

  for (const system of ['ENOSYS', 'EINVAL', 'ENOTSUP'])
    it(`writes where the file system cannot sync: ${system}`, (t) => {
      const root = makeTree(t, { a: old });
      t.mock.method(fs, 'fsyncSync', failing('fsyncSync', system));
      assert.equal(replaceFile(join(root, 'a'), old, next, { root }), 'written');
      t.mock.restoreAll();
      assertUntouched(root, 'a', next);
    });

  it('passes on what is a bug', (t) => {
    const root = makeTree(t, { a: old });
    t.mock.method(fs, 'renameSync', () => {
      throw new TypeError('a bug');
    });
    assert.throws(() => replaceFile(join(root, 'a'), old, next, { root }), TypeError);
    assertUntouched(root, 'a', old);
  });

  it('sees a change that comes while it writes', (t) => {
    const root = makeTree(t, { a: old });
    const sync = fs.fsyncSync;
    t.mock.method(fs, 'fsyncSync', (file: number) => {
      sync(file);
      fs.writeFileSync(join(root, 'a'), 'a new release');
    });
    assert.throws(() => replaceFile(join(root, 'a'), old, next, { root }), expected('file-changed'));
    reportUntouched(t, 'file-changes', root, 'a new release', { changes: 1 });
  });
});

/** The file `a` has these bytes, and is alone. */
function reportUntouched(
  t: TestContext,
  row: 'file-changes' | 'write-faults',
  root: string,
  bytes: Buffer | string,
  tried: Record<string, number>,
): void {
  const tally = new Tally('lost', 'leftovers');
  const file = join(root, 'a');
  tally.count('lost', !fs.existsSync(file) || !fs.readFileSync(file).equals(Buffer.from(bytes)), file);
  tally.count('leftovers', fs.readdirSync(root).length > 1, fs.readdirSync(root).join());
  tally.report(t, row, tried);
}

type Step = 'openSync' | 'writeFileSync' | 'fchmodSync' | 'fsyncSync' | 'closeSync' | 'renameSync';

/**
 * Lets a step fail, once the temporary file is being made: reading opens and closes files as well.
 * @returns how often it failed
 */
function failOnce(t: TestContext, step: Step, system: string): () => number {
  const real = { open: fs.openSync, step: fs[step] as (...args: unknown[]) => unknown };
  let ours = false;
  let failures = 0;
  const fail = (): void => {
    failures += 1;
    ours = false;
    failing(step, system)();
  };
  t.mock.method(fs, 'openSync', (...args: Parameters<typeof fs.openSync>) => {
    ours ||= String(args[0]).includes('.holdopen-');
    if (ours && step === 'openSync') fail();
    return real.open(...args);
  });
  if (step !== 'openSync') {
    t.mock.method(fs, step, (...args: unknown[]) => {
      const now = ours;
      // A file whose closing fails is closed all the same.
      if (!now || step === 'closeSync') real.step(...args);
      if (now) fail();
    });
  }
  return () => failures;
}

function expected(code: string): { name: string; code: string } {
  return { name: HoldopenError.name, code };
}

function failing(syscall: string, code: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
  };
}
