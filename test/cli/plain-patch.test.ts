import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plainPatch } from '../../src/cli/patch.ts';

describe('the plain form of patch', () => {
  test('is read without commander', () => {
    const plain = plainPatch(['patch']);
    assert.deepEqual([plain?.dir, plain?.quiet, plain?.soft], [undefined, false, false]);
    const more = plainPatch(['patch', '--quiet', 'app', '--soft']);
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
      ['patch', ''],
    ])
      assert.equal(plainPatch(argv), undefined, argv.join(' '));
  });
});
