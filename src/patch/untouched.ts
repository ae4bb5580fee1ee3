import type { Source } from '../locate/source.ts';
import { readMarker, sealOf } from './marker.ts';
import { GATE_HASH, REVISION } from './revision.ts';

/**
 * Whether a text is a patch of this very holdopen that nobody has touched since: a hash and no parser. It is what
 * makes `patch` on a patched tree cost next to nothing; `audit` does not trust it and proves the patch.
 */
export function isUntouchedPatch(source: Source): boolean {
  const search = readMarker(source);
  if (search.kind !== 'found' || search.after !== '') return false;
  const { marker, at } = search;
  if (marker.revision !== REVISION || marker.gate !== GATE_HASH) return false;
  return sealOf(source.slice(0, at), marker) === marker.seal;
}
