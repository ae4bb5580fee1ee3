import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { HoldopenError } from '../../src/errors.ts';
import { readMarker } from '../../src/patch/marker.ts';
import type { Tally } from '../support/report.ts';
import { mutations, random } from './mutate.ts';
import { inspectSource, patchSource, restoreSource } from '../support/texts.ts';

export interface FuzzCounts {
  inputs: number;
  patched: number;
  refused: number;
  unchanged: number;
}

/** How often each random mutation, times what `npm run reliability` asks for. */
export const manyTimes = (rounds: number): number => rounds * Number(process.env.HOLDOPEN_FUZZ_ROUNDS ?? 1);

/** An input must not take longer; a loaded machine gets its time. */
const limit = 20_000;

/**
 * Mutates a text in every way and looks at what the engine makes of it: nothing, a refusal with a reason, or a patch
 * that gives the mutated bytes back and is seen as one. All else is wrong, and what it throws is a crash.
 * @param name of the text, for messages
 * @param source bytes as latin1
 * @param options how often each random mutation, from which seed, and where to count
 */
export function fuzz(
  name: string,
  source: string,
  { rounds, seed, tally }: { rounds: number; seed: number; tally: Tally },
): FuzzCounts {
  const counts: FuzzCounts = { inputs: 0, patched: 0, refused: 0, unchanged: 0 };
  for (const [mutation, mutate] of Object.entries(mutations)) {
    for (let round = 0; round < (mutate.length > 1 ? rounds : 1); round += 1) {
      const where = `${name}, ${mutation}, seed ${seed}, round ${round}`;
      const text = mutate(source, random(seed + round));
      const began = performance.now();
      const outcome = tryOne(text);
      const took = performance.now() - began;
      assert.ok(took < limit, `${where} took ${took} ms`);
      counts.inputs += 1;
      const failed = outcome instanceof Error ? `${where}: ${described(outcome)}` : undefined;
      const isWrong = outcome instanceof assert.AssertionError;
      tally.count('wrong', isWrong, failed ?? where);
      tally.count('crashes', failed !== undefined && !isWrong, failed ?? where);
      if (!(outcome instanceof Error)) counts[outcome] += 1;
    }
  }
  return counts;
}

const described = (error: Error): string =>
  `${error instanceof HoldopenError ? error.code : ''} ${String(error)}`;

function tryOne(text: string): 'patched' | 'refused' | 'unchanged' | Error {
  try {
    assertNothingGuessed(text);
    const result = patchSource(text);
    if (result.outcome === 'refused') {
      assert.ok(result.reasons.length > 0, 'refused without a reason');
      return 'refused';
    }
    if (result.outcome === 'unchanged') return 'unchanged';
    const original =
      result.outcome === 'upgraded' ? restoreSource(text) : { outcome: 'restored', source: text };
    assert.deepEqual(restoreSource(result.source), original, 'not restored');
    assert.equal(inspectSource(result.source)?.status, 'patched');
    return 'patched';
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What restore gives back of a damaged patch is the original by its hash, or nothing. */
function assertNothingGuessed(text: string): void {
  const restored = restoreSource(text);
  if (restored.outcome !== 'restored') return;
  const search = readMarker(text);
  const hash = createHash('sha256').update(restored.source, 'latin1').digest('hex');
  assert.equal(search.kind === 'found' && search.marker.sha256, hash, 'restored something else');
}

/** Adds counts up, in the words of the report. */
export function total(all: readonly FuzzCounts[]): Record<string, number> {
  const sum = (name: keyof FuzzCounts): number => all.reduce((count, one) => count + one[name], 0);
  return {
    inputs: sum('inputs'),
    patched: sum('patched'),
    refused: sum('refused'),
    noBundle: sum('unchanged'),
  };
}
