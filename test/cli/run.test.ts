import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { changing } from '../../src/cli/change.ts';
import type { ChangeOptions, Changes } from '../../src/cli/change.ts';
import { bundleReport, inspecting, run } from '../../src/cli/run.ts';
import type { Inspect } from '../../src/cli/run.ts';
import type { Inspection } from '../../src/patch/examine.ts';
import { pack, sdkName, sdkPlace } from '../support/installs.ts';
import { makeTree } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';

/** A pretended engine: texts say themselves what they are, and `affected` is patched into `patched`. */
const inspect: Inspect = ({ text: source }) => {
  const status = /is (affected|patched|broken)/.exec(source)?.[1];
  if (status === 'broken') throw new TypeError('a bug');
  return status === undefined ? undefined : inspection(status as 'affected' | 'patched');
};

function inspection(status: 'affected' | 'patched'): Inspection {
  return {
    status,
    family: null,
    known: false,
    since: null,
    needs: [],
    sites: 1,
    reasons: [],
    fingerprints: null,
  };
}

function text(status: string): string {
  return `streamInput endInput is ${status}`;
}

function twoCopies(first: string, second: string): Tree {
  return {
    'package.json': '{"name":"app"}',
    [sdkPlace]: pack(sdkName, '1.0.0', { 'sdk.mjs': first }),
    [`node_modules/b/${sdkPlace}`]: pack(sdkName, '2.0.0', { 'sdk.mjs': second }),
  };
}

/** `race` is called between reading and writing, as if another process were at work. */
async function patch(cwd: string, race: () => void = () => undefined): Promise<[Changes, ...unknown[]]> {
  const changes: Changes = { done: [], refused: [], failed: [] };
  const before: ChangeOptions['before'] = (file, bundle) => {
    const seen = inspect(bundle);
    return seen && bundleReport(file, bundle, seen);
  };
  const visit = changing(
    {
      change: (bundle) => {
        race();
        const done = inspect(bundle)?.status === 'patched';
        return done ? { outcome: 'unchanged' } : { outcome: 'patched', source: text('patched') };
      },
      before,
      after: (file, _bundle, next) => before(file, next),
      dryRun: false,
    },
    changes,
  );
  const { report, crashes } = await run({ cwd }, () => Promise.resolve(visit));
  return [changes, report.copies.map((copy) => copy.status), crashes];
}

describe('run', () => {
  it('goes on after a bug that one file brings out, and keeps it', async (t) => {
    const cwd = makeTree(t, twoCopies(text('broken'), text('affected')));
    const { report, crashes } = await run({ cwd }, () => Promise.resolve(inspecting(inspect)));
    assert.deepEqual(
      report.copies.map((copy) => copy.status),
      ['unreadable', 'affected'],
    );
    assert.equal(crashes.length, 1);
    assert.ok(crashes[0] instanceof TypeError);

    const [changes, statuses, bugs] = await patch(cwd);
    assert.deepEqual([statuses, (bugs as unknown[]).length], [['unreadable', 'patched'], 1]);
    assert.deepEqual(
      changes.done.map((place) => place.display),
      [`node_modules/b/${sdkPlace}/sdk.mjs`],
    );
  });

  it('does not load the engine where nothing can hold the class', async (t) => {
    const cwd = makeTree(t, twoCopies('', 'streamInput'));
    const { report } = await run({ cwd }, () => assert.fail('loaded'));
    assert.equal(report.summary.unknown, 2);
  });

  it('takes a file that another run patched meanwhile for patched', async (t) => {
    const cwd = makeTree(t, twoCopies(text('affected'), text('patched')));
    const file = join(cwd, sdkPlace, 'sdk.mjs');
    const [changes, statuses] = await patch(cwd, () => writeFileSync(file, `${text('patched')} by another`));
    assert.deepEqual(statuses, ['patched', 'patched']);
    assert.deepEqual([changes.done, changes.failed], [[], []]);
    assert.equal(readFileSync(file, 'utf8'), `${text('patched')} by another`);
  });

  it('gives up on a file that never holds still, and says so', async (t) => {
    const cwd = makeTree(t, twoCopies(text('affected'), text('affected')));
    const file = join(cwd, sdkPlace, 'sdk.mjs');
    let times = 0;
    const [changes, statuses] = await patch(cwd, () =>
      writeFileSync(file, `${text('affected')} ${(times += 1)}`),
    );
    assert.deepEqual(statuses, ['affected', 'patched']);
    assert.deepEqual(
      changes.failed.map(({ error }) => error.code),
      ['file-changed'],
    );
    assert.match(readFileSync(file, 'utf8'), /is affected/);
  });
});
