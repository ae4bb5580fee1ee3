import type { CatalogueRelease } from './catalogue.ts';
import { deepest } from './drift.ts';
import type { CheckedRelease, FileDrift, News } from './types.ts';

/** In the order of how much it matters. */
export const allNews = [
  'unpatchable',
  'changed',
  'family',
  'facts',
  'bundles',
  'unneeded',
  'shape',
] as const satisfies readonly News[];

/**
 * What somebody should hear of a release. Drift of a release that the catalogue has is history: whoever recorded it has
 * seen it.
 * @param release what was found
 * @param recorded what the catalogue has under this version
 * @param drift against the release before
 */
export function newsOf(
  release: Pick<CatalogueRelease, 'patchable' | 'bundles' | 'integrity'>,
  recorded: CatalogueRelease | undefined,
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
function isAnother(
  release: Pick<CatalogueRelease, 'bundles' | 'integrity'>,
  recorded: CatalogueRelease,
): boolean {
  if (release.integrity !== '' && release.integrity !== recorded.integrity) return true;
  const key = ({ bundles }: Pick<CatalogueRelease, 'bundles'>): string =>
    JSON.stringify(bundles.map(({ file, sha256, status, family }) => [file, sha256, status, family]));
  return key(release) !== key(recorded);
}

/** Whether every release does the job itself, so that holdopen can go. */
export function isUnneeded(releases: readonly CheckedRelease[]): boolean {
  return releases.length > 0 && releases.every((release) => release.news.includes('unneeded'));
}
