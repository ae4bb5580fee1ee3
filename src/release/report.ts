import semver from 'semver';
import { statuses } from '../report/build.ts';
import type { Status } from '../types.ts';
import type { Catalogue, CatalogueRelease } from './catalogue.ts';
import { driftBetween } from './drift.ts';
import type { Found } from './find.ts';
import { newsOf } from './news.ts';
import type { CheckFailure, CheckReport, CheckedRelease } from './types.ts';

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
    version: release.version,
    source,
    cli: release.cli,
    integrity: release.integrity || null,
    unpackedSize: release.unpackedSize || null,
    status: release.status,
    patchable: release.patchable,
    recorded: recorded !== undefined,
    news: newsOf(release, recorded, drift),
    against: before?.version ?? null,
    drift,
    bundles: release.bundles.map((bundle) => {
      const { file, status, family, needs, sites, sha256, size, fingerprints } = bundle;
      const since = shapeSince(catalogue, fingerprints?.class);
      const reasons = reports.get(file)?.reasons ?? [];
      const known = since !== null;
      return {
        file,
        status,
        family,
        known,
        needs,
        sites,
        sha256: sha256 || null,
        reasons,
        fingerprints,
        size,
        since,
      };
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
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  for (const release of releases) counts[release.status] += 1;
  const patchable = releases.filter((release) => release.patchable).length;
  return {
    schema: 'holdopen/check@1',
    package: name,
    catalogue: { releases: catalogue.releases.length, newest: catalogue.releases.at(-1)?.version ?? null },
    summary: { releases: releases.length, patchable, failures: failures.length, ...counts },
    releases,
    failures,
  };
}
