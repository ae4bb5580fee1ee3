import type { Report, Status } from '../types.ts';

/** What a run of the CLI says with its exit code. */
export const exitCodes = {
  clean: 0,
  /** Something that was found needs somebody. */
  findings: 1,
  /** The work could not be done: wrong usage, unreadable files, no SDK where one was required. */
  failed: 2,
  /** A bug of ours. */
  crash: 3,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The statuses that `audit` fails on unless `--fail-on` says otherwise. */
export const defaultFailOn: readonly Status[] = ['affected', 'partial', 'stale', 'modified', 'unknown'];

interface AuditPolicy {
  failOn: readonly Status[];
  requireSdk: boolean;
}

/** The exit code of `audit`. What could not be read outweighs findings: nobody knows whether they are all. */
export function auditExitCode(report: Report, { failOn, requireSdk }: AuditPolicy): ExitCode {
  const found = bundleStatuses({ copies: report.copies.filter((copy) => copy.ignored === undefined) });
  if (requireSdk && report.copies.length === 0) return exitCodes.failed;
  if (found.includes('unreadable')) return exitCodes.failed;
  return found.some((status) => failOn.includes(status)) ? exitCodes.findings : exitCodes.clean;
}

interface PatchPolicy {
  soft: boolean;
  requireSdk: boolean;
}

/**
 * The exit code of `patch`.
 * @param report the state after the run; after a dry run, as it would be
 * @param policy `soft` turns everything but a missing SDK into a warning
 */
export function patchExitCode(report: Report, { soft, requireSdk }: PatchPolicy): ExitCode {
  if (requireSdk && report.copies.length === 0) return exitCodes.failed;
  const left = bundleStatuses(report).filter((status) => status !== 'patched' && status !== 'unaffected');
  if (soft || left.length === 0) return exitCodes.clean;
  return left.includes('unreadable') ? exitCodes.failed : exitCodes.findings;
}

/**
 * The exit code of `restore`.
 * @param report the state after the run
 * @param notRestored how many files carry a patch that could not be taken out
 */
export function restoreExitCode(report: Report, notRestored: number): ExitCode {
  if (bundleStatuses(report).includes('unreadable')) return exitCodes.failed;
  return notRestored > 0 ? exitCodes.findings : exitCodes.clean;
}

function bundleStatuses(report: Pick<Report, 'copies'>): Status[] {
  return report.copies.flatMap((copy) => copy.bundles.map((bundle) => bundle.status));
}
