import { createHash } from 'node:crypto';
import { type Source, hashOf, readSource, sha256 } from '../locate/source.ts';

/** Text to insert before the character at `at` of the original. Nothing is ever replaced or removed. */
export interface Edit {
  at: number;
  text: string;
  /** What it is for, as `explain` says it. */
  purpose: string;
}

/**
 * The last line of a patched file says what was inserted, so that it can be taken out again byte for byte
 * and `patched` is proved by doing so.
 */
export interface Marker {
  /** Revision of the gate and of the edits around it. */
  revision: number;
  /** Hash of the gate's text. */
  gate: string;
  /** sha256 and size in bytes of the original file. */
  sha256: string;
  size: number;
  /** Seal over everything before this line and the rest of it: tells at once that nobody has touched the file since. */
  seal: string;
  /** Offset in the original and text of every insertion but the last (the gate with this marker). */
  edits: [at: number, text: string][];
}

/** How the marker's line begins, with the end of the line before it. */
export const PREFIX = '\n//# holdopen ';

/** sha256 over a patched text without its last line, and over what that line says. */
export function sealOf(
  body: Source | Buffer,
  { revision, gate, sha256: original, size, edits }: Omit<Marker, 'seal'>,
): string {
  return hashOf([body, JSON.stringify([revision, gate, original, size, edits])]);
}

/** How a text ends that we have patched. */
export function markerLine(marker: Marker): string {
  return `${PREFIX}${JSON.stringify(marker)}\n`;
}

export type MarkerSearch =
  { kind: 'none' } | { kind: 'damaged' } | { kind: 'found'; marker: Marker; at: number; after: string };

/** Many times what the edits of a class take. A longer one is still found, by {@link readMarker}. */
const longestMarker = 65_536;

/** Where the last line of a text, or of a file's bytes, begins, if it is a marker's; else -1. */
export function markerAtEnd(content: Source | Buffer): number {
  // A line of minified code may be the whole file: no search in more of it than a marker takes.
  const first = Math.max(0, content.length - longestMarker);
  const lineBreak = content.slice(first).lastIndexOf('\n', content.length - first - 2);
  if (lineBreak < 0) return -1;
  const at = first + lineBreak;
  const start = content.slice(at, at + PREFIX.length);
  return (typeof start === 'string' ? start : readSource(start)) === PREFIX ? at : -1;
}

/** Reads the marker of a text. `after` is what follows it: somebody's addition. */
export function readMarker(source: Source): MarkerSearch {
  let at = markerAtEnd(source);
  // Forwards first: most texts have none, and V8 searches backwards one character at a time.
  if (at < 0 && source.includes(PREFIX)) at = source.lastIndexOf(PREFIX);
  if (at < 0) return { kind: 'none' };
  const lineEnd = source.indexOf('\n', at + 1);
  const end = lineEnd < 0 ? source.length : lineEnd;
  const marker = parseMarker(source.slice(at + PREFIX.length, end));
  return marker ? { kind: 'found', marker, at, after: source.slice(end + 1) } : { kind: 'damaged' };
}

function parseMarker(text: string): Marker | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { revision, gate, sha256: hash, size, seal, edits } = value as Record<string, unknown>;
  const isCount = (number: unknown): number is number => Number.isSafeInteger(number) && Number(number) >= 0;
  const valid =
    isCount(revision) &&
    typeof gate === 'string' &&
    typeof hash === 'string' &&
    isCount(size) &&
    typeof seal === 'string' &&
    Array.isArray(edits) &&
    edits.every(
      (edit: unknown) =>
        Array.isArray(edit) && edit.length === 2 && isCount(edit[0]) && typeof edit[1] === 'string',
    );
  return valid ? { revision, gate, sha256: hash, size, seal, edits: edits as Marker['edits'] } : undefined;
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
  const pieces: Source[] = [];
  let taken = 0;
  let found = 0;
  let read = 0;
  for (const [at, text] of marker.edits) {
    const position = at + taken;
    if (position < read || !source.startsWith(text, position)) continue;
    pieces.push(source.slice(read, position));
    read = position + text.length;
    taken += text.length;
    found += 1;
  }
  const end = marker.size + taken;
  if (end < read || end > markerAt) return undefined;
  pieces.push(source.slice(read, end));
  const original = pieces.join('');
  return sha256(original) === marker.sha256
    ? { original, found, gate: source.slice(end, markerAt) }
    : undefined;
}

/** A text with the edits in it. Edits are in order of position. */
export function insert(source: Source, edits: readonly Edit[]): Source {
  const pieces: Source[] = [];
  let read = 0;
  for (const { at, text } of edits) {
    pieces.push(source.slice(read, at), text);
    read = at;
  }
  pieces.push(source.slice(read));
  return pieces.join('');
}

/** Short hash of a gate's text: tells one build of it from another. */
export function gateHash(gate: Source): string {
  return createHash('sha256').update(gate).digest('hex').slice(0, 12);
}
