import type { BundleReport, CopyReport, Reason, Report, Status } from '../types.ts';
import { shapeDifferences } from './differences.ts';

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

/** The worst of some statuses; `unknown` for none, since then nothing was proved. */
export function worstStatus(found: readonly Status[]): Status {
  return (
    found.reduce<Status | undefined>(
      (worst, status) => (worst === undefined || rank(status) > rank(worst) ? status : worst),
      undefined,
    ) ?? 'unknown'
  );
}

function rank(status: Status): number {
  return statuses.indexOf(status);
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
  return {
    file,
    status,
    family: null,
    known: false,
    since: null,
    needs: [],
    sites: 0,
    sha256: null,
    reasons,
    fingerprints: null,
    ...more,
  };
}

/** A copy with the status that its bundles give it. */
export function buildCopy(copy: Omit<CopyReport, 'status'>): CopyReport {
  const { package: name, version, path, layout, bundles } = copy;
  const status = worstStatus(bundles.map((bundle) => bundle.status));
  return { package: name, version, path, layout, status, bundles };
}

/**
 * The document of one run.
 * @param root real path of the directory that was searched
 * @param copies in the order in which they are to be reported
 * @returns with a count for every status, also for those that no copy has
 */
export function buildReport(root: string, copies: CopyReport[]): Report {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  for (const copy of copies) counts[copy.status] += 1;
  return {
    schema: 'holdopen/report@1',
    root,
    summary: { copies: copies.length, ...counts },
    copies,
    differences: shapeDifferences(copies),
  };
}

/** How both a report and a change name one bundle. */
export function displayOf(copy: Pick<CopyReport, 'path'>, bundle: Pick<BundleReport, 'file'>): string {
  if (bundle.file === '.') return copy.path;
  return copy.path === '.' ? bundle.file : `${copy.path}/${bundle.file}`;
}
