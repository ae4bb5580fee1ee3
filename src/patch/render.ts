import { type Source, sha256 } from '../locate/source.ts';
import { planEdits } from './edits.ts';
import { GATE_FUNCTION } from './gate-function.ts';
import { type Marker, insert, markerLine, sealOf } from './marker.ts';
import type { Places } from './places.ts';
import { GATE_HASH, REVISION } from './revision.ts';

/** By the places of the one text that they are of. */
const rendered = new WeakMap<Places, Source>();

/** The patched text of an original. The same input always gives the same bytes. */
export function render(original: Source, places: Places): Source {
  const text = rendered.get(places) ?? renderAnew(original, places);
  rendered.set(places, text);
  return text;
}

function renderAnew(original: Source, places: Places): Source {
  const edits = planEdits(original, places);
  const text = insert(original, edits) + GATE_FUNCTION;
  const marker: Omit<Marker, 'seal'> = {
    revision: REVISION,
    gate: GATE_HASH,
    sha256: sha256(original),
    size: original.length,
    edits: edits.map((edit) => [edit.at, edit.text]),
  };
  return text + markerLine({ ...marker, seal: sealOf(text, marker) });
}
