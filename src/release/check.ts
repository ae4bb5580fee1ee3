import semver from 'semver';
import { HoldopenError } from '../errors.ts';
import type { ReleaseCache } from './cache.ts';
import type { Catalogue } from './catalogue.ts';
import { type Forms, formsDiff } from './diff.ts';
import { type Found, findPlace, findRelease } from './find.ts';
import type { Judging } from './judge.ts';
import { fetchIntegrity, isPackageName } from './npm.ts';
import { buildCheckReport, reportFound } from './report.ts';
import { type Subject, type Wanted, requireSince, resolveSubjects } from './resolve.ts';
import type { CheckFailure, CheckReport, CheckedRelease } from './types.ts';

export interface CheckOptions extends Wanted {
  cwd: string;
  cache: ReleaseCache;
  catalogue: Catalogue;
  /** Compare with this version instead of the one before. */
  against?: string | undefined;
  /** Also show what changed in normal form. */
  diff?: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  done: number;
  of: number;
  /** What is being worked at. */
  name: string;
  step: 'downloading' | 'done';
}

export interface CheckResult {
  report: CheckReport;
  /** Somebody else's code in normal form: for the eyes of who asked, in no report. */
  diffs: string;
}

/**
 * Fetches releases, judges them, and compares each with the one before it.
 * @returns what was found; what could not be had is in `failures`, and the others are still there
 * @throws HoldopenError where what is wanted cannot be told; the reason of the signal
 */
export async function checkReleases(options: CheckOptions): Promise<CheckResult> {
  const { package: name, catalogue, cache, cwd, signal } = options;
  if (!isPackageName(name)) throw usage(`${name} is no name of a package`);
  const against = options.against === undefined ? undefined : semver.valid(options.against);
  if (against === null) throw usage(`--against takes a version, and ${options.against ?? ''} is none`);
  await cache.sweep();
  const recorded = bundlesByHash(catalogue);
  const { found, failures } = await findAll(options, recorded);
  const ownReleases = name === catalogue.package ? catalogue.releases : [];
  let baseline = ownReleases.find((release) => release.version === against);
  if (against !== undefined && !baseline)
    baseline = (await findRelease(name, against, { cwd, cache, signal, recorded })).release;
  const releases = found.map((one) => reportFound(one, found, catalogue, baseline));
  const diffs = options.diff ? await diffsOf(found, releases, options) : '';
  return { report: buildCheckReport(name, catalogue, releases, failures), diffs };
}

/** The normal-form diffs of every bundle that has an other form than the one it is compared with. */
async function diffsOf(
  found: readonly Found[],
  releases: readonly CheckedRelease[],
  { cwd, cache, signal }: CheckOptions,
): Promise<string> {
  const texts: string[] = [];
  for (const [index, { package: name, against, drift }] of releases.entries()) {
    const deep = drift.filter(({ level }) => level === 'normal-form' || level === 'facts');
    if (against === null || deep.length === 0) continue;
    const before =
      found.find(({ package: other, release }) => other === name && release.version === against) ??
      (await findRelease(name, against, { cwd, cache, signal, forms: true }));
    for (const { file } of deep) {
      const [old, now] = [before, found[index]].map((one) => formsIn(one, file));
      const title = `--- ${name}@${against} ${file}\n+++ ${name}@${releases[index]?.version ?? ''} ${file}`;
      if (old && now) texts.push(formsDiff(title, old, now));
    }
  }
  return texts.join('\n');
}

function formsIn(found: Found | undefined, file: string): Forms | undefined {
  return found?.judgement?.bundles.find(({ report }) => report.file === file)?.forms;
}

