import { HoldopenError } from '../errors.ts';
import { formats } from '../report/index.ts';
import type { FormatName } from '../report/index.ts';
import { noneLine } from '../report/human.ts';
import type { Status } from '../types.ts';
import { type ExitCode, auditExitCode } from './exit-code.ts';
import { errorText, showsColors, write } from './output.ts';
import { inspecting, run } from './run.ts';
import { type Target, targetWords } from './target.ts';

export interface AuditOptions extends Target {
  format: FormatName;
  failOn: readonly Status[];
  requireSdk: boolean;
}

/**
 * `holdopen audit`: says what is installed and changes nothing.
 * @returns the exit code
 * @throws HoldopenError where what the user named is not there; the first bug that a file brought out
 */
export async function audit(options: AuditOptions): Promise<ExitCode> {
  const { report, crashes } = await run(options, async () => {
    const { inspectSource } = await import('../patch/inspect.ts');
    return inspecting(inspectSource);
  });
  const text = formats[options.format].render(report, {
    colors: showsColors(process.stdout, process.env),
    target: targetWords(options),
    cwd: options.cwd,
  });
  await write(process.stdout, text);
  if (crashes.length > 0) throw crashes[0];
  if (options.requireSdk && report.copies.length === 0)
    await write(process.stderr, missingSdk(noneLine(report)));
  return auditExitCode(report, options);
}

/** `--require-sdk` makes it an error that there is nothing to look at. */
export function missingSdk(line: string): string {
  return errorText(
    new HoldopenError({
      code: 'no-sdk',
      message: `${line.replace(/\.$/, '')}, and --require-sdk was given`,
      hint: 'npm install, or name the directory that the packages are installed in',
    }),
  );
}
