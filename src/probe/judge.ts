import { type Circumstances, tellsState } from './circumstances.ts';
import { type DriveRecord, picker } from './record.ts';
import type { Outcome, RunReport, Verdict } from './report.ts';
import type { Event, Scenario } from './scenarios/scenario.ts';
import { ABSENT } from './script.ts';

/** A busy machine may add this to what is measured, in ms. */
const TOLERANCE_MS = 250;
/** A machine with other work takes seconds to end a process; what is left behind stays for longer than a run is watched. */
const SLOW_MS = 3000;

/** How the stock bundle did. */
interface Stock {
  record: DriveRecord;
  verdict: Verdict;
}

/** Judges one run. `stock`: what to compare it with; undefined: this is the stock bundle. */
export function judge(record: DriveRecord, at: Circumstances, stock: Stock | undefined): Verdict {
  const { leaves, ceilingMs } = at.scenario.expect ?? {};
  const lateMs = leaves || ceilingMs !== undefined ? null : (overToEnd(record) ?? null);
  const endedAfter = record.stdinEndedAfter ?? null;
  const verdict = (outcome: Outcome, why: string[]): Verdict => ({ outcome, why, endedAfter, lateMs });
  if (record.ended === 'threw' && !record.log.some(({ event }) => event === 'start'))
    return verdict('refused', [record.error ?? '']);
  const missing = record.actions.find(({ does, error }) => error === ABSENT && does !== 'holdInput');
  if (missing) return verdict('refused', [`it has no ${missing.does}()`]);
  if (record.hung) return verdict('hung', ['the run was not over at its deadline']);
  if (record.stdinEndedAfter === undefined && !leaves) return verdict('hung', ['input never ended']);
  const lost = [...losses(record, at), ...(stock ? earlyEnd(record, at.scenario) : [])];
  if (lost.length > 0) return verdict('lost', lost);
  const wrong = [...faults(record, at), ...(stock ? patchedFaults(record, at, stock) : [])];
  return verdict(wrong.length > 0 ? 'wrong' : 'served', wrong);
}

function losses(record: DriveRecord, { scenario, kind }: Circumstances): string[] {
  const allowed = scenario.expect?.mayLose ?? [];
  const denies = kind === 'hooks' && (scenario.reply?.does ?? 'deny') === 'deny';
  return [
    ...record.lost
      .filter(({ id }) => !allowed.includes(id))
      .map(({ id, subtype, when }) => `${subtype} ${id} was lost (${when})`),
    ...picker(record.log)('unmet').map(({ step }) => `what was expected never came: ${JSON.stringify(step)}`),
    ...record.served
      .filter(({ subtype, response }) => denies && subtype === 'hook_callback' && !isDeny(response))
      .map(({ id }) => `the deny of ${id} did not arrive`),
  ];
}

const isDeny = (response: unknown): boolean => JSON.stringify(response ?? '').includes('"deny"');

/** Input that ends while something is outstanding is the fault, whether or not anything is asked then. */
function earlyEnd(record: DriveRecord, { story, expect }: Scenario): string[] {
  if (!story.some(isOver) || expect?.leaves || (overToEnd(record) ?? -1) >= 0) return [];
  return [`input ended after ${record.stdinEndedAfter ?? 'nothing'}, before all was over`];
}

const isOver = (event: Event): boolean =>
  event === 'over' || (typeof event === 'object' && 'note' in event && event.note === 'over');

/** In ms; undefined where one of the two did not come. */
function overToEnd({ log }: DriveRecord): number | undefined {
  const of = picker(log);
  const over = of('note').find(({ text }) => text === 'over');
  const [end] = of('stdin-end');
  return over && end && end.at - over.at;
}

