import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCopy, buildReport } from '../../src/report/build.ts';
import { emptyBundle, statuses, worstStatus } from '../../src/status.ts';
import type { CopyReport, Status } from '../../src/types.ts';

function copy(...found: Status[]): CopyReport {
  const bundles = found.map((status, index) => emptyBundle(`${index}.js`, status, []));
  return buildCopy({ package: 'x', version: null, path: 'x', layout: 'npm', bundles });
}

describe('report', () => {
  it('gives a copy its worst bundle, in whatever order they come', () => {
    statuses.forEach((worse, at) => {
      for (const better of statuses.slice(0, at + 1)) {
        assert.equal(copy(better, worse).status, worse);
        assert.equal(copy(worse, better).status, worse);
      }
    });
  });

  it('does not call good what nothing was proved of', () => {
    assert.equal(worstStatus([]), 'unknown');
  });

  it('counts every status, also those that no copy has', () => {
    const copies = [copy('patched'), copy('patched', 'affected'), copy('patched')];
    assert.deepEqual(buildReport('/p', copies), {
      schema: 'holdopen/report@1',
      root: '/p',
      summary: {
        copies: 3,
        unaffected: 0,
        patched: 2,
        partial: 0,
        stale: 0,
        affected: 1,
        modified: 0,
        unknown: 0,
        unreadable: 0,
      },
      copies,
      differences: [],
    });
  });
});
