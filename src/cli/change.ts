import { HoldopenError } from '../errors.ts';
import { readRegular } from '../locate/installs/read.ts';
import { readSource, sourceBytes } from '../locate/source.ts';
import type { Inspection } from '../patch/verdict.ts';
import { writeError } from '../patch/write-errors.ts';
import { replaceFile, writableTarget } from '../patch/write.ts';
import { unplugged } from '../report/findings.ts';
import type { BundleReport, Reason, Status } from '../types.ts';
import type { BundlePlace, Inspect, Visit } from './run.ts';

/** What a command wants to do with one text. */
export type Change =
  | { kind: 'none' }
  | { kind: 'write'; source: string }
  | { kind: 'refused'; status: Status; reasons: Reason[] };

export interface ChangeOptions {
  inspect: Inspect;
  change: (source: string) => Change;
  /** What the text is after a change: proved by the change itself, or seen by another look. */
  after: (before: Inspection, source: string) => Inspection | undefined;
  /** The report of one bundle. */
  report: (file: string, bytes: Buffer, inspection: Inspection) => BundleReport;
  /** Do everything but write. */
  dryRun: boolean;
}

/** What became of the bundles; those with nothing to do are in none of the lists. */
export interface Changes {
  done: BundlePlace[];
  refused: { place: BundlePlace; status: Status; reasons: Reason[] }[];
  failed: { place: BundlePlace; error: HoldopenError }[];
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
  return (place, bytes) => {
    try {
      return changeBundle(options, changes, place, bytes);
    } catch (thrown) {
      const error = writeError(place.path, thrown);
      if (!(error instanceof HoldopenError)) throw error;
      changes.failed.push({ place, error });
      const inspection = options.inspect(readSource(bytes));
      return inspection && options.report(place.file, bytes, inspection);
    }
  };
}

function changeBundle(
  options: ChangeOptions,
  changes: Changes,
  place: BundlePlace,
  bytes: Buffer,
  attempt = 1,
): BundleReport | undefined {
  const source = readSource(bytes);
  const inspection = options.inspect(source);
  if (inspection === undefined) return undefined;
  const change = options.change(source);
  if (change.kind === 'refused') {
    changes.refused.push({ place, status: change.status, reasons: change.reasons });
  }
  if (change.kind !== 'write') return options.report(place.file, bytes, inspection);

  if (place.packed) throw packedError(place);
  const next = sourceBytes(change.source);
  try {
    if (options.dryRun) writableTarget(place.path, place.root);
    else replaceFile(place.path, bytes, next, { root: place.root });
  } catch (error) {
    if (!(error instanceof HoldopenError) || !passing.has(error.code) || attempt === attempts) throw error;
    return changeBundle(options, changes, place, readRegular(place.path), attempt + 1);
  }
  changes.done.push(place);
  const after = options.after(inspection, change.source);
  return after && options.report(place.file, next, after);
}

/** The lockfile has the archive's checksum, and other projects load from the same one. */
function packedError(place: BundlePlace): HoldopenError {
  return new HoldopenError({
    code: 'in-archive',
    message: `will not write ${place.display}: it lies in an archive of yarn's cache`,
    hint: unplugged,
  });
}
