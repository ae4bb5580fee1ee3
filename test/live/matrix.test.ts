// Situations that a patched SDK must survive, on real releases: a cheap slice, the whole with HOLDOPEN_MATRIX=all.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { disposeBundles } from './bundles.ts';
import { slice, versions } from './matrix/evidence.ts';
import { problemsOf } from './matrix/outcome.ts';
import { play } from './matrix/play.ts';
import { scenarios } from './matrix/scenarios/index.ts';

after(disposeBundles);

const whole = process.env.HOLDOPEN_MATRIX === 'all';
/** What seed.test.ts does not have: hooks and MCP only, chains, news of what is over, leaving. */
const cheap = ['S3', 'S4', 'S5', 'S9', 'S13 warmed', 'S20 abort'];

describe(whole ? 'the matrix' : 'a slice of the matrix', { concurrency: 2 }, () => {
  for (const version of whole ? versions : slice)
    for (const scenario of scenarios.filter(
      ({ id, lacking }) => (whole || cheap.includes(id)) && !lacking?.includes(version),
    ))
      for (const kind of whole ? scenario.kinds : scenario.kinds.slice(-1))
        test(`${version} ${scenario.id} (${kind}): ${scenario.title}`, async () => {
          // Stock is for comparison only, where there is something to compare.
          const compared = whole || scenario.asStock === true || scenario.leaves === true;
          const patched = await play(version, 'patched', scenario, kind);
          const stock = compared ? await play(version, 'stock', scenario, kind) : undefined;
          assert.deepEqual(problemsOf(version, scenario, patched, stock), []);
        });
});
