import { type Source, readSource, sha256 } from '../locate/source.ts';
import { GATE_HASH } from './gate-text.ts';

/** Goes up with every change of the gate or of an edit that users should get on the next `patch`. */
export const REVISION = 2;

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
  /** Over everything before this line and the rest of it: tells at once that nobody has touched the file since. */
  seal: string;
  /** Offset in the original and text of every insertion but the last (the gate with this marker). */
  edits: [at: number, text: string][];
}

/** How the marker's line begins, with the end of the line before it. */
const PREFIX = '\n//# holdopen ';

/** How a text ends that we have patched. */
export function markerLine(marker: Marker): string {
  return `${PREFIX}${JSON.stringify(marker)}\n`;
}

/** sha256 over a patched text without its last line, and over what that line says. */
export function sealOf(
  body: Source | Buffer,
  { revision, gate, sha256: original, size, edits }: Omit<Marker, 'seal'>,
): string {
  return sha256(body, JSON.stringify([revision, gate, original, size, edits]));
}

export type MarkerSearch =
  { kind: 'none' } | { kind: 'damaged' } | { kind: 'found'; marker: Marker; at: number; after: string };

/** Many times what the edits of a class take. A longer one is still found, by {@link readMarker}. */
const longestMarker = 65_536;

/** Where the last line of a text, or of a file's bytes, begins, if it is a marker's; else -1. */
function markerAtEnd(content: Source | Buffer): number {
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

/**
 * Whether the bytes of a file are a patch of this very holdopen that nobody has touched since: a hash and no parser. It is
 * what makes `patch` on a patched tree cost next to nothing; `audit` does not trust it and proves the patch.
 */
export function isUntouchedPatch(bytes: Buffer): boolean {
  const at = markerAtEnd(bytes);
  if (at < 0) return false;
  const search = readMarker(readSource(bytes.subarray(at)));
  if (search.kind !== 'found' || search.after !== '') return false;
  const { marker } = search;
  if (marker.revision !== REVISION || marker.gate !== GATE_HASH) return false;
  return sealOf(bytes.subarray(0, at), marker) === marker.seal;
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
