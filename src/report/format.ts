import type { CheckReport } from '../release/types.ts';
import type { BundleReport, CopyReport, Report } from '../types.ts';

/** Where a reader of a finding is sent to: a file of the consumer that says why the copy is there. */
export interface Location {
  /** `/` as separator; relative to the checkout where it lies in it, else absolute. */
  path: string;
  /** From 1. */
  line: number;
}

export interface RenderOptions {
  /** Whether the reader is a terminal that shows colours. */
  colors: boolean;
  /** How the user named what was searched, as it has to follow a command: `''`, `packages/x`, `--file dist`. */
  target: string;
  /** The directory that commands are run in, absolute. */
  cwd: string;
  /** Of holdopen. */
  version: string;
  /** Findings lie in ignored folders, where no reviewer sees an annotation: this leads to what brought them in. */
  locate: (copy: CopyReport, bundle: BundleReport) => Location;
}

/** One way to print a report. A format is pure: a document in, its text out. */
export interface ReportFormat {
  /** @returns the whole output, with its last line break */
  render(report: Report, options: RenderOptions): string;
}

export interface CheckRendering extends Pick<RenderOptions, 'colors' | 'version'> {
  /** Where code scanning shows a finding: the line of the consumer's package.json that names the package. */
  location: { uri: string; line: number };
}

/** One way to print what `check` found. */
export interface CheckFormat {
  render(report: CheckReport, rendering: CheckRendering): string;
}

/** The document itself, for programs; its shape changes only with its `schema`. */
export const json: { render(report: object, options: unknown): string } = {
  render: (report) => `${JSON.stringify(report, null, 2)}\n`,
};
