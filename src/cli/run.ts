import { join } from 'node:path';
import { HoldopenError, systemCode } from '../errors.ts';
import { findBundles } from '../locate/installs/bundles.ts';
import type { BundleFiles, Candidate } from '../locate/installs/bundles.ts';
import { displayPath, findInstalls } from '../locate/installs/index.ts';
import type { Copy, SearchOptions, UnreadablePlace } from '../locate/installs/index.ts';
import { readRegular } from '../locate/installs/read.ts';
import type { Bundle } from '../locate/bundle.ts';
import { sha256 } from '../locate/source.ts';
import type { Inspection } from '../patch/examine.ts';
import { buildCopy, buildReport, displayOf } from '../report/build.ts';
import { emptyBundle } from '../status.ts';
import type { BundleReport, CopyReport, Report } from '../types.ts';

/** The pure part that the run is built around; tests hand in their own. */
export type Inspect = (bundle: Bundle) => Inspection | undefined;

/** What a command does with one bundle on its way; `undefined` where the file is no bundle. */
export type Visit = (place: BundlePlace, bundle: Bundle) => BundleReport | undefined;

/** What can be told of a bundle before any visitor is loaded; `undefined` where it needs one. */
export type Glance = (file: string, bundle: Bundle) => BundleReport | undefined;

export interface BundlePlace {
  /** Relative to the copy, `/` as separator. */
  file: string;
  /** Absolute. */
  path: string;
  /** As reports name it. */
  display: string;
  /** As reports name its copy. */
  copy: string;
  /** The directory outside of which this file must not lie to be written. */
  root: string;
  /** Whether it lies packed in an archive, which is never written. */
  packed: boolean;
}

export interface RunResult {
  report: Report;
  /** Bugs that one file brought out. They did not stop the others; the command throws the first at its end. */
  crashes: unknown[];
}

/**
 * Finds every copy and visits every bundle of it.
 * @param options where to look
 * @param loadVisit gives the visitor; called only where a candidate needs one, so that a tree without the SDK, or with
 *   nothing to do, costs neither the parser nor the gate
 * @param glance answers for the candidates that need none
 * @throws HoldopenError where what the user named is not there
 */
export async function run(
  options: SearchOptions,
  loadVisit: () => Promise<Visit>,
  glance: Glance = () => undefined,
): Promise<RunResult> {
  const installs = findInstalls(options);
  const crashes: unknown[] = [];
  const copies: CopyReport[] = [];
  for (const copy of installs.copies) {
    const seen: BundleReport[] = [];
    const files = findBundles(copy, (file, bundle) => {
      const report = glance(file, bundle);
      if (report) seen.push(report);
      return report !== undefined;
    });
    const visit = files.candidates.length > 0 ? guard(await loadVisit(), crashes) : () => undefined;
    copies.push(visitCopy(copy, files, { root: installs.root, seen, visit }));
  }
  copies.push(...installs.unreadable.map((place) => placeReport(place, installs.root)));
  return { report: buildReport(installs.root, copies), crashes };
}

/** A visitor that reports and changes nothing. */
export function inspecting(inspect: Inspect): Visit {
  return ({ file }, bundle) => {
    const inspection = inspect(bundle);
    return inspection && bundleReport(file, bundle, inspection);
  };
}

/** The report of one bundle from what its text says. */
export function bundleReport(file: string, { hash }: Bundle, inspection: Inspection): BundleReport {
  const { status, family, known, since, needs, sites, reasons, fingerprints } = inspection;
  return { file, status, family, known, since, needs, sites, sha256: hash, reasons, fingerprints };
}

interface CopyVisit {
  root: string;
  /** The bundles of which a glance told all. */
  seen: readonly BundleReport[];
  visit: Visit;
}

function visitCopy(copy: Copy, files: BundleFiles, { root, seen, visit }: CopyVisit): CopyReport {
  const path = displayPath(root, copy.dir);
  const visited = files.candidates.flatMap(({ file, bundle }: Candidate) => {
    const place = {
      file,
      path: join(copy.dir, file),
      display: displayOf({ path }, { file }),
      copy: path,
      // Who names a file means that file, wherever it lies.
      root: copy.layout === 'file' ? copy.dir : (copy.root ?? root),
      packed: copy.archive !== undefined,
    };
    return visit(place, bundle) ?? [];
  });
  const bundles = [...seen, ...visited];
  const unreadable = files.unreadable.map(({ file, detail }) =>
    emptyBundle(file, 'unreadable', [{ code: 'cannot-read', args: { detail } }]),
  );
  const all = [...bundles, ...withoutClass(copy, files, bundles), ...unreadable];
  // A copy in which nothing was found is the one to look at most closely, not one to leave out.
  if (all.length === 0) all.push(emptyBundle('.', 'unknown', [{ code: 'class-not-found' }]));
  const { package: name, version, layout } = copy;
  return buildCopy({ package: name, version, path, layout, bundles: all });
}

/** The main files that lead to no bundle: what hosts import lies somewhere that we do not see. */
function withoutClass(copy: Copy, files: BundleFiles, bundles: BundleReport[]): BundleReport[] {
  const found = new Set(bundles.map((bundle) => bundle.file));
  const lost = files.mains.filter((main) => !main.candidates.some((file) => found.has(file)));
  return lost.map(({ file }) =>
    emptyBundle(file, 'unknown', [{ code: 'class-not-found' }], { sha256: hashOf(join(copy.dir, file)) }),
  );
}

function placeReport({ path, detail }: UnreadablePlace, root: string): CopyReport {
  return buildCopy({
    package: '(not searched)',
    version: null,
    path: displayPath(root, path),
    layout: 'npm',
    bundles: [emptyBundle('.', 'unreadable', [{ code: 'cannot-read', args: { detail } }])],
  });
}

/** One bad file must not keep the others from being looked at or patched. */
function guard(visit: Visit, crashes: unknown[]): Visit {
  return (place, bundle) => {
    try {
      return visit(place, bundle);
    } catch (error) {
      if (error instanceof HoldopenError) throw error;
      crashes.push(error);
      const args = { detail: 'holdopen failed on it, see the error' };
      return emptyBundle(place.file, 'unreadable', [{ code: 'cannot-read', args }], { sha256: bundle.hash });
    }
  };
}

function hashOf(path: string): string | null {
  try {
    return sha256(readRegular(path));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return null;
  }
}
