import { inspectSource } from '../patch/inspect.ts';
import { formats } from '../report/index.ts';
import type { Report } from '../types.ts';
import { write } from './output.ts';
import type { PatchOptions, Reporting } from './patch.ts';
import { rendering, saveReports } from './reports.ts';

/** What `patch` says to programs. Apart, because a plain patch says nothing to them. */
export const reporting: Reporting = { inspect: inspectSource, print };

async function print(report: Report, options: PatchOptions): Promise<void> {
  const look = { ...rendering(report, options, process.stdout), colors: false };
  saveReports(report, options.output, look);
  if (options.format !== 'human') await write(process.stdout, formats[options.format].render(report, look));
}
