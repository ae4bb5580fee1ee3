import type { BundleReport, Reason, Status } from './types.ts';

/**
 * From the best to the worst. A copy takes its worst bundle's: what could not be read may be anything, and what is
 * unknown may be affected, so that neither hides behind a bundle that is fine.
 */
export const statuses = [
  'unaffected',
  'patched',
  'partial',
  'stale',
  'affected',
  'modified',
  'unknown',
  'unreadable',
] as const satisfies readonly Status[];

// Does not compile while a status is missing from the list.
const complete: Exclude<Status, (typeof statuses)[number]> extends never ? true : never = true;
void complete;

/** The worst status of some bundles; `unknown` for none, since then nothing was proved. */
export function worstStatus(found: readonly Status[]): Status {
  return statuses.findLast((status) => found.includes(status)) ?? 'unknown';
}

/** How many have each status, also those that none has. */
export function countStatuses(all: readonly { status: Status }[]): Record<Status, number> {
  const count = (wanted: Status): number => all.filter(({ status }) => status === wanted).length;
  return Object.fromEntries(statuses.map((status) => [status, count(status)])) as Record<Status, number>;
}

/**
 * A bundle that says nothing but its status: it could not be read, or the class is not in it.
 * @param more what is known of it all the same
 */
export function emptyBundle(
  file: string,
  status: Status,
  reasons: Reason[],
  more: Partial<BundleReport> = {},
): BundleReport {
  const verdict = { file, status, family: null, known: false, since: null };
  return { ...verdict, needs: [], sites: 0, sha256: null, reasons, fingerprints: null, ...more };
}
