import { HoldopenError } from '../errors.ts';
import { readRegular } from '../locate/installs/read.ts';
import { Bundle } from '../locate/bundle.ts';
import { type Outcome, patchBundle, restoreBundle } from '../patch/apply.ts';
import { type Inspection, examine, found, inspectBundle } from '../patch/examine.ts';
import { writeError } from '../patch/write-errors.ts';
import { replaceFile, writableTarget } from '../patch/write.ts';
import { unplugged } from '../report/findings.ts';
import { emptyBundle } from '../status.ts';
import type { BundleReport, Reason, Status } from '../types.ts';
import { bundleReport } from './run.ts';
import type { BundlePlace, Inspect, Visit } from './run.ts';

/** How a command changes bundles and tells of them. */
export interface ChangeOptions {
  change: (bundle: Bundle) => Outcome<string>;
  /** What a bundle is before the change, or without one. */
  before: (file: string, bundle: Bundle) => BundleReport | undefined;
  /** What has become of it. */
  after: (file: string, bundle: Bundle, next: Bundle) => BundleReport | undefined;
  /** Do everything but write. */
  dryRun: boolean;
}

/** What became of the bundles; those with nothing to do are in none of the lists. */
export interface Changes {
  done: BundlePlace[];
  refused: { place: BundlePlace; status: Status; reasons: Reason[] }[];
  failed: { place: BundlePlace; error: HoldopenError }[];
}

const gateCurrent = {
  status: 'patched',
  reasons: [{ code: 'gate-current' }],
} satisfies Partial<BundleReport>;

/**
 * The visitor that patches. What it has patched is proved: another look would say no more.
 * @param inspect tells of each bundle what a report for programs needs of it; people are told status and reasons, no hashes
 */
export function patching(dryRun: boolean, inspect: Inspect | undefined, changes: Changes): Visit {
  const before = inspect === undefined ? glance : reporting(inspect);
  const after: ChangeOptions['after'] = (file, bundle, next) => {
    if (inspect === undefined) return emptyBundle(file, gateCurrent.status, gateCurrent.reasons);
    const report = before(file, bundle);
    return report && { ...report, ...gateCurrent, sha256: next.hash };
  };
  return changing({ change: patchBundle, before, after, dryRun }, changes);
}

/** The visitor that takes the patch out again. */
export function restoring(changes: Changes): Visit {
  const before = reporting(inspectBundle);
  const after: ChangeOptions['after'] = (file, _bundle, next) => before(file, next);
  return changing({ change: restoreBundle, before, after, dryRun: false }, changes);
}

function reporting(inspect: Inspect): ChangeOptions['before'] {
  return (file, bundle) => {
    const inspection: Inspection | undefined = inspect(bundle);
    return inspection && bundleReport(file, bundle, inspection);
  };
}

function glance(file: string, bundle: Bundle): BundleReport | undefined {
  const examination = examine(bundle, found);
  return examination && emptyBundle(file, examination.status, examination.reasons);
}

/**
 * What another run at work on the file can be the cause of. One in another container takes our temporary file for a
 * leftover, since nobody has our process's number there.
 */
const passing: ReadonlySet<string> = new Set(['file-changed', 'file-gone']);

/** How often to begin again with a file that changes under us; a second run at work on it needs one. */
const attempts = 3;

/**
 * A visitor that changes each bundle on its own, wholly or not at all.
 * @param options what to change, and how to tell the state
 * @param changes takes what became of each bundle
 * @returns visitor whose reports show the state afterwards, after a dry run as it would be
 */
export function changing(options: ChangeOptions, changes: Changes): Visit {
  return (place, bundle) => {
    try {
      return changeBundle(options, changes, place, bundle);
    } catch (thrown) {
      const error = writeError(place.path, thrown);
      if (!(error instanceof HoldopenError)) throw error;
      changes.failed.push({ place, error });
      return options.before(place.file, bundle);
    }
  };
}

function changeBundle(
  options: ChangeOptions,
  changes: Changes,
  place: BundlePlace,
  bundle: Bundle,
  attempt = 1,
): BundleReport | undefined {
  const change = options.change(bundle);
  if (!('source' in change)) {
    if ('status' in change) changes.refused.push({ place, ...change });
    return options.before(place.file, bundle);
  }
  if (place.packed) throw packedError(place);
  const next = new Bundle(change.source);
  try {
    if (options.dryRun) writableTarget(place.path, place.root);
    else replaceFile(place.path, bundle.bytes, next.bytes, { root: place.root });
  } catch (error) {
    if (!(error instanceof HoldopenError) || !passing.has(error.code) || attempt === attempts) throw error;
    return changeBundle(options, changes, place, new Bundle(readRegular(place.path)), attempt + 1);
  }
  changes.done.push(place);
  return options.after(place.file, bundle, next);
}

/** The lockfile has the archive's checksum, and other projects load from the same one. */
function packedError(place: BundlePlace): HoldopenError {
  return new HoldopenError({
    code: 'in-archive',
    message: `will not write ${place.display}: it lies in an archive of yarn's cache`,
    hint: unplugged,
  });
}
