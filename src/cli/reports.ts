import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { HoldopenError, systemCode } from '../errors.ts';
import { formatNames, formats } from '../report/index.ts';
import type { FormatName, RenderOptions } from '../report/index.ts';
import type { Report } from '../types.ts';
import { checkoutOf, locations } from './locations.ts';
import { showsColors } from './output.ts';
import { type Target, targetWords } from './target.ts';

/** One `--output FORMAT=FILE`. */
export interface Output {
  format: FormatName;
  path: string;
}

/**
 * Adds one `--output` to those before it.
 * @throws InvalidArgumentError where it is not `FORMAT=FILE`
 */
export function parseOutput(value: string, before: Output[]): Output[] {
  const [, name, path = ''] = /^([^=]*)=(.+)$/s.exec(value) ?? [];
  const format = formatNames.find((known) => known === name);
  if (format === undefined || path === '')
    throw new InvalidArgumentError(`Use FORMAT=FILE, with one of ${formatNames.join(', ')}.`);
  return [...before, { format, path }];
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
export function saveReports(report: Report, outputs: readonly Output[], options: RenderOptions): void {
  for (const { format, path } of outputs) {
    try {
      writeFileSync(
        resolve(options.cwd, path),
        formats[format].render(report, { ...options, colors: false }),
      );
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      throw new HoldopenError({
        code: 'no-output',
        message: `cannot write ${path} (${code})`,
        hint: 'name a file in a directory that is there and can be written',
        cause: error,
      });
    }
  }
}

/** Of the package that this file lies in, both as source and built. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
