import assert from 'node:assert/strict';
import fs, { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, test } from 'node:test';
import { FileReader, readRegular } from '../../../src/locate/installs/read.ts';
import { makePipe, noPipes } from '../../support/pipe.ts';
import { Tally } from '../../support/report.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdopen-read-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a regular file is read as it is', () => {
  const path = join(folder, 'file');
  writeFileSync(path, 'text');
  assert.equal(readRegular(path).toString(), 'text');
});

test('a pipe that nobody writes to is refused and not waited for', { skip: noPipes }, () => {
  const path = join(folder, 'pipe');
  makePipe(path);
  assert.throws(() => readRegular(path), { code: 'not a regular file', syscall: 'read' });
});

const noDevices = process.platform === 'win32' && 'no device files on Windows';
test('a device is refused', { skip: noDevices }, () => {
  assert.throws(() => readRegular('/dev/zero'), { code: 'not a regular file' });
});

test('a directory is called one, and what is missing is', () => {
  assert.throws(() => readRegular(folder), { code: 'EISDIR' });
  assert.throws(() => readRegular(join(folder, 'none')), { code: 'ENOENT' });
});

const readers = {
  readRegular,
  FileReader: (path: string): Buffer => new FileReader().read(path),
  // Its memory has room for all of it.
  'FileReader again': (path: string): Buffer => {
    const reader = new FileReader();
    writeFileSync(join(folder, 'before'), Buffer.alloc(100_000, 'before'));
    reader.read(join(folder, 'before'));
    return reader.read(path);
  },
};

test('a file that changes after it was looked at is read whole, and it alone', (t) => {
  const path = join(folder, 'growing');
  const other = join(folder, 'other');
  const more = 'more\n'.repeat(5_000);
  const changes = {
    grows: (old: string) => (fs.appendFileSync(path, more), old + more),
    'grows by one byte': (old: string) => (fs.appendFileSync(path, '.'), `${old}.`),
    'is emptied': () => (fs.truncateSync(path), ''),
    'grows, and another takes its name': (old: string) => {
      fs.appendFileSync(path, more);
      renameSync(other, path);
      return old + more;
    },
  };
  const tally = new Tally('half');
  let files = 0;
  for (const [name, change] of Object.entries(changes))
    for (const [reader, read] of Object.entries(readers))
      for (const step of ['fstatSync', 'readSync'] as const)
        for (const old of ['old\n', '']) {
          // Nothing is read by itself of a file that is empty, nor by readRegular.
          if (step === 'readSync' && (old === '' || reader === 'readRegular' || name === 'is emptied'))
            continue;
          writeFileSync(path, old);
          writeFileSync(other, 'another file');
          const { bytes, expected } = changedAfter(t, step, path, () => change(old), read);
          tally.count(
            'half',
            bytes !== expected,
            `${reader}: ${name} after ${step}, from ${old.length} bytes`,
          );
          files += 1;
        }
  tally.report(t, 'growing-file', { files });
});

/** Reads a file that changes once, right after a step of the reading. */
function changedAfter(
  t: TestContext,
  step: 'fstatSync' | 'readSync',
  path: string,
  change: () => string,
  read: (path: string) => Buffer,
): { bytes: string; expected: string | undefined } {
  const { ino } = fs.statSync(path);
  let expected: string | undefined;
  const { fstatSync } = fs;
  const real = fs[step] as (fd: number, ...rest: unknown[]) => unknown;
  const mock = t.mock.method(fs, step, (fd: number, ...rest: unknown[]) => {
    const result = real(fd, ...rest);
    if (fstatSync(fd).ino === ino) expected ??= change();
    return result;
  });
  // The module under test has its functions by name.
  syncBuiltinESMExports();
  try {
    const bytes = read(path).toString();
    return { bytes, expected };
  } finally {
    mock.mock.restore();
    syncBuiltinESMExports();
  }
}
