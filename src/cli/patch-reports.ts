import { formats } from '../report/index.ts';
import type { Report } from '../types.ts';
import { write } from './output.ts';
import type { PatchOptions } from './patch.ts';
import { rendering, saveReports } from './reports.ts';

/** Saves and prints what `patch` says to programs. Apart, because a plain patch says nothing to them. */
export async function printReports(report: Report, options: PatchOptions): Promise<void> {
  const look = { ...rendering(report, options, process.stdout), colors: false };
  saveReports(report, options.output, look);
  if (options.format !== 'human') await write(process.stdout, formats[options.format].render(report, look));
}
