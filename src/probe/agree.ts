import type { Family, Status } from '../types.ts';
import type { Agreement, RunReport } from './report.ts';

/**
 * Whether what stock does is what its code was said to do. The end of a shell tells: every family ends input while one
 * is running. A subagent tells the run-end family from the others, where the CLI reports session state.
 */
export function agreement(status: Status, family: Family, runs: readonly RunReport[]): Agreement {
  const of = (id: string): RunReport[] =>
    runs.filter(({ scenario, stock }) => scenario === id && stock.outcome !== 'refused');
  const shells = of('S13');
  if (shells.length === 0) return { agrees: null, why: [] };
  const told = (list: readonly RunReport[]): RunReport[] => list.filter(({ state }) => state !== 'silent');
  const why: string[] = [];
  const expectAll = (outcome: 'lost' | 'served', list: readonly RunReport[]): void => {
    for (const run of list)
      if (run.stock.outcome !== outcome) why.push(`${status}, but stock ${describe(run)}`);
  };
  if (status === 'unaffected') expectAll('served', runs);
  else expectAll('lost', shells);
  if (family === 'run-end') expectAll('served', told(of('S1')));
  return { agrees: why.length === 0, why };
}

const describe = ({ stock, scenario, kind, prompt, dialect, state }: RunReport): string =>
  `${stock.outcome} ${scenario} (${kind}, ${prompt}, ${dialect}, ${state})`;
