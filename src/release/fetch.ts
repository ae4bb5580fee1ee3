import { join } from 'node:path';
import { HoldopenError } from '../errors.ts';
import type { CacheEntry, ReleaseCache } from './cache.ts';
import { checkIntegrity, integrityOf } from './integrity.ts';
import { type NpmOptions, fetchIntegrity, fetchTarball } from './npm.ts';
import { readTarball } from './tarball.ts';

export interface FetchOptions extends NpmOptions {
  cache: ReleaseCache;
  /** What the registry says the tarball's hash is, where that is known already. */
  integrity?: string | undefined;
  /** Many releases are fetched: they must not fill the user's npm cache with gigabytes. */
  many?: boolean;
  /** Called when it is not in the cache. */
  onDownload?: () => void;
}

/**
 * Gets one exact version: from the cache, else through npm, verified, read in memory, and only what matters of it
 * kept. Nothing stays behind of one that fails.
 * @throws HoldopenError `integrity`, `bad-tarball`, or npm's code
 */
export async function fetchRelease(
  name: string,
  version: string,
  options: FetchOptions,
): Promise<CacheEntry> {
  const { cache, integrity } = options;
  const cached = await cache.find(name, version);
  if (cached) return cached;
  options.onDownload?.();
  const expected = integrity ?? (await fetchIntegrity(name, version, options))[version] ?? '';
  return cache.scratch(async (dir) => {
    const ownCache = options.many ? join(dir, 'npm') : undefined;
    const path = join(dir, await fetchTarball(name, version, dir, { ...options, ownCache }));
    await checkIntegrity(path, expected, `${name}@${version}`);
    const files = await readTarball(path);
    if (files.name !== name || files.version !== version)
      throw new HoldopenError({
        code: 'bad-tarball',
        message: `the tarball of ${name}@${version} says that it is ${files.name}@${files.version}`,
        hint: `npm view ${name}@${version} dist`,
      });
    // Not what the registry calls it: that may be an older kind of hash, or several in one.
    return cache.keep(files, await integrityOf(path));
  });
}
