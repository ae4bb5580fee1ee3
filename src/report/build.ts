import { countStatuses, worstStatus } from '../status.ts';
import type { BundleReport, CopyReport, Report, ShapeDifference } from '../types.ts';

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
  return {
    schema: 'holdopen/report@1',
    root,
    summary: { copies: copies.length, ...countStatuses(copies) },
    copies,
    differences: shapeDifferences(copies),
  };
}

/** How both a report and a change name one bundle. */
export function displayOf(copy: Pick<CopyReport, 'path'>, bundle: Pick<BundleReport, 'file'>): string {
  if (bundle.file === '.') return copy.path;
  return copy.path === '.' ? bundle.file : `${copy.path}/${bundle.file}`;
}

interface Shape {
  label: string;
  bundle: BundleReport;
}

/**
 * What sets the shapes of a tree's bundles apart, each shape against the one of the next version: the methods whose
 * normal forms are equal, and those that differ. Bundles with the same class hash are one shape.
 */
function shapeDifferences(copies: readonly CopyReport[]): ShapeDifference[] {
  const shapes = new Map<string, Shape>();
  for (const copy of [...copies].sort(byVersion)) {
    for (const bundle of copy.bundles) {
      const key = bundle.fingerprints?.class;
      if (key !== undefined && !shapes.has(key))
        shapes.set(key, { label: `${copy.version ?? copy.path} ${bundle.file}`, bundle });
    }
  }
  const list = [...shapes.values()];
  return list.slice(1).map((shape, index) => difference(list[index] ?? shape, shape));
}

function difference(from: Shape, to: Shape): ShapeDifference {
  const before = from.bundle.fingerprints?.methods ?? {};
  const after = to.bundle.fingerprints?.methods ?? {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return {
    from: from.label,
    to: to.label,
    same: names.filter((name) => before[name] === after[name]),
    differ: names.filter((name) => before[name] !== after[name]),
  };
}

/** By the numbers in the version; a copy without one comes last. */
function byVersion(a: CopyReport, b: CopyReport): number {
  if (a.version === null || b.version === null)
    return Number(a.version === null) - Number(b.version === null);
  return a.version.localeCompare(b.version, 'en', { numeric: true });
}
