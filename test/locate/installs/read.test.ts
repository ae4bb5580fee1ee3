import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readRegular } from '../../../src/locate/installs/read.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdopen-read-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a regular file is read as it is', () => {
  const path = join(folder, 'file');
  writeFileSync(path, 'text');
  assert.equal(readRegular(path).toString(), 'text');
});

test('a pipe that nobody writes to is refused and not waited for', () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  assert.throws(() => readRegular(path), { code: 'not a regular file', syscall: 'read' });
});

test('a device is refused, a directory is called one, and what is missing is', () => {
  assert.throws(() => readRegular('/dev/zero'), { code: 'not a regular file' });
  assert.throws(() => readRegular(folder), { code: 'EISDIR' });
  assert.throws(() => readRegular(join(folder, 'none')), { code: 'ENOENT' });
});
