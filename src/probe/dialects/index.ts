import type { Family } from '../../types.ts';
import type { Dialect } from './dialect.ts';
import { edgesKept } from './edges-kept.ts';
import { edges } from './edges.ts';
import { flushed } from './flushed.ts';
import { launchMarks } from './launch-marks.ts';
import { setFirstFlagged } from './set-first-flagged.ts';
import { setFirst } from './set-first.ts';
import { setLast } from './set-last.ts';

export type { Dialect } from './dialect.ts';

/** From the oldest to the newest. A new one is one file and one line here. */
export const dialects: readonly Dialect[] = [
  launchMarks,
  flushed,
  edgesKept,
  edges,
  setFirst,
  setFirstFlagged,
  setLast,
];

/** What CLIs of the time spoke in which SDKs of a family were released. */
const met: Record<Family, readonly Dialect[]> = {
  'timed-race': [launchMarks],
  inactivity: [launchMarks],
  'first-result': [launchMarks, flushed, edgesKept, edges, setFirst, setFirstFlagged],
  'run-end': [setLast],
};

/**
 * The dialects that a bundle meets.
 * @param family what the bundle's code is
 * @param version of the copy, whose CLI comes with it; null: every dialect that the family ever met
 */
export function dialectsOf(family: Family, version: string | null): readonly Dialect[] {
  const known = met[family];
  const spoken = version === null ? undefined : dialects.findLast(({ since }) => !isOlder(version, since));
  // A version that does not fit the code says nothing: a fork, or a host's own package.
  return spoken && known.includes(spoken) ? [spoken] : known;
}

/** Releases of the SDK are three numbers. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number));
  for (let n = 0; n < 3; n += 1) {
    const [left = 0, right = 0] = [a?.[n], b?.[n]];
    if (left !== right) return left < right;
  }
  return false;
}
