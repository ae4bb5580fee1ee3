import type { CheckReport } from '../release/types.ts';
import { checkHuman } from './check-human.ts';
import { checkJunit } from './check-junit.ts';
import { checkSarif } from './check-sarif.ts';
import { githubSummary } from './github-summary.ts';

export interface CheckRendering {
  colors: boolean;
  /** Where code scanning shows a finding: the line of the consumer's package.json that names the package. */
  location: { uri: string; line: number };
  /** Of holdopen. */
  version: string;
}

/** One way to print what `check` found. Pure, as the formats of `audit`. */
export interface CheckFormat {
  /** @returns the whole output, with its last line break */
  render(report: CheckReport, rendering: CheckRendering): string;
}

/** By the name that `check --format` takes. A new format is one file and one line here. */
export const checkFormats = {
  human: checkHuman,
  json: { render: (report: CheckReport) => `${JSON.stringify(report, null, 2)}\n` },
  'github-summary': githubSummary,
  sarif: checkSarif,
  junit: checkJunit,
} satisfies Record<string, CheckFormat>;

export type CheckFormatName = keyof typeof checkFormats;

export const checkFormatNames = Object.keys(checkFormats) as CheckFormatName[];
