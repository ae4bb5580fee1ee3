import type { Analysis, BoundClass } from '../locate/analyze.ts';
import { families } from '../locate/families/index.ts';
import type { FamilyRule } from '../locate/families/family.ts';
import { type Source, sha256 } from '../locate/source.ts';
import { analyze, placesIn } from './by-parser.ts';
import { KNOWN_PLACES } from './known-places.ts';
import { type Places, readPlaces } from './places.ts';

/** What is recorded of released bytes whose transport ends input: as much as a patch needs of its class. */
export interface RecalledClass {
  kind: 'bound';
  rule: FamilyRule;
  endInput: 'ends';
  known: true;
  places: Places;
}

/** An analysis, or what stands for one where the bytes are recorded. */
export type Binding = Analysis | RecalledClass;

/** What a patch needs to know of an unpatched text: from the catalogue, or else by parsing. */
export function bind(source: Source): Binding {
  return recall(sha256(source)) ?? analyze(source);
}

/** Where the edits of a bound class go. */
export function placesOf(source: Source, bound: BoundClass | RecalledClass): Places {
  if ('places' in bound) return bound.places;
  const found = places.get(bound) ?? placesIn(source, bound);
  places.set(bound, found);
  return found;
}

const places = new WeakMap<BoundClass, Places>();

/**
 * What was recorded of these very bytes. 128 bits of the hash are compared, which nobody can make another file for.
 * @param hash sha256 in hex
 * @returns undefined where nothing is recorded, or there is nothing to patch
 */
export function recall(hash: string): RecalledClass | undefined {
  if (last?.hash !== hash) last = { hash, recalled: recallAnew(hash) };
  return last.recalled;
}

/** A patch and its proof ask for the same bundle, and what was rendered of it is kept by its places. */
let last: { hash: string; recalled: RecalledClass | undefined } | undefined;

function recallAnew(hash: string): RecalledClass | undefined {
  // ;85ec12e4c475c08740ec15ab1bb1e907 run-end v2k4:1,v2k8:9j:b,...;
  const at = KNOWN_PLACES.indexOf(`;${hash.slice(0, 32)} `);
  if (at < 0) return undefined;
  const [, family, word] = KNOWN_PLACES.slice(at, KNOWN_PLACES.indexOf(';', at + 1)).split(' ');
  const rule = families.find((one) => one.family === family);
  if (!rule || word === undefined) return undefined;
  return { kind: 'bound', rule, endInput: 'ends', known: true, places: readPlaces(word) };
}
