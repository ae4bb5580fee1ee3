import { sha256 } from '../locate/analyze.ts';
import type { Roles } from '../locate/roles.ts';
import type { Source } from '../locate/source.ts';
import { findSpawnEnv } from '../locate/spawn-env.ts';
import type { Family } from '../types.ts';
import { type Edit, GATE_NAME, planEdits } from './edits.ts';
import { GATE_TEXT } from './gate-text.ts';
import { gateHash, insert, markerLine } from './marker.ts';

/** Goes up with every change of the gate or of an edit that users should get on the next `patch`. */
export const REVISION = 1;

/**
 * A function declaration is hoisted: it is there for every class of the file, wherever that stands, and
 * makes the gate when the first query asks for it.
 */
const GATE_FUNCTION =
  `\n;function ${GATE_NAME}(q,e){var m=${GATE_NAME}.m||(${GATE_NAME}.m=(function(){${GATE_TEXT}return g})());` +
  `return e?m.askForState(q,e):m.gateOf(q)}`;

export const GATE_HASH = gateHash(GATE_FUNCTION);

/** The edits of a bound class. Upstream's run-end family asks for session state itself. */
export function editsFor(source: Source, roles: Roles, family: Family): Edit[] {
  return planEdits(roles, family === 'run-end' ? undefined : findSpawnEnv(source));
}

/** The patched text of an original whose roles are bound. The same input always gives the same bytes. */
export function render(original: Source, roles: Roles, family: Family): Source {
  const edits = editsFor(original, roles, family);
  const marker = markerLine({
    revision: REVISION,
    gate: GATE_HASH,
    sha256: sha256(original),
    size: original.length,
    edits: edits.map(({ at, text }) => [at, text]),
  });
  return insert(original, edits) + GATE_FUNCTION + marker;
}