/** What is wrong with a run of any bundle. */
function faults(record: DriveRecord, { scenario, state }: Circumstances): string[] {
  const { ended = ['done'], leaves } = scenario.expect ?? {};
  const of = picker(record.log);
  const sent = of('sent').flatMap(({ label }) => (isShown(label, state === 'caller') ? [label] : []));
  const seen = record.labels.filter((label) => isShown(label, state === 'caller'));
  const found: string[] = [
    ...record.uncaught.map((error) => `nobody caught: ${error}`),
    ...record.served
      .filter(({ ok }) => !ok)
      .map(({ id, response }) => `${id} was answered with an error: ${JSON.stringify(response)}`),
  ];
  if (record.ended === undefined || !ended.includes(record.ended))
    found.push(
      `the consumer's loop: ${record.ended ?? 'not over'}${record.error ? ` (${record.error})` : ''}`,
    );
  if (!leaves && seen.join() !== sent.join())
    found.push(`the CLI sent ${sent.join(' ')}, the consumer saw ${seen.join(' ')}`);
  if (state !== 'caller' && record.labels.some((label) => stateLabel.test(label)))
    found.push('the consumer saw session states that it had not asked for');
  return found;
}

const stateLabel = /^(idle|running|requires_action)#/;
const requestLabel = /^(can_use_tool|hook_callback|mcp_message)\(/;
const isShown = (label: string, states: boolean): boolean =>
  !requestLabel.test(label) && (states || !stateLabel.test(label));

function patchedFaults(record: DriveRecord, { scenario }: Circumstances, stock: Stock): string[] {
  const { ceilingMs, asStock, leaves } = scenario.expect ?? {};
  const found: string[] = [];
  const warnings = record.warnings.filter(({ code }) => code.startsWith('HOLDOPEN'));
  if (warnings.length !== (ceilingMs === undefined ? 0 : 1))
    found.push(`warned ${warnings.length} times: ${warnings.map(({ message }) => message).join(' ')}`);
  const took = overToEnd(record);
  if (ceilingMs !== undefined && took !== undefined && (took < ceilingMs - 50 || took > ceilingMs + 3000))
    found.push(`the ceiling took ${ms(took)}`);
  if (asStock && stock.verdict.outcome === 'served' && endFrame(record) !== endFrame(stock.record))
    found.push(`input ended after ${endFrame(record)}, in stock after ${endFrame(stock.record)}`);
  const stay = record.hostLeftAfterMs ?? Infinity;
  const usual = stock.record.hostLeftAfterMs ?? Infinity;
  // The process of the host and its CLI are gone as fast as with stock.
  if (leaves && stay > usual + SLOW_MS)
    found.push(`the host stayed for ${ms(stay)}, with stock for ${ms(usual)}`);
  return found;
}

/** Without session states, which stock does not ask for. A host without callbacks ends input at once, in a race. */
function endFrame({ log }: DriveRecord): string {
  const of = picker(log);
  const [waited] = of('stdin-expected');
  if (waited) return waited.met ? 'the first turn' : 'a later turn';
  const [end] = of('stdin-end');
  const before = of('sent').filter(({ at, label }) => !stateLabel.test(label) && end && at <= end.at);
  return before.at(-1)?.label ?? 'nothing';
}

/** How many ms later than stock the patched bundle ended input, null: not to be said; and whether that is too late (G4). */
export function delay(
  at: Circumstances,
  patched: Verdict | null,
  stock: Verdict,
): Pick<RunReport, 'laterMs' | 'late'> {
  if (!patched || patched.lateMs === null || patched.outcome !== 'served')
    return { laterMs: null, late: false };
  const laterMs = Math.max(0, patched.lateMs) - Math.max(0, stock.lateMs ?? 0);
  return { laterMs: Math.round(laterMs), late: laterMs > lateBound(at) + TOLERANCE_MS };
}

function lateBound(at: Circumstances): number {
  const { story, expect: { boundMs } = {} } = at.scenario;
  const background = story.some((event) => typeof event === 'object' && 'launch' in event);
  if (!background && boundMs === undefined) return 0;
  return tellsState(at) ? 50 : (boundMs ?? 1000);
}

const ms = (value: number): string => `${Math.round(value)} ms`;
