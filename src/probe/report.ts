import type { Family, Reason, Status } from '../types.ts';
import type { StateKind } from './circumstances.ts';
import type { Verdict } from './judge.ts';
import type { Kind, PromptKind } from './story.ts';

/** What one scenario showed in one set of circumstances. */
export interface RunReport {
  scenario: string;
  title: string;
  kind: Kind;
  prompt: PromptKind;
  dialect: string;
  state: StateKind;
  stock: Verdict;
  /** null: there is no patched bundle. */
  patched: Verdict | null;
  /** How many ms later than stock the patched bundle ended input, and whether that is more than was promised. */
  laterMs: number | null;
  late: boolean;
  /** What happened in the patched bundle (or in stock, if alone), where it was not served. */
  timeline: string[];
}

export interface BundleProbe {
  status: Status;
  reasons: Reason[];
  family: Family;
  dialects: string[];
  runs: RunReport[];
  agreement: Agreement;
}

/** Why a bundle was not driven. */
export interface NotDriven {
  status: Status | null;
  notDriven: string;
}

/** What the probe says of the static verdict. `null`: the scenarios that would tell were not among those played. */
export interface Agreement {
  agrees: boolean | null;
  /** Where it does not. */
  why: string[];
}
