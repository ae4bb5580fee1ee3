import { patchSource } from '../patch/apply.ts';
import { glanceAt } from '../patch/examine.ts';
import type { Inspection } from '../patch/verdict.ts';
import { type Change, type Changes, changing } from './change.ts';
import { bundleReport } from './run.ts';
import type { Inspect, Visit } from './run.ts';
import { emptyBundle } from '../status.ts';
import type { BundleReport } from '../types.ts';

/** How {@link patching} works. */
export interface Patching {
  /** Do everything but write. */
  dryRun: boolean;
  /** Tells of each bundle what a report for programs needs of it; people need status and reasons only. */
  inspect?: Inspect | undefined;
}

/**
 * The visitor that patches, with the parser and the gate that it needs: what is loaded only where there is work.
 * @param options how
 * @param changes takes what became of each bundle
 */
export function patching({ dryRun, inspect }: Patching, changes: Changes): Visit {
  const change = (source: string): Change => {
    const result = patchSource(source);
    if (result.outcome === 'refused') return { ...result, kind: 'refused' };
    return result.outcome === 'unchanged' ? { kind: 'none' } : { kind: 'write', source: result.source };
  };
  // `patchSource` has proved it; another look would cost a second where the shape is new.
  const after = (before: Inspection): Inspection => ({
    ...before,
    status: 'patched',
    reasons: [{ code: 'gate-current' }],
  });
  // People are told no hashes.
  const short = (file: string, _bytes: Buffer, { status, reasons }: Inspection): BundleReport =>
    emptyBundle(file, status, reasons);
  const report = inspect === undefined ? short : bundleReport;
  return changing({ inspect: inspect ?? glanceAt, change, after, report, dryRun }, changes);
}
