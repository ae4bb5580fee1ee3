import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { HoldopenError, systemCode } from '../errors.ts';
import { readRegular } from '../locate/installs/read.ts';
import { sha256 } from '../locate/source.ts';
import { badTarball } from './tar.ts';
import type { PackageFiles } from './tarball.ts';

/** A release in the cache. */
export interface CacheEntry {
  name: string;
  version: string;
  /** Of the tarball that the files are from. */
  integrity: string;
  unpackedSize: number;
  /** Path -> size: an entry with a file missing or cut off is none. */
  files: Record<string, number>;
  /** Path -> hash; entries of an older holdopen have none. */
  sha256?: Record<string, string>;
  /** The package's directory: package.json and the scripts that matter. */
  dir: string;
}

/** What the cache keeps of one release, beside its files. */
type CachedRelease = Omit<CacheEntry, 'dir'>;

/** Where downloaded releases are kept: never in the project. */
export function cacheRoot(env: NodeJS.ProcessEnv = process.env): string {
  const { HOLDOPEN_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = env;
  if (HOLDOPEN_CACHE) return resolve(HOLDOPEN_CACHE);
  const base = process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : XDG_CACHE_HOME;
  // A relative one is to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
  return join(base && isAbsolute(base) ? base : join(home(), '.cache'), 'holdopen');
}

function home(): string {
  try {
    return homedir();
  } catch (cause) {
    // A user that the system does not know, as in a container, without HOME.
    throw new HoldopenError({
      code: 'no-cache',
      message: 'there is no place for the cache: this user has no home',
      hint: 'HOLDOPEN_CACHE=/tmp/holdopen holdopen check',
      cause,
    });
  }
}

/** The releases that were downloaded before; every entry is there wholly or not at all. */
export class ReleaseCache {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** A release that is in the cache, whole and with the bytes that were kept. */
  async find(name: string, version: string): Promise<CacheEntry | undefined> {
    const found = await this.#glance(name, version);
    return found && isAsKept(found) ? found : undefined;
  }

  /** Whether a release seems to be in the cache: its bytes are not looked at. */
  async has(name: string, version: string): Promise<boolean> {
    return (await this.#glance(name, version)) !== undefined;
  }

  async #glance(name: string, version: string): Promise<CacheEntry | undefined> {
    const entry = this.#entry(name, version);
    const cached = readJson(join(entry, 'release.json'));
    if (!isCached(cached) || cached.name !== name || cached.version !== version) return undefined;
    const dir = join(entry, 'package');
    for (const [file, size] of Object.entries(cached.files)) {
      const stats = await stat(join(dir, file)).catch(() => undefined);
      if (stats?.isFile() !== true || stats.size !== size) return undefined;
    }
    return { ...cached, dir };
  }

  /** Keeps a release: written beside its place and renamed, so that a killed run leaves no half of one. */
  async keep(files: PackageFiles, integrity: string): Promise<CacheEntry> {
    const { name, version, unpackedSize } = files;
    const each = <T>(of: (bytes: Buffer) => T): Record<string, T> =>
      Object.fromEntries([...files.files].map(([file, bytes]) => [file, of(bytes)]));
    const kept = { files: each((bytes) => bytes.length), sha256: each(sha256) };
    const cached: CachedRelease = { name, version, integrity, unpackedSize, ...kept };
    const place = this.#entry(name, version);
    return this.scratch(async (dir) => {
      await unpack(files, join(dir, 'new/package'));
      // Two runs at once keep the same release: one of them is first, and may be reading it now.
      const first = await this.find(name, version);
      if (first?.integrity === integrity) return first;
      await this.#disk(async () => {
        await writeFile(join(dir, 'new/release.json'), `${JSON.stringify(cached)}\n`);
        await makeFolder(dirname(place));
        await rename(place, join(dir, 'old')).catch((error: unknown) => {
          if (systemCode(error) !== 'ENOENT') throw error;
        });
        await rename(join(dir, 'new'), place).catch(async (error: unknown) => {
          if ((await this.find(name, version))?.integrity !== integrity) throw error;
        });
      });
      return { ...cached, dir: join(place, 'package') };
    });
  }

  /**
   * Runs something with a directory that is gone afterwards, whatever happens.
   * @throws HoldopenError `no-cache` where the system does not let us write
   */
  async scratch<T>(action: (dir: string) => Promise<T>): Promise<T> {
    const parent = join(this.#root, 'tmp');
    const dir = await this.#disk(async () => {
      await makeFolder(parent);
      return mkdtemp(join(parent, 'run-'));
    });
    try {
      return await action(dir);
    } finally {
      await remove(dir);
    }
  }

  async #disk<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw cacheError(this.#root, error);
    }
  }

  /** Removes what runs that were killed left behind. */
  async sweep(now = Date.now()): Promise<void> {
    const parent = join(this.#root, 'tmp');
    for (const name of await readdir(parent).catch(() => [])) {
      const stats = await stat(join(parent, name)).catch(() => undefined);
      if (stats && now - stats.mtimeMs > hour) await remove(join(parent, name));
    }
  }

  /** A small document, with the time at which it was kept. */
  note(name: string): { value: unknown; at: number } | undefined {
    const note = readJson(this.#note(name)) as { value?: unknown; at?: unknown } | null | undefined;
    return typeof note?.at === 'number' ? { value: note.value, at: note.at } : undefined;
  }

  /** Keeps a small document, where that can be done: without it, it is asked for again. */
  async takeNote(name: string, value: unknown, at = Date.now()): Promise<void> {
    const path = this.#note(name);
    await this.scratch(async (dir) => {
      try {
        await makeFolder(dirname(path));
        await writeFile(join(dir, 'note'), JSON.stringify({ at, value }));
        await rename(join(dir, 'note'), path);
      } catch (error) {
        if (systemCode(error) === undefined) throw error;
      }
    });
  }

  #entry(name: string, version: string): string {
    return join(this.#root, 'packages', fileName(name), version);
  }

  #note(name: string): string {
    return join(this.#root, 'registry', `${fileName(name)}.json`);
  }
}

/**
 * Makes a folder and those above it. Not Node's own recursive one: where a file system has no place for new folders and
 * says that the one above is not there, as /proc does, it goes on for ever and no signal ends it.
 */
async function makeFolder(path: string): Promise<void> {
  const make = async (): Promise<void> => {
    await mkdir(path).catch(async (error: unknown) => {
      // EEXIST, and on some systems EPERM or EROFS, of a folder that is there; another run may have made it meanwhile.
      if ((await stat(path).catch(() => undefined))?.isDirectory() !== true) throw error;
    });
  };
  await make().catch(async (error: unknown) => {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  });
}

/** The user's disk, not a bug of ours: full, not writable, or with something else where the cache is to be. */
function cacheError(place: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new HoldopenError({
    code: 'no-cache',
    message: `cannot write to the cache at ${place} (${code})`,
    hint: 'name a folder that can be written: HOLDOPEN_CACHE=/tmp/holdopen holdopen check',
    cause: error,
  });
}

/**
 * Writes what was read of a tarball; its paths were checked when it was read.
 * @throws HoldopenError `bad-tarball` where no disk can have these files, `no-cache` where this one cannot
 */
export async function unpack({ files }: PackageFiles, dir: string): Promise<void> {
  try {
    for (const [file, bytes] of files) {
      await makeFolder(dirname(join(dir, file)));
      await writeFile(join(dir, file), bytes);
    }
  } catch (error) {
    // The folder is new: whatever is in the way is a file of the same tarball.
    const code = systemCode(error) ?? '';
    if (['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(code))
      throw badTarball(`its files cannot lie in one folder (${code})`, error);
    throw cacheError(dirname(dir), error);
  }
}

/** What cannot be removed now is swept up later, and costs nobody the result. */
async function remove(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
    if (systemCode(error) === undefined) throw error;
  });
}

function isCached(value: unknown): value is CachedRelease {
  const { integrity, unpackedSize, files, sha256: hashes = {} } = Object(value) as Partial<CachedRelease>;
  const has = typeof integrity === 'string' && typeof unpackedSize === 'number';
  return has && Object(hashes) === hashes && Object.hasOwn(Object(files) as object, 'package.json');
}

function isAsKept({ dir, sha256: hashes }: CacheEntry): boolean {
  return Object.entries(hashes ?? {}).every(([file, hash]) => {
    try {
      return sha256(readRegular(join(dir, file))) === hash;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return false;
    }
  });
}

const hour = 60 * 60 * 1000;

/** `@scope/name` as one word that every file system takes. */
function fileName(name: string): string {
  return name.replace('/', '+');
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readRegular(path).toString('utf8')) as unknown;
  } catch (error) {
    // Not there, or written by something else: fetched again.
    if (systemCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
