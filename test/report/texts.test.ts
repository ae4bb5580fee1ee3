import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { printable, reasonText, reasonTexts, statusTexts } from '../../src/report/texts.ts';
import type { ReasonCode } from '../../src/types.ts';

describe('texts', () => {
  for (const code of Object.keys(reasonTexts) as ReasonCode[]) {
    it(`${code}: a clause with and without arguments`, () => {
      const args = { at: 12, found: 2, of: 3, role: 'read-loop', revision: 9, detail: 'EACCES', most: 500 };
      for (const text of [reasonText({ code }), reasonText({ code, args })]) {
        assert.match(text, /^[a-z].*[^.\s]$/);
        assert.doesNotMatch(text, /undefined|NaN|\[object|\(\)| {2}/);
      }
    });
  }

  it('says what the arguments say', () => {
    const says = (code: ReasonCode, args: Record<string, string | number>): string =>
      reasonText({ code, args });
    assert.match(says('role-not-bound', { role: 'read-loop', found: 0 }), /read-loop was found 0 times/);
    assert.match(says('role-not-bound', { role: 'read-loop', found: 1 }), /1 time;/);
    assert.match(says('class-ambiguous', { found: 2 }), /2 times/);
    assert.match(says('class-too-deep', { most: 500 }), /more than 500 levels/);
    assert.match(says('not-javascript', { at: 12 }), /byte 12$/);
    assert.match(says('gate-newer', { revision: 9 }), /revision 9/);
    assert.match(says('gate-incomplete', { found: 2, of: 3 }), /2 of the 3 pieces/);
    assert.match(says('cannot-read', { detail: 'EACCES' }), /: EACCES$/);
  });

  it('has a text for every status', () => {
    for (const text of Object.values(statusTexts)) assert.match(text, /^[a-z].*[^.]$/);
  });

  it('lets no control character through', () => {
    assert.equal(printable('a\u001b[31mb\u009bc\r\n\u202ed é'), 'a�[31mb�c���d é');
  });
});
