import { readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { formats } from '../report/index.ts';
import type { FormatName, RenderOptions } from '../report/index.ts';
import type { Report } from '../types.ts';
import { checkoutOf, locations } from './locations.ts';
import type { Output } from './output-option.ts';
import { saveFile, showsColors } from './output.ts';
import { type Target, targetWords } from './target.ts';

/** One `--output` of a report. */
export type ReportOutput = Output<FormatName>;

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

/** Of the package that this file lies in, both as source and built. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
