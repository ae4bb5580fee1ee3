import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspectBundle } from '../patch/examine.ts';
import { formats } from '../report/index.ts';
import type { FormatName, RenderOptions } from '../report/index.ts';
import type { Report } from '../types.ts';
import { checkoutOf, locations } from './locations.ts';
import type { Output } from './options.ts';
import { requireOutputs, saveFile, showsColors, write } from './output.ts';
import type { PatchOptions, Reporting } from './patch.ts';
import { type Target, targetWords } from './target.ts';
import { version } from './version.ts';

/** One `--output` of a report. */
export type ReportOutput = Output<FormatName>;

/**
 * Sees to it that reports can be written before the work is begun.
 * @throws HoldopenError as {@link requireOutputs}
 */
export function requireReports({ output, cwd }: { output: readonly ReportOutput[]; cwd: string }): void {
  requireOutputs(
    output.map(({ path }) => path),
    cwd,
  );
}

/** What every format needs to know beside the report. */
export function rendering(report: Report, target: Target, stream: { isTTY?: boolean }): RenderOptions {
  return {
    colors: showsColors(stream, process.env),
    target: targetWords(target),
    cwd: target.cwd,
    version: version(),
    locate: locations(report, realpathSync.native(checkoutOf(target.cwd, process.env))),
  };
}

/**
 * Writes the report to every file that was asked for.
 * @throws HoldopenError `no-output` where one cannot be written
 */
export function saveReports(report: Report, outputs: readonly ReportOutput[], options: RenderOptions): void {
  for (const { format, path } of outputs) {
    const text = formats[format].render(report, { ...options, colors: false });
    saveFile(resolve(options.cwd, path), path, text);
  }
}

/** What `patch` says to programs. Apart, because a plain patch says nothing to them. */
export const reporting: Reporting = { inspect: inspectBundle, print };

async function print(report: Report, options: PatchOptions): Promise<void> {
  const look = { ...rendering(report, options, process.stdout), colors: false };
  saveReports(report, options.output, look);
  if (options.format !== 'human') await write(process.stdout, formats[options.format].render(report, look));
}
