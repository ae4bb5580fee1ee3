import { leaving } from './leaving.ts';
import { messages } from './messages.ts';
import { plain } from './plain.ts';
import { requests } from './requests.ts';
import type { Event, Phase, Scenario, Table } from './scenario.ts';
import { subagents } from './subagents.ts';
import { tasks } from './tasks.ts';

/** A new scenario is an entry in the table of its theme: its id says where the report has it. */
const tables: readonly Table[] = [subagents, tasks, messages, requests, leaving, plain];

const inLine = (story: readonly Phase[]): Event[] =>
  story.flatMap((phase) => (isEvent(phase) ? [phase] : inLine(phase)));
const isEvent = (phase: Phase): phase is Event => !Array.isArray(phase);

/** `S9` before `S10`, and all of them before the plain runs. */
const place = ({ id }: Scenario): number => Number(id.match(/\d+/)?.[0]) + (id.startsWith('P') ? 1000 : 0);

/** In the order of the report. */
export const scenarios: readonly Scenario[] = tables
  .flatMap((table) => Object.entries(table))
  .map(([id, { story, ...rest }]) => ({ id, ...rest, story: inLine(story) }))
  .sort((a, b) => place(a) - place(b));

/**
 * The scenarios that a user means.
 * @param ids `S1` is S1 and all of its variants, `S1-several` that one
 * @returns in the order of the list, or the id that nothing has
 */
export function chooseScenarios(ids: readonly string[]): readonly Scenario[] | string {
  const means = (id: string, named: string): boolean => id === named || id.startsWith(`${named}-`);
  const wrong = ids.find((named) => !scenarios.some(({ id }) => means(id, named)));
  return wrong ?? scenarios.filter(({ id }) => ids.some((named) => means(id, named)));
}
