import MagicString from 'magic-string';
import type { BoundClass } from '../locate/analyze.ts';
import type { Bundle } from '../locate/bundle.ts';
import { compiles } from '../locate/proof.ts';
import { parsedClasses } from '../locate/region.ts';
import { type Source, sha256 } from '../locate/source.ts';
import { findSpawnEnv } from '../locate/spawn-env.ts';
import { type Edit, planEdits } from './edits.ts';
import { GATE_HASH, GATE_TEXT } from './gate-text.ts';
import { type Marker, REVISION, markerLine, readMarker, sealOf } from './marker.ts';
import { findPlaces } from './places.ts';

/** An unpatched bundle and what becomes of it: the same input always gives the same bytes. Each part is made once. */
export class Rendering {
  readonly original: Bundle;
  readonly #bound: BoundClass;
  #edits: Edit[] | undefined;
  #result: Source | undefined;

  /**
   * @param original the unpatched bundle
   * @param bound its class
   */
  constructor(original: Bundle, bound: BoundClass) {
    this.original = original;
    this.#bound = bound;
  }

  /** What is inserted where, in order of position. Upstream's run-end family asks for session state itself. */
  get edits(): readonly Edit[] {
    if (this.#edits) return this.#edits;
    const { roles, rule } = this.#bound;
    const { text } = this.original;
    const env = rule.family === 'run-end' ? undefined : findSpawnEnv(text);
    return (this.#edits = planEdits(text, findPlaces(roles, env)));
  }

  /** The original with every edit in it, for who wants a source map too; without gate and marker. */
  edited(): MagicString {
    const edited = new MagicString(this.original.text);
    for (const { at, text } of this.edits) edited.appendLeft(at, text);
    return edited;
  }

  /** The patched text. */
  get result(): Source {
    if (this.#result !== undefined) return this.#result;
    const body = this.edited().toString() + GATE_TEXT;
    const marker = {
      revision: REVISION,
      gate: GATE_HASH,
      sha256: this.original.hash,
      size: this.original.text.length,
      edits: this.edits.map(({ at, text }): Marker['edits'][number] => [at, text]),
    };
    return (this.#result = body + markerLine({ ...marker, seal: sealOf(body, marker) }));
  }

  /**
   * Whether the result proves itself: it is whole JavaScript in which the class is code, and taking the patch out again gives the
   * original's bytes. What is inserted stands between whole parts of the class, so that this proves the original as well.
   */
  isProved(): boolean {
    const { result, original } = this;
    const search = readMarker(result);
    const taken = search.kind === 'found' && search.after === '' && takeOut(result, search.marker, search.at);
    if (!taken || taken.original !== original.text || taken.found !== this.edits.length) return false;
    const { start, body } = this.#bound.roles.class;
    const moved = (at: number): number =>
      this.edits.reduce((sum, edit) => (edit.at <= at ? sum + edit.text.length : sum), at);
    const place = { start: moved(start), body: moved(body.start) };
    if (compiles(result, [place])) return true;
    const whole = parsedClasses(result);
    return 'starts' in whole && whole.starts.length === 1 && whole.starts[0] === place.start;
  }
}

/** What taking the insertions out again gave. */
export interface TakenOut {
  original: Source;
  /** How many of the marker's insertions were in place. */
  found: number;
  /** The text between the end of the original and the marker. */
  gate: Source;
}

/**
 * Takes the insertions out of a text. One that is no longer there is passed over; the result counts only
 * where its hash is the one of the original, so nothing is guessed. undefined: somebody changed more.
 */
export function takeOut(source: Source, marker: Marker, markerAt: number): TakenOut | undefined {
  const body = new MagicString(source.slice(0, markerAt));
  let taken = 0;
  let found = 0;
  let read = 0;
  for (const [at, text] of marker.edits) {
    const position = at + taken;
    if (text === '' || position < read || !source.startsWith(text, position)) continue;
    read = position + text.length;
    if (read > markerAt) return undefined;
    body.remove(position, read);
    taken += text.length;
    found += 1;
  }
  const end = marker.size + taken;
  if (end < read || end > markerAt) return undefined;
  if (end < markerAt) body.remove(end, markerAt);
  const original = body.toString();
  return sha256(original) === marker.sha256
    ? { original, found, gate: source.slice(end, markerAt) }
    : undefined;
}

/** Short hash of a gate's text: tells one build of it from another. */
export function gateHash(gate: Source): string {
  return sha256(gate).slice(0, 12);
}
