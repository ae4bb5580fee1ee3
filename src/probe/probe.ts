import { HoldopenError } from '../errors.ts';
import type { Bundle } from '../locate/bundle.ts';
import type { Source } from '../locate/source.ts';
import { type PatchOutcome, patchBundle } from '../patch/apply.ts';
import { examine } from '../patch/examine.ts';
import type { Family } from '../types.ts';
import { type Circumstances, allCircumstances, toDrive } from './circumstances.ts';
import { type Dialect, dialectsOf } from './dialects.ts';
import { Driver, type Programs, builtPrograms } from './drive.ts';
import { delay, judge } from './judge.ts';
import { type BundleProbe, type NotDriven, type RunReport, agreement, timelineOf } from './report.ts';
import { createSandbox } from './sandbox.ts';
import { scenarios } from './scenarios/index.ts';
import type { Kind, PromptKind, Scenario } from './scenarios/scenario.ts';

export interface ProbeOptions {
  /** Else all of them, in every way that makes sense. */
  scenarios?: readonly Scenario[] | undefined;
  kinds?: readonly Kind[] | undefined;
  prompts?: readonly PromptKind[] | undefined;
  /** Else those that the bundle meets. */
  dialects?: readonly Dialect[] | undefined;
  stockOnly?: boolean;
  /** How many runs at a time; else 4. */
  concurrency?: number;
  /** Called when a run is over. */
  onProgress?: (done: number, of: number) => void;
  programs?: Programs;
  /** Else as `holdopen patch` does. */
  patch?: (bundle: Bundle) => PatchOutcome;
}

/** A bundle to be probed. */
export interface Subject {
  /** Absolute. */
  path: string;
  bundle: Bundle;
  /** Of the copy, where that is the SDK's own. */
  version: string | null;
}

/**
 * Drives one bundle through the scenarios, as it was released and patched in memory. Executes its code, in child
 * processes; writes to temporary folders only.
 */
export async function probe(subject: Subject, options: ProbeOptions = {}): Promise<BundleProbe | NotDriven> {
  const found = examine(subject.bundle);
  if (!found) return { status: null, notDriven: 'it does not hold the class that ends input' };
  const { status, reasons, analysis, original: stock } = found;
  if (analysis.kind !== 'bound' || stock === undefined)
    return { status, notDriven: 'its stock code cannot be told, so there is nothing to compare with' };
  if (reasons.some(({ code }) => code === 'end-input-empty'))
    return { status, notDriven: 'it has no transport that could end input' };
  const { family } = analysis.rule;
  const dialects = options.dialects ?? dialectsOf(family, subject.version);
  const sandbox = createSandbox(subject.path);
  try {
    const patched = options.stockOnly ? undefined : patchedText(subject.bundle, options.patch ?? patchBundle);
    const files = {
      family,
      stock: sandbox.add('stock', stock.text),
      patched: patched === undefined ? undefined : sandbox.add('patched', patched),
    };
    const all = allCircumstances(options.scenarios ?? scenarios, dialects, options.kinds, options.prompts);
    const runs = await playAll(all, files, options);
    const stockStatus = status === 'patched' || status === 'stale' ? examine(stock)?.status : status;
    return {
      status,
      reasons,
      family,
      dialects: dialects.map(({ id }) => id),
      runs,
      agreement: agreement(stockStatus ?? status, family, runs),
    };
  } catch (error) {
    if (!(error instanceof HoldopenError) || error.code !== 'cannot-drive') throw error;
    return { status, notDriven: error.message };
  } finally {
    sandbox.remove();
  }
}

/** Undefined: it could not be patched. */
function patchedText(bundle: Bundle, patch: NonNullable<ProbeOptions['patch']>): Source | undefined {
  const outcome = patch(bundle);
  if (outcome.outcome === 'refused') return undefined;
  return outcome.outcome === 'unchanged' ? bundle.text : outcome.source;
}

/** A bundle in its sandbox. */
interface Files {
  family: Family;
  stock: string;
  patched: string | undefined;
}

/** So many at a time as the options say, each with a host process of its own; in the order of the list. */
async function playAll(
  all: readonly Circumstances[],
  files: Files,
  { concurrency = 4, onProgress, programs = builtPrograms() }: ProbeOptions,
): Promise<RunReport[]> {
  const reports = new Array<RunReport>(all.length);
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    // What a lossy run leaves behind in its process must not show in a patched one.
    const drivers = { stock: new Driver(programs), patched: new Driver(programs) };
    try {
      for (let at = next++; at < all.length; at = next++) {
        const circumstances = all[at];
        if (circumstances) reports[at] = await play(circumstances, files, drivers);
        onProgress?.((done += 1), all.length);
      }
    } finally {
      await Promise.all([drivers.stock.close(), drivers.patched.close()]);
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, all.length) }, work);
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return reports;
}

async function play(
  circumstances: Circumstances,
  { family, ...files }: Files,
  drivers: Record<'stock' | 'patched', Driver>,
): Promise<RunReport> {
  const drive = (column: 'stock' | 'patched', bundle: string) =>
    drivers[column].run({ ...toDrive(circumstances, column, family), bundle });
  const record = await drive('stock', files.stock);
  const stock = judge(record, circumstances, undefined);
  const after = files.patched === undefined ? undefined : await drive('patched', files.patched);
  const patched = after ? judge(after, circumstances, { record, verdict: stock }) : null;
  const later = delay(circumstances, patched, stock);
  const good = (patched ?? stock).outcome === 'served' && !later.late;
  const { scenario, dialect, ...rest } = circumstances;
  return {
    scenario: scenario.id,
    title: scenario.title,
    ...rest,
    dialect: dialect.id,
    stock,
    patched,
    ...later,
    timeline: good ? [] : timelineOf(after ?? record),
  };
}
