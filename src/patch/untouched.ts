import { type Source, sha256 } from '../locate/source.ts';
import { readMarker } from './marker.ts';
import { GATE_HASH, REVISION } from './revision.ts';

/**
 * Whether a text is a patch of this very holdopen that nobody has touched since: two hashes and no parser. It is what
 * makes `patch` on a patched tree cost next to nothing; `audit` does not trust it and proves the patch.
 */
export function isUntouchedPatch(source: Source): boolean {
  const search = readMarker(source);
  if (search.kind !== 'found' || search.after !== '') return false;
  const { revision, gate, patched } = search.marker;
  return revision === REVISION && gate === GATE_HASH && sha256(source.slice(0, search.at)) === patched;
}
