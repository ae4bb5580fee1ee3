import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { HoldopenError } from '../errors.ts';
import type { CacheEntry, ReleaseCache } from './cache.ts';
import { type NpmOptions, fetchIntegrity, fetchTarball } from './npm.ts';
import { readTarball, streamRegular } from './tarball.ts';

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
    const actual = await checkIntegrity(path, expected, `${name}@${version}`);
    const files = await readTarball(path);
    if (files.name !== name || files.version !== version)
      throw new HoldopenError({
        code: 'bad-tarball',
        message: `the tarball of ${name}@${version} says that it is ${files.name}@${files.version}`,
        hint: `npm view ${name}@${version} dist`,
      });
    // Not what the registry calls it: that may be an older kind of hash, or several in one.
    return cache.keep(files, actual);
  });
}

const strongestFirst = ['sha512', 'sha384', 'sha256', 'sha1'] as const;

/**
 * Compares a file with what the registry says of it, by the strongest algorithm that it names
 * (https://w3c.github.io/webappsec-subresource-integrity/).
 * @param path the tarball
 * @param expected `sha512-<base64>`, several with blanks between
 * @param name how to name it in an error
 * @returns its own `sha512-<base64>`
 * @throws HoldopenError `integrity` where it is another file, or nothing comparable is known of it
 */
export async function checkIntegrity(path: string, expected: string, name: string): Promise<string> {
  const known = expected.split(/\s+/).map((part) => part.split('?')[0] ?? '');
  const algorithm = strongestFirst.find((one) => known.some((part) => part.startsWith(`${one}-`)));
  const hashes = await hashesOf(path, ['sha512', algorithm ?? 'sha512']);
  const actual = algorithm && hashes.get(algorithm);
  if (actual !== undefined && known.includes(actual)) return hashes.get('sha512') ?? '';
  throw new HoldopenError({
    code: 'integrity',
    message: `${name} is not what the registry says it is: ${actual === undefined ? 'no hash of it is known' : `expected ${expected}, got ${actual}`}`,
    hint: 'npm cache clean --force, and run this again; if it stays, do not install this release',
  });
}

/**
 * `sha512-<base64>` of a file.
 * @throws HoldopenError `no-file` where it is no regular file
 */
export async function integrityOf(path: string): Promise<string> {
  return (await hashesOf(path, ['sha512'])).get('sha512') ?? '';
}

/** All in one go through the file: by algorithm, `sha1-<base64>`. */
async function hashesOf(path: string, algorithms: readonly string[]): Promise<Map<string, string>> {
  const hashes = new Map(algorithms.map((name) => [name, createHash(name)]));
  for await (const chunk of streamRegular(path))
    for (const hash of hashes.values()) hash.update(chunk as Buffer);
  return new Map([...hashes].map(([name, hash]) => [name, `${name}-${hash.digest('base64')}`]));
}
