import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { HoldopenError } from '../../src/errors.ts';
import { patchSource, restoreSource } from '../../src/patch/apply.ts';
import { inspectSource } from '../../src/patch/inspect.ts';
import { readMarker } from '../../src/patch/marker.ts';
import { mutations, random } from './mutate.ts';

export interface FuzzCounts {
  inputs: number;
  patched: number;
  refused: number;
  unchanged: number;
  slowest: number;
}

/** An input must not take longer; a loaded machine gets its time. */
const limit = 20_000;

/**
 * Mutates a text in every way and looks at what the engine makes of it: nothing, a refusal with a reason, or a patch
 * that gives the mutated bytes back and is seen as one. What it throws fails the test.
 * @param name of the text, for messages
 * @param source bytes as latin1
 * @param options how often each random mutation, from which seed
 */
export function fuzz(
  name: string,
  source: string,
  { rounds, seed }: { rounds: number; seed: number },
): FuzzCounts {
  const counts: FuzzCounts = { inputs: 0, patched: 0, refused: 0, unchanged: 0, slowest: 0 };
  for (const [mutation, mutate] of Object.entries(mutations)) {
    for (let round = 0; round < (mutate.length > 1 ? rounds : 1); round += 1) {
      const where = `${name}, ${mutation}, seed ${seed}, round ${round}`;
      const text = mutate(source, random(seed + round));
      const began = performance.now();
      counts[tryOne(text, where)] += 1;
      const took = performance.now() - began;
      assert.ok(took < limit, `${where} took ${took} ms`);
      counts.inputs += 1;
      counts.slowest = Math.max(counts.slowest, Math.round(took));
    }
  }
  return counts;
}

function tryOne(text: string, where: string): 'patched' | 'refused' | 'unchanged' {
  try {
    assertNothingGuessed(text, where);
    const result = patchSource(text);
    if (result.outcome === 'refused') {
      assert.ok(result.reasons.length > 0, `${where}: refused without a reason`);
      return 'refused';
    }
    if (result.outcome === 'unchanged') return 'unchanged';
    const original =
      result.outcome === 'upgraded' ? restoreSource(text) : { outcome: 'restored', source: text };
    assert.deepEqual(restoreSource(result.source), original, `${where}: not restored`);
    assert.equal(inspectSource(result.source)?.status, 'patched', where);
    return 'patched';
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    const code = error instanceof HoldopenError ? error.code : '';
    throw new Error(`${where}: ${code} ${String(error)}`, { cause: error });
  }
}

/** What restore gives back of a damaged patch is the original by its hash, or nothing. */
function assertNothingGuessed(text: string, where: string): void {
  const restored = restoreSource(text);
  if (restored.outcome !== 'restored') return;
  const search = readMarker(text);
  const hash = createHash('sha256').update(restored.source, 'latin1').digest('hex');
  assert.equal(search.kind === 'found' && search.marker.sha256, hash, `${where}: restored something else`);
}

/** Adds counts up. */
export function total(all: readonly FuzzCounts[]): FuzzCounts {
  return all.reduce((sum, one) => ({
    inputs: sum.inputs + one.inputs,
    patched: sum.patched + one.patched,
    refused: sum.refused + one.refused,
    unchanged: sum.unchanged + one.unchanged,
    slowest: Math.max(sum.slowest, one.slowest),
  }));
}