async function findAll(
  options: CheckOptions,
  recorded: Judging['recorded'],
): Promise<{ found: Found[]; failures: CheckFailure[] }> {
  const { package: name, cwd, cache, signal } = options;
  const subjects = await resolveSubjects(options, options);
  const { missing, integrity, failure } = await missingIntegrity(subjects, options);
  const many = missing.size > 5;
  const failures: CheckFailure[] = [];
  let done = 0;
  const results = await pool(subjects, 2, async (subject): Promise<Found[]> => {
    const spec = subject.kind === 'release' ? `${name}@${subject.version}` : subject.path;
    const tell = (step: Progress['step']): void =>
      options.onProgress?.({ done, of: subjects.length, name: spec, step });
    try {
      signal?.throwIfAborted();
      if (subject.kind !== 'release')
        return [await findPlace(subject, { cache, forms: options.diff, recorded })];
      const { version } = subject;
      if (failure && missing.has(version)) throw failure;
      const judging = { forms: options.diff, recorded };
      const fetching = { cwd, cache, signal, many, ...judging, integrity: integrity[version] };
      return [await findRelease(name, version, { ...fetching, onDownload: () => tell('downloading') })];
    } catch (error) {
      if (!(error instanceof HoldopenError)) throw error;
      failures.push({ spec, code: error.code, message: error.message, hint: error.hint });
      return [];
    } finally {
      done += 1;
      tell('done');
    }
  });
  return { found: results.flat(), failures };
}

/** What the catalogue has of every bundle. */
function bundlesByHash({ releases }: Catalogue): Judging['recorded'] {
  const bundles = new Map(releases.flatMap((release) => release.bundles.map((one) => [one.sha256, one])));
  return (hash) => bundles.get(hash);
}

interface Missing {
  /** Versions that are not in the cache. */
  missing: Set<string>;
  /** By version, as far as the registry told. */
  integrity: Record<string, string>;
  /** Why none of them can be had: what is in the cache can be checked all the same. */
  failure?: HoldopenError;
}

/** One question for the hashes of all that is not in the cache. */
async function missingIntegrity(subjects: readonly Subject[], options: CheckOptions): Promise<Missing> {
  const { package: name, cache } = options;
  const missing = new Set<string>();
  for (const subject of subjects)
    if (subject.kind === 'release' && !(await cache.has(name, subject.version))) missing.add(subject.version);
  const [first, last] = [[...missing][0], [...missing].at(-1)];
  if (first === undefined || last === undefined || first === last) return { missing, integrity: {} };
  try {
    return { missing, integrity: await fetchIntegrity(name, `>=${first} <=${last}`, options) };
  } catch (failure) {
    if (!(failure instanceof HoldopenError)) throw failure;
    // In no range of npm's are pre-releases of several versions; each one tells of itself.
    const isEmpty = failure.code === 'E404' || failure.code === 'ETARGET';
    return { missing, integrity: {}, ...(!isEmpty && { failure }) };
  }
}

/** The report of the catalogue alone: nothing is fetched or read. */
export function checkCatalogue(catalogue: Catalogue, wanted: Pick<Wanted, 'since'>): CheckReport {
  const { since } = wanted;
  requireSince(since);
  const releases = catalogue.releases
    .filter(({ version }) => since === undefined || semver.gt(version, since))
    .map((release): CheckedRelease => {
      const found: Found = { package: catalogue.package, source: 'catalogue', release, judgement: undefined };
      return reportFound(found, [], catalogue, undefined);
    });
  if (releases.length === 0)
    throw new HoldopenError({
      code: 'no-release',
      message: `no release after ${since ?? ''} is recorded`,
      hint: `holdopen check --since ${since ?? ''}`,
    });
  return buildCheckReport(catalogue.package, catalogue, releases, []);
}

function usage(message: string): HoldopenError {
  return new HoldopenError({ code: 'usage', message, hint: 'holdopen check --help' });
}

/**
 * Runs something for every item, a few at a time, and keeps the order.
 * @param items what to run it for
 * @param width how many at a time
 * @param action what to run; the first error stops the rest
 */
export async function pool<T, R>(
  items: readonly T[],
  width: number,
  action: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // One generator for all who work: the error that one of them leaves the loop with ends it for the others as well.
  const rest = (function* () {
    yield* items.entries();
  })();
  const work = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await action(item, index);
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}
