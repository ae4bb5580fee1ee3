import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClean, named, probed } from '../support/probed.ts';

/** A version of a time when SDKs of this family were released: one dialect instead of all. */
const families = [
  { name: 'timed-race', version: '0.0.4' },
  { name: 'timed-race-hooks', version: '0.1.30' },
  { name: 'inactivity', version: '0.1.67' },
  { name: 'first-result', version: '0.3.150' },
  { name: 'first-result-mirror', version: '0.3.205' },
  { name: 'run-end', version: '0.3.284' },
  { name: 'run-end-prompt-hold', version: '0.3.332' },
];

describe('every family: stock shows its fault, the patched bundle is clean', { concurrency: 2 }, () => {
  for (const { name, version } of families) {
    test(`${name}, every scenario with canUseTool and an iterable`, async () => {
      const outcome = await probed(
        `src/${name}.mjs`,
        { kinds: ['canUseTool', 'none'], prompts: ['iterable'] },
        version,
      );
      assertClean(outcome);
      assert.ok(outcome.runs.some(({ scenario, stock }) => scenario === 'S13' && stock.outcome === 'lost'));
    });

    test(`${name}, minified, with every callback and prompt`, async () => {
      const scenarios = named('S2', 'S3', 'S8', 'S9', 'S13', 'S17', 'S22', 'S28', 'P1');
      assertClean(await probed(`dist/${name}.terser.mjs`, { scenarios }, version));
    });
  }

  test('first-result in every dialect that it met', async () => {
    const options = { scenarios: named('S1', 'S9', 'S13'), kinds: ['canUseTool'] as const };
    const outcome = await probed('src/first-result.mjs', options);
    assertClean(outcome);
    assert.equal(outcome.dialects.length, 6);
  });
});
