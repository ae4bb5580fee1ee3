import type { Roles } from '../locate/roles.ts';
import { type Source, sha256 } from '../locate/source.ts';
import { findSpawnEnv } from '../locate/spawn-env.ts';
import type { Family } from '../types.ts';
import { planEdits } from './edits.ts';
import { type Edit, type Marker, insert, markerLine, sealOf } from './marker.ts';
import { GATE_FUNCTION, GATE_HASH, REVISION } from './revision.ts';

/** The edits of a bound class. Upstream's run-end family asks for session state itself. */
export function editsFor(source: Source, roles: Roles, family: Family): Edit[] {
  return planEdits(roles, family === 'run-end' ? undefined : findSpawnEnv(source));
}

/** By the roles of the one text that they are of. */
const rendered = new WeakMap<Roles, Source>();

/** The patched text of an original whose roles are bound. The same input always gives the same bytes. */
export function render(original: Source, roles: Roles, family: Family): Source {
  const text = rendered.get(roles) ?? renderAnew(original, roles, family);
  rendered.set(roles, text);
  return text;
}

function renderAnew(original: Source, roles: Roles, family: Family): Source {
  const edits = editsFor(original, roles, family);
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
