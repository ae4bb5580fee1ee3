import type { Fate } from './outcome.ts';

/** What a release does of its own accord, with input open: no patch of the SDK can change it. */
export interface Exception {
  versions: string[];
  /** Scenarios by the start of their id. */
  scenarios: string[];
  ask: string;
  fate: Fate;
  why: string;
  /** What the timeline shows. */
  proof: string;
}

const old = ['0.2.50', '0.2.112', '0.3.150'];
const refusal = {
  versions: old,
  fate: 'refused',
  why: 'the CLI refuses what a background subagent needs permission for, without asking the host',
  proof:
    'The model gets the refusal while input is open, and no control request for it goes over the pipe; stock does the same.',
} as const;

export const exceptions: Exception[] = [
  { ...refusal, scenarios: ['S1', 'S2', 'S8'], ask: 'agent' },
  { ...refusal, scenarios: ['S1 several'], ask: 'first' },
  { ...refusal, scenarios: ['S1 several'], ask: 'second' },
];

export function exceptionFor(
  version: string,
  scenario: string,
  ask: string,
  fate: Fate,
): Exception | undefined {
  return exceptions.find(
    (one) =>
      one.versions.includes(version) &&
      one.scenarios.some((id) => scenario === id || scenario.startsWith(`${id} `)) &&
      one.ask === ask &&
      one.fate === fate,
  );
}
