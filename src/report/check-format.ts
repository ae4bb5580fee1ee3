import type { CheckReport } from '../release/types.ts';

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
