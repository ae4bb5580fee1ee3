/** What is told of a bundle that was driven. */
import type { Family, Reason, Status } from '../types.ts';
import type { Circumstances } from './circumstances.ts';
import type { DriveRecord, Entry, LogEntry, RunEvent } from './record.ts';

/**
 * `served`: all went as it should. `lost`: a request, a message or a hook's verdict did not get through, or input ended
 * before all was over. `hung`: the run did not come to its end. `wrong`: anything else. `refused`: the release cannot
 * be run like this at all.
 */
export type Outcome = 'served' | 'lost' | 'hung' | 'wrong' | 'refused';

export interface Verdict {
  outcome: Outcome;
  /** What is to be said against it. */
  why: string[];
  /** What the CLI had sent last when input ended; null: nothing, or input did not end. */
  endedAfter: string | null;
  /** Milliseconds from the moment when all was over to the end of input; null where that means nothing. */
  lateMs: number | null;
}

/** What one scenario showed in one set of circumstances. */
export interface RunReport extends Pick<Circumstances, 'kind' | 'prompt' | 'state'> {
  scenario: string;
  title: string;
  dialect: string;
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
  /** What stock says of the static verdict: `null`: the scenarios that would tell were not among those played. */
  agreement: { agrees: boolean | null; why: string[] };
}

/** Why a bundle was not driven. */
export interface NotDriven {
  status: Status | null;
  notDriven: string;
}

/**
 * Whether what stock does is what its code was said to do. The end of a shell tells: every family ends input while one
 * is running. A subagent tells the run-end family from the others, where the CLI reports session state.
 */
export function agreement(
  status: Status,
  family: Family,
  runs: readonly RunReport[],
): BundleProbe['agreement'] {
  const of = (id: string): RunReport[] =>
    runs.filter(({ scenario, stock }) => scenario === id && stock.outcome !== 'refused');
  const shells = of('S13');
  if (shells.length === 0) return { agrees: null, why: [] };
  const not = (outcome: 'lost' | 'served', list: readonly RunReport[]): RunReport[] =>
    list.filter(({ stock }) => stock.outcome !== outcome);
  const against = [
    ...(status === 'unaffected' ? not('served', runs) : not('lost', shells)),
    ...(family === 'run-end' ? not('served', of('S1')).filter(({ state }) => state !== 'silent') : []),
  ];
  const why = against.map(
    ({ stock, scenario, kind, prompt, dialect, state }) =>
      `${status}, but stock ${stock.outcome} ${scenario} (${kind}, ${prompt}, ${dialect}, ${state})`,
  );
  return { agrees: why.length === 0, why };
}

const because = (error = ''): string => (error === '' ? '' : `: ${error}`);
/** What is shown of a run, for people. */
const lines: { [Event in RunEvent['event']]?: (entry: Entry<Event>) => string } = {
  sent: ({ label }) => `C> ${label}`,
  user: () => 'H> user message',
  asked: ({ subtype }) => `H> request ${subtype}`,
  served: ({ id }) => `H> response(${id})`,
  lost: ({ subtype, id, when }) => `LOST ${subtype}(${id}), ${when}`,
  cancelled: ({ id }) => `C> cancel(${id})`,
  'stdin-end': () => 'EOF of stdin',
  note: ({ text }) => `-- ${text}`,
  unmet: ({ step }) => `UNMET ${JSON.stringify(step)}`,
  exit: ({ code }) => `CLI exit ${code}`,
  signal: ({ name }) => `CLI ${name}`,
  warning: ({ code, message }) => `warning ${code} ${message}`,
  uncaught: ({ error }) => `UNCAUGHT ${error}`,
  ended: ({ how, error }) => `consumer ${how}${because(error)}`,
  action: ({ does, error }) => `host ${does}${because(error)}`,
};

/** The run as one line an event, with the time since it began. */
export function timelineOf({ log }: DriveRecord): string[] {
  const start = log.find(({ event }) => event === 'user' || event === 'sent')?.at ?? log[0]?.at ?? 0;
  return log.flatMap((entry) => {
    const line = lines[entry.event] as ((entry: LogEntry) => string) | undefined;
    return line ? [`${String(Math.round(entry.at - start)).padStart(6)}  ${line(entry)}`] : [];
  });
}
