import semver from 'semver';
import { countStatuses } from '../status.ts';
import type { Catalogue, CatalogueRelease } from './catalogue.ts';
import { deepest, driftBetween } from './drift.ts';
import type { Found } from './find.ts';
import type { CheckFailure, CheckReport, CheckedRelease, FileDrift, News } from './types.ts';
import { allNews } from './types.ts';

/**
 * What is said of one release: its verdict, and what moved.
 * @param one what was found
 * @param run all that was found in this run, of which one may be the release before
 * @param catalogue what is recorded; it need not have this release
 * @param baseline what to compare with, if not with the release before
 */
export function reportFound(
  one: Found,
  run: readonly Found[],
  catalogue: Catalogue,
  baseline: CatalogueRelease | undefined,
): CheckedRelease {
  const { release, source } = one;
  const history = one.package === catalogue.package ? catalogue.releases : [];
  const recorded = history.find(({ version }) => version === release.version);
  const others = run.filter((other) => other.package === one.package).map((other) => other.release);
  const before = baseline ?? predecessor(release.version, [...others, ...history]);
  const drift = before ? driftBetween(before, release) : [];
  const reports = new Map(one.judgement?.bundles.map(({ report }) => [report.file, report]));
  return {
    package: one.package,
    source,
    ...release,
    integrity: release.integrity || null,
    unpackedSize: release.unpackedSize || null,
    recorded: recorded !== undefined,
    news: newsOf(release, recorded, drift),
    against: before?.version ?? null,
    drift,
    bundles: release.bundles.map((bundle) => {
      const { file, status, family, needs, sites, sha256, size, fingerprints } = bundle;
      const since = shapeSince(catalogue, fingerprints?.class);
      const reasons = reports.get(file)?.reasons ?? [];
      const shape = { known: since !== null, since, needs, sites, sha256: sha256 || null };
      return { file, status, family, ...shape, reasons, fingerprints, size };
    }),
  };
}

/** The newest release before a version. */
function predecessor(version: string, releases: readonly CatalogueRelease[]): CatalogueRelease | undefined {
  let newest: CatalogueRelease | undefined;
  for (const release of releases)
    if (semver.lt(release.version, version) && (!newest || semver.gt(release.version, newest.version)))
      newest = release;
  return newest;
}

/** The first release of the catalogue with a shape. Not `locate/known.ts`: the catalogue can be another one here. */
function shapeSince({ releases }: Catalogue, shape: string | undefined): string | null {
  const first = releases.find(({ bundles }) =>
    bundles.some(({ fingerprints }) => shape !== undefined && fingerprints?.class === shape),
  );
  return first?.version ?? null;
}

/** The document of one run, with a count for every status. */
export function buildCheckReport(
  name: string,
  catalogue: Catalogue,
  releases: CheckedRelease[],
  failures: CheckFailure[],
): CheckReport {
  const patchable = releases.filter((release) => release.patchable).length;
  return {
    schema: 'holdopen/check@1',
    package: name,
    catalogue: { releases: catalogue.releases.length, newest: catalogue.releases.at(-1)?.version ?? null },
    summary: { releases: releases.length, patchable, failures: failures.length, ...countStatuses(releases) },
    releases,
    failures,
  };
}

type Compared = Pick<CatalogueRelease, 'bundles' | 'integrity'>;

/**
 * What somebody should hear of a release. Drift of a release that the catalogue has is history: whoever recorded it has
 * seen it.
 * @param release what was found
 * @param recorded what the catalogue has under this version
 * @param drift against the release before
 */
export function newsOf(
  release: Compared & Pick<CatalogueRelease, 'patchable'>,
  recorded: Compared | undefined,
  drift: readonly FileDrift[],
): News[] {
  const news = new Set<News>();
  const statuses = release.bundles.map((bundle) => bundle.status);
  if (!release.patchable) news.add('unpatchable');
  if (statuses.length > 0 && statuses.every((status) => status === 'unaffected')) news.add('unneeded');
  if (recorded) {
    if (isAnother(release, recorded)) news.add('changed');
  } else {
    const changes = drift.flatMap((file) => file.changes);
    if (changes.some(({ kind }) => kind === 'family' || kind === 'status')) news.add('family');
    if (drift.some(({ level }) => level === 'added' || level === 'removed')) news.add('bundles');
    if (drift.some(({ level }) => level === 'facts') && !news.has('family')) news.add('facts');
    if (deepest(drift) === 'normal-form') news.add('shape');
  }
  return allNews.filter((one) => news.has(one));
}

/** Bytes and verdicts. A directory is compared by its bundles alone: what it was packed as, nobody knows. */
function isAnother(release: Compared, recorded: Compared): boolean {
  if (release.integrity !== '' && release.integrity !== recorded.integrity) return true;
  const key = ({ bundles }: Compared): string =>
    JSON.stringify(bundles.map(({ file, sha256, status, family }) => [file, sha256, status, family]));
  return key(release) !== key(recorded);
}
