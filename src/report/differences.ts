import type { BundleReport, CopyReport, ShapeDifference } from '../types.ts';

interface Shape {
  label: string;
  bundle: BundleReport;
}

/**
 * What sets the shapes of a tree's bundles apart, each shape against the one of the next version: the methods whose
 * normal forms are equal, and those that differ. Bundles with the same class hash are one shape.
 */
export function shapeDifferences(copies: readonly CopyReport[]): ShapeDifference[] {
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
