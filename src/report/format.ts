import type { Report } from '../types.ts';

export interface RenderOptions {
  /** Whether the reader is a terminal that shows colours. */
  colors: boolean;
  /** How the user named what was searched, as it has to follow a command: `''`, `packages/x`, `--file dist`. */
  target: string;
  /** The directory that commands are run in, absolute. */
  cwd: string;
}

/** One way to print a report. A format is pure: a document in, its text out. */
export interface ReportFormat {
  /** @returns the whole output, with its last line break */
  render(report: Report, options: RenderOptions): string;
}
