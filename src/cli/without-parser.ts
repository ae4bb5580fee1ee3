import { isKnownUnaffected } from '../locate/known.ts';
import { isUntouchedPatch } from '../patch/untouched.ts';
import { emptyBundle } from '../status.ts';
import type { BundleReport } from '../types.ts';

/**
 * What hashes alone tell of a bundle: that it is patched and nobody has touched it since, or that it is a released one
 * with nothing to patch. It is what makes `patch` on a patched tree cost next to nothing.
 * @returns a report without hash and facts, for people only; undefined where the text has to be looked at
 */
export function withoutParser(file: string, bytes: Buffer): BundleReport | undefined {
  if (isUntouchedPatch(bytes)) return emptyBundle(file, 'patched', [{ code: 'gate-current' }]);
  return isKnownUnaffected(bytes)
    ? emptyBundle(file, 'unaffected', [{ code: 'end-input-empty' }])
    : undefined;
}
