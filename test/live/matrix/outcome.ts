// What a run came to: which asks the host got, when it was over, what is wrong with it.
import { isResult, lanes } from '../lanes.ts';
import type { Entry, Run } from '../drive.ts';
import type { ToolResult } from '../messages-api.ts';
import { exceptionFor } from './exceptions.ts';
import { askId, type Kind, type Scenario } from './scenario.ts';

/**
 * What became of an ask: the host got it · it failed because the channel was gone · it went through although the host
 * was not asked · the CLI refused it on its own, with input open · the model was never called to make it · no answer
 * was seen.
 */
export type Fate = 'served' | 'closed' | 'unasked' | 'refused' | 'never' | 'unanswered';

export interface Outcome {
  fates: Record<string, Fate>;
  hung: boolean;
  /** From the last result to the end of the CLI's input, and of the iteration, in ms. */
  input?: number;
  tail?: number;
  results: number;
  /** Codes of process warnings of ours. */
  warnings: string[];
  /** What the run must not have done. */
  faults: string[];
  notes: string[];
}

/** A run and what it came to. */
export interface Played {
  run: Run;
  outcome: Outcome;
}

export function outcomeOf(scenario: Scenario, kind: Kind, run: Run): Outcome {
  const names = [...(scenario.asks ?? []), ...(scenario.perhaps ?? [])];
  const last = run.timeline.findLast(isResult);
  const since = (t: number | undefined): number | undefined =>
    t === undefined || !last ? undefined : Math.round(t - last.t);
  const input = since(run.stdinEndedAt);
  const tail = since(run.endedAt);
  const fates = Object.fromEntries(names.map((name) => [name, fateOf(run, kind, askId(name))]));
  return {
    fates,
    hung: run.hung,
    ...(input !== undefined && { input }),
    ...(tail !== undefined && { tail }),
    results: run.frames.filter(({ type }) => type === 'result').length,
    warnings: run.timeline.flatMap(({ event, code }) =>
      event === 'warning' && String(code).startsWith('HOLDOPEN') ? [String(code)] : [],
    ),
    faults: faultsOf(run),
    notes: notesOf(run),
  };
}

const makes =
  (id: string) =>
  (entry: Entry): boolean =>
    entry.event === 'model' && Array.isArray(entry.reply) && entry.reply.includes(id);

function fateOf({ timeline, stdinEndedAt = Infinity }: Run, kind: Kind, id: string): Fate {
  const issued = timeline.some(makes(id));
  if (!issued) return 'never';
  const at = timeline.findIndex((entry) => toolResultsOf(entry).some((one) => one.id === id));
  const answered = timeline[at];
  const answer = answered && toolResultsOf(answered).find((one) => one.id === id);
  const got = timeline.some(
    ({ event, toolUseID }) => (event === 'canUseTool' || event === 'hook') && toolUseID === id,
  );
  if (!answer) return 'unanswered';
  if (answer.isError && /stream closed/i.test(answer.text)) return 'closed';
  const honoured = {
    canUseTool: got && !answer.isError,
    hooks: got && answer.isError && answer.text.includes('deny by the host'),
    mcp: answer.text.includes('pong'),
  };
  if (honoured[kind]) return 'served';
  if (!answer.isError) return 'unasked';
  // An in-process tool is not even known any more when its server has gone with the channel.
  return answered.t < stdinEndedAt ? 'refused' : 'closed';
}

const toolResultsOf = ({ toolResults }: Entry): ToolResult[] =>
  (toolResults as ToolResult[] | undefined) ?? [];

function faultsOf({ timeline, left, hung }: Run): string[] {
  const faults = [
    ...new Set(left.map((process) => `left behind: ${process === 'CLI' ? 'the CLI' : 'a shell'}`)),
  ];
  if (hung) faults.push('did not end by itself');
  for (const { event, error } of timeline)
    if (event === 'unhandledRejection') faults.push(`unhandled rejection: ${String(error).slice(0, 120)}`);
  // Closing the transport ends stdin as well, in stock too: when the CLI has gone, or the host leaves.
  const over = timeline.findIndex(({ event }) =>
    ['stdoutEnd', 'cliExit', 'action', 'iterationEnd'].includes(event),
  );
  const ends = timeline.slice(0, over < 0 ? undefined : over).filter(({ event }) => event === 'stdinEnd');
  if (ends.length > 1) faults.push('input ended more than once');
  return faults;
}

