import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditExitCode, defaultFailOn, patchExitCode, restoreExitCode } from '../../src/cli/exit-code.ts';
import { buildCopy, buildReport } from '../../src/report/build.ts';
import { emptyBundle, statuses } from '../../src/status.ts';
import type { Report, Status } from '../../src/types.ts';

/** A report of one copy with a bundle of each status; of no copy for none. */
function report(...found: Status[]): Report {
  const bundles = found.map((status) => emptyBundle(status, status, []));
  const copy = buildCopy({ package: 'x', version: null, path: 'x', layout: 'npm', bundles });
  return buildReport('/p', found.length > 0 ? [copy] : []);
}

describe('exit code of audit', () => {
  const policy = { failOn: defaultFailOn, requireSdk: false };
  const codes: Record<Status, number> = {
    unaffected: 0,
    patched: 0,
    partial: 1,
    stale: 1,
    affected: 1,
    modified: 1,
    unknown: 1,
    unreadable: 2,
  };
  for (const status of statuses) {
    it(`${status}: ${codes[status]}`, () => {
      assert.equal(auditExitCode(report(status), policy), codes[status]);
      assert.equal(auditExitCode(report('patched', status), policy), codes[status]);
    });
  }

  it('what could not be read outweighs findings', () => {
    assert.equal(auditExitCode(report('affected', 'unreadable'), policy), 2);
    assert.equal(auditExitCode(report('unreadable'), { ...policy, failOn: [] }), 2);
  });

  it('--fail-on looks at every bundle, not at the worst alone', () => {
    assert.equal(auditExitCode(report('affected', 'unknown'), { ...policy, failOn: ['affected'] }), 1);
    assert.equal(auditExitCode(report('affected', 'unknown'), { ...policy, failOn: ['stale'] }), 0);
    assert.equal(auditExitCode(report('patched'), { ...policy, failOn: ['patched'] }), 1);
  });

  it('no SDK is clean unless one is required', () => {
    assert.equal(auditExitCode(report(), policy), 0);
    assert.equal(auditExitCode(report(), { ...policy, requireSdk: true }), 2);
    assert.equal(auditExitCode(report('patched'), { ...policy, requireSdk: true }), 0);
  });
});

describe('exit code of patch', () => {
  const policy = { soft: false, requireSdk: false };
  it('is 1 for whatever is left unpatched, and 2 for what could not be read', () => {
    assert.equal(patchExitCode(report('patched', 'unaffected'), policy), 0);
    for (const status of ['affected', 'partial', 'stale', 'modified', 'unknown'] as const) {
      assert.equal(patchExitCode(report('patched', status), policy), 1, status);
    }
    assert.equal(patchExitCode(report('unreadable', 'affected'), policy), 2);
  });

  it('--soft makes that 0, but not a missing SDK that was required', () => {
    assert.equal(patchExitCode(report('affected', 'unreadable'), { ...policy, soft: true }), 0);
    assert.equal(patchExitCode(report(), policy), 0);
    assert.equal(patchExitCode(report(), { soft: true, requireSdk: true }), 2);
  });
});

describe('exit code of restore', () => {
  it('is 1 only if a patch could not be taken out', () => {
    assert.equal(restoreExitCode(report('affected', 'unknown'), 0), 0);
    assert.equal(restoreExitCode(report('modified'), 1), 1);
    assert.equal(restoreExitCode(report('modified', 'unreadable'), 1), 2);
    assert.equal(restoreExitCode(report(), 0), 0);
  });
});
