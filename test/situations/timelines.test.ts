/** Random legal runs of a CLI, in every dialect, held against what that CLI itself knows to be outstanding. */
import { test } from 'node:test';
import { RandomRun } from '../support/random-run.ts';

const { HOLDOPEN_SEED: seed = '1', HOLDOPEN_RUNS: runs = '100000' } = process.env;

test(`${runs} random runs from seed ${seed}: held until all is over, and no longer`, async () => {
  const first = Number(seed);
  for (let n = 0; n < Number(runs); n += 1) await new RandomRun(first + n).play();
});
