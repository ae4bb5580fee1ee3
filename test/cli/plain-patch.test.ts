import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plainPatch } from '../../src/cli/plain-patch.ts';

const cwd = '/work';

describe('the plain form of patch', () => {
  test('is read without commander', () => {
    const plain = plainPatch(['patch'], cwd);
    assert.deepEqual([plain?.dir, plain?.cwd, plain?.quiet, plain?.soft], [undefined, cwd, false, false]);
    const more = plainPatch(['patch', '--quiet', 'app', '--soft'], cwd);
    assert.deepEqual([more?.dir, more?.quiet, more?.soft], ['app', true, true]);
  });

  test('is nothing else: what it does not know goes to commander', () => {
    for (const argv of [
      [],
      ['audit'],
      ['--help'],
      ['patch', '--help'],
      ['patch', '--dry-run'],
      ['patch', '--format', 'json'],
      ['patch', '--file', 'x'],
      ['patch', 'a', 'b'],
      ['patch', '--', 'a'],
      ['patch', '-q'],
    ])
      assert.equal(plainPatch(argv, cwd), undefined, argv.join(' '));
  });
});
