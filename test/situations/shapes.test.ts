/** A real release of each shape of `streamInput`, by what tells the families apart and what naive patches break. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { probe } from '../../src/probe/probe.ts';
import { readFileSync } from 'node:fs';
import { programs } from '../support/drive-fixture.ts';
import { assertClean, named } from '../support/probed.ts';
import { installRelease } from '../support/releases.ts';
import { Bundle } from '../../src/locate/bundle.ts';

/** The last release of each shape, from the oldest to the newest. */
const shapes = [
  { version: '0.1.11', family: 'timed-race' },
  { version: '0.1.13', family: 'timed-race' },
  { version: '0.1.27', family: 'timed-race' },
  { version: '0.1.29', family: 'timed-race' },
  { version: '0.1.62', family: 'timed-race' },
  { version: '0.1.72', family: 'inactivity' },
  { version: '0.1.76', family: 'first-result' },
  { version: '0.3.278', family: 'first-result' },
  { version: '0.3.280', family: 'first-result' },
  { version: '0.3.283', family: 'first-result' },
  { version: '0.3.316', family: 'run-end' },
  { version: '0.3.332', family: 'run-end' },
];

describe('a release of each shape: what stock does is what its status says, and patched it is clean', () => {
  for (const { version, family } of shapes)
    test(`${version} (${family})`, async () => {
      const path = join(await installRelease(version), 'sdk.mjs');
      const subject = { path, bundle: new Bundle(readFileSync(path)), version };
      const scenarios = named('S1', 'S9', 'S13', 'S17', 'P1');
      const kinds = ['canUseTool'] as const;
      const outcome = await probe(subject, { scenarios, kinds, concurrency: 6, programs: await programs() });
      assert.ok('runs' in outcome, JSON.stringify(outcome));
      assert.equal(outcome.family, family);
      assertClean(outcome);
    });
});
