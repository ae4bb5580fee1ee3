import { type Source, readSource } from '../locate/source.ts';
import { markerAtEnd, readMarker, sealOf } from './marker.ts';
import { GATE_HASH, REVISION } from './revision.ts';

/**
 * Whether a text, or the bytes of a file, is a patch of this very holdopen that nobody has touched since: a hash and no
 * parser. It is what makes `patch` on a patched tree cost next to nothing; `audit` does not trust it and proves the patch.
 */
export function isUntouchedPatch(content: Source | Buffer): boolean {
  const at = markerAtEnd(content);
  if (at < 0) return false;
  const line = content.slice(at);
  const search = readMarker(typeof line === 'string' ? line : readSource(line));
  if (search.kind !== 'found' || search.after !== '') return false;
  const { marker } = search;
  if (marker.revision !== REVISION || marker.gate !== GATE_HASH) return false;
  return sealOf(content.slice(0, at), marker) === marker.seal;
}
