import type { CheckReport } from '../release/types.ts';
import type { CheckFormat } from './check-format.ts';
import { checkHuman } from './check-human.ts';
import { checkJunit } from './check-junit.ts';
import { checkSarif } from './check-sarif.ts';
import { githubSummary } from './github-summary.ts';

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
