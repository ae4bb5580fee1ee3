/**
 * What of a patch takes the parser. Bytes that nobody has recorded need it, and no others: the built command line loads
 * this file where it is first called (`scripts/build-cli.mjs`).
 */
import type { BoundClass } from '../locate/analyze.ts';
import { parseWhole } from '../locate/region.ts';
import type { Source } from '../locate/source.ts';
import { findSpawnEnv } from '../locate/spawn-env.ts';
import { findPlaces } from './find-places.ts';
import type { Places } from './places.ts';

export { analyze } from '../locate/analyze.ts';

/** Whether the whole text is JavaScript. */
export function parses(source: Source): boolean {
  return !('failedAt' in parseWhole(source));
}

/** The places of a bound class. Upstream's run-end family asks for session state itself. */
export function placesIn(source: Source, { roles, rule }: BoundClass): Places {
  return findPlaces(roles, rule.family === 'run-end' ? undefined : findSpawnEnv(source));
}
