import { noneLine } from '../report/human.ts';
import type { BundleReport, Report } from '../types.ts';
import type { Changes } from './change.ts';
import { type ExitCode, restoreExitCode } from './exit-code.ts';
import { write } from './output.ts';
import { run } from './run.ts';
import { changedCopies, count, leftOvers } from './summary.ts';
import { type Target, targetWords } from './target.ts';

/**
 * `holdopen restore`: gives every patched bundle its original bytes back, as the marker in it proves them.
 * @returns the exit code
 * @throws HoldopenError where what the user named is not there; the first bug that a file brought out
 */
export async function restore(target: Target): Promise<ExitCode> {
  const changes: Changes = { done: [], refused: [], failed: [] };
  const { report, crashes } = await run(target, async () => {
    const { restoring } = await import('./change.ts');
    return restoring(changes);
  });
  const left = leftOvers(report, changes, { cwd: target.cwd, verb: 'restored', isDone });
  await write(
    process.stderr,
    left.map(({ message, hint }) => `holdopen: ${message}\n  next: ${hint}\n`).join(''),
  );
  await write(process.stdout, `holdopen: ${summary(report, changes, left.length, target)}\n`);
  if (crashes.length > 0) throw crashes[0];
  return restoreExitCode(report, changes.refused.length + changes.failed.length);
}

/** Whatever is not patched needs no restoring; only what nobody could read may hide a patch. */
function isDone(bundle: BundleReport): boolean {
  return bundle.status !== 'unreadable';
}

function summary(report: Report, changes: Changes, left: number, target: Target): string {
  if (report.copies.length === 0) return noneLine(report, targetWords(target));
  if (changes.done.length > 0) {
    const files = count(changes.done.length, 'file');
    return `restored ${files} to the original bytes in ${changedCopies(report, changes)}`;
  }
  return left > 0 ? 'nothing restored, see above' : 'nothing to restore, no copy is patched';
}
