import { formats } from '../report/index.ts';
import type { FormatName } from '../report/index.ts';
import { noneLine } from '../report/human.ts';
import type { Status } from '../types.ts';
import { type ExitCode, auditExitCode } from './exit-code.ts';
import { applyIgnoreFile } from './ignore-file.ts';
import { missingSdk, write } from './output.ts';
import { type ReportOutput, rendering, requireReports, saveReports } from './reports.ts';
import { inspecting, run } from './run.ts';
import { type Target, targetWords } from './target.ts';

export interface AuditOptions extends Target {
  format: FormatName;
  /** More outputs beside the one on stdout. */
  output: ReportOutput[];
  /** Where accepted findings are written down, if not in the project's own file. */
  ignoreFile?: string;
  failOn: readonly Status[];
  requireSdk: boolean;
}

/**
 * `holdopen audit`: says what is installed and changes nothing.
 * @returns the exit code
 * @throws HoldopenError where what the user named is not there or the ignore file is bad; the first bug that a file brought out
 */
export async function audit(options: AuditOptions): Promise<ExitCode> {
  requireReports(options);
  const { report: found, crashes } = await run(options, async () => {
    const { inspectBundle } = await import('../patch/examine.ts');
    return inspecting(inspectBundle);
  });
  const { report, warnings } = applyIgnoreFile(found, options);
  const look = rendering(report, options, process.stdout);
  saveReports(report, options.output, look);
  await write(process.stdout, formats[options.format].render(report, look));
  await write(process.stderr, warnings);
  if (crashes.length > 0) throw crashes[0];
  if (options.requireSdk && report.copies.length === 0)
    await write(process.stderr, missingSdk(noneLine(report, targetWords(options))));
  return auditExitCode(report, options);
}