function notesOf({ timeline, cliExit, exitCode }: Run): string[] {
  const notes: string[] = [];
  for (const { event, error, name } of timeline) {
    if (event === 'iterationError') notes.push(`iteration threw: ${String(error).slice(0, 120)}`);
    if (event === 'actionDone' && name === 'kill') notes.push('CLI killed by the test');
    if (event === 'actionFailed') notes.push(`${String(name)} failed: ${String(error).slice(0, 120)}`);
  }
  if (cliExit && cliExit.code !== 0) notes.push(`CLI ended with ${cliExit.code ?? cliExit.signal}`);
  if (exitCode !== 0) notes.push(`host ended with ${exitCode}`);
  return notes;
}

/** From the consumer's leaving (the first action) to the end of the host's process, in ms. */
function livedOn({ timeline }: Run): number | undefined {
  const left = timeline.find(({ event }) => event === 'action')?.t;
  const exit = timeline.find(({ event }) => event === 'exit')?.t;
  return left === undefined || exit === undefined ? undefined : exit - left;
}

/** Stock itself waits for 2 - 5 s here, and on 0.2.50 until the shell is over, whose own end moves by seconds. */
const SAME_PACE = { factor: 1.25, ms: 1000 };

/** What a host that leaves while input is held must not do: stay longer than stock's, or keep more open. */
function leavingProblems(patched: Run, stock: Run): string[] {
  const [ours, theirs] = [livedOn(patched), livedOn(stock)];
  if (ours === undefined || theirs === undefined) return ['the host never left'];
  const problems: string[] = [];
  if (ours > theirs * SAME_PACE.factor + SAME_PACE.ms)
    problems.push(`the host lived on for ${Math.round(ours)} ms (stock: ${Math.round(theirs)} ms)`);
  const more = surplus(openAtExit(patched), openAtExit(stock));
  if (more.length) problems.push(`open at the end and not in stock: ${more.join(', ')}`);
  return problems;
}

/** What the event loop still had. Right after the iteration a pipe that has been ended may not be closed yet. */
const openAtExit = ({ timeline }: Run): string[] =>
  (timeline.find(({ event }) => event === 'exit')?.resources as string[] | undefined) ?? [];

function surplus(ours: string[], theirs: string[]): string[] {
  const left = [...theirs];
  return ours.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** More than one frame's handling takes, less than any wait of the gate. */
const NO_WAIT_MS = 300;

/** What is wrong with a patched run, given what stock made of the same script. Empty: nothing. */
export function problemsOf(version: string, scenario: Scenario, patched: Played, stock?: Played): string[] {
  const { outcome, run } = patched;
  const problems = outcome.faults.filter((fault) => !stock?.outcome.faults.includes(fault));
  for (const [name, fate] of Object.entries(outcome.fates)) {
    const may = scenario.perhaps?.includes(name) === true && fate === 'never';
    if (fate === 'served' || may || exceptionFor(version, scenario.id, name, fate)) continue;
    problems.push(`ask ${name}: ${fate} (stock: ${stock?.outcome.fates[name] ?? 'not run'})`);
  }
  if (scenario.asStock && stock) {
    const [ours, theirs] = [JSON.stringify(lanes(run)), JSON.stringify(lanes(stock.run))];
    if (ours !== theirs) problems.push(`frames differ: ${ours} instead of ${theirs}`);
    // Without callbacks input ends during the turn: how long before the result, the turn's length says.
    const late = Math.max(0, outcome.input ?? 0) - Math.max(0, stock.outcome.input ?? 0);
    if (late > NO_WAIT_MS) problems.push(`input ended ${late} ms later than in stock`);
    if (run.exitCode !== stock.run.exitCode)
      problems.push(`exit ${run.exitCode} instead of ${stock.run.exitCode}`);
  }
  if (run.frames.some(({ subtype }) => subtype === 'session_state_changed'))
    problems.push('state frames that nobody asked for');
  if (scenario.leaves && stock) problems.push(...leavingProblems(run, stock.run));
  return [...problems, ...(scenario.check?.(run) ?? [])];
}
