// What the tests ask of texts, which are quicker to write than bundles.
import type { Fingerprints } from '../../src/types.ts';
import type { Analysis } from '../../src/locate/analyze.ts';
import { Bundle } from '../../src/locate/bundle.ts';
import type { Source } from '../../src/locate/source.ts';
import { type PatchOutcome, type RestoreOutcome, patchBundle, restoreBundle } from '../../src/patch/apply.ts';
import { type Inspection, inspectBundle } from '../../src/patch/examine.ts';
import * as marker from '../../src/patch/marker.ts';

export const analyze = (text: Source): Analysis => new Bundle(text).analysis;
export const inspectSource = (text: Source): Inspection | undefined => inspectBundle(new Bundle(text));
export const patchSource = (text: Source): PatchOutcome => patchBundle(new Bundle(text));
export const restoreSource = (text: Source): RestoreOutcome => restoreBundle(new Bundle(text));
export const isUntouchedPatch = (text: Source): boolean => marker.isUntouchedPatch(new Bundle(text).bytes);

/** Of a text whose class binds. */
export function fingerprintsIn(text: Source): Fingerprints {
  const { fingerprints } = new Bundle(text);
  if (!fingerprints) throw new Error('the class does not bind');
  return fingerprints;
}
