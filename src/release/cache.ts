import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { HoldopenError, systemCode } from '../errors.ts';
import { readRegular } from '../locate/installs/read.ts';
import type { PackageFiles } from './tarball.ts';

/** What the cache keeps of one release, beside its files. */
export interface CachedRelease {
  name: string;
  version: string;
  /** Of the tarball that the files are from. */
  integrity: string;
  unpackedSize: number;
  /** Path -> size: an entry with a file missing or cut off is none. */
  files: Record<string, number>;
}

/** A release in the cache. */
export interface CacheEntry extends CachedRelease {
  /** The package's directory: package.json and the scripts that matter. */
  dir: string;
}

/** Where downloaded releases are kept: never in the project. */
export function cacheRoot(env: NodeJS.ProcessEnv = process.env): string {
  const { HOLDOPEN_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = env;
  if (HOLDOPEN_CACHE) return HOLDOPEN_CACHE;
  const base = process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : XDG_CACHE_HOME;
  return join(base || join(homedir(), '.cache'), 'holdopen');
}

/** The releases that were downloaded before; every entry is there wholly or not at all. */
export class ReleaseCache {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** A release that is in the cache; with `integrity` only where it is from that tarball. */
  async find(name: string, version: string, integrity?: string): Promise<CacheEntry | undefined> {
    const entry = this.#entry(name, version);
    const cached = readJson<CachedRelease>(join(entry, 'release.json'));
    if (cached === undefined || (integrity !== undefined && cached.integrity !== integrity)) return undefined;
    const dir = join(entry, 'package');
    for (const [file, size] of Object.entries(cached.files)) {
      const stats = await stat(join(dir, file)).catch(() => undefined);
      // A pipe has the size of an empty file.
      if (!stats?.isFile() || stats.size !== size) return undefined;
    }
    return { ...cached, dir };
  }

  /** Keeps a release: written beside its place and renamed, so that a killed run leaves no half of one. */
  async keep(files: PackageFiles, integrity: string): Promise<CacheEntry> {
    const { name, version, unpackedSize } = files;
    const sizes = Object.fromEntries([...files.files].map(([file, bytes]) => [file, bytes.length]));
    const cached: CachedRelease = { name, version, integrity, unpackedSize, files: sizes };
    const place = this.#entry(name, version);
    await this.scratch(async (dir) => {
      await unpack(files, join(dir, 'new/package'));
      await writeFile(join(dir, 'new/release.json'), `${JSON.stringify(cached)}\n`);
      await mkdir(dirname(place), { recursive: true });
      await rm(place, { recursive: true, force: true });
      await rename(join(dir, 'new'), place).catch(async (error: unknown) => {
        // Two runs at once keep the same release: one of them is first.
        if ((await this.find(name, version, integrity)) === undefined) throw error;
      });
    });
    return { ...cached, dir: join(place, 'package') };
  }

  /**
   * Runs something with a directory that is gone afterwards, whatever happens.
   * @throws HoldopenError `no-cache` where the system does not let us write
   */
  async scratch<T>(action: (dir: string) => Promise<T>): Promise<T> {
    const parent = join(this.#root, 'tmp');
    try {
      await mkdir(parent, { recursive: true });
      const dir = await mkdtemp(join(parent, 'run-'));
      try {
        return await action(dir);
      } finally {
        await rm(dir, { recursive: true, force: true, maxRetries: 3 });
      }
    } catch (error) {
      throw cacheError(this.#root, error);
    }
  }

  /** Removes what runs that were killed left behind. */
  async sweep(now = Date.now()): Promise<void> {
    const parent = join(this.#root, 'tmp');
    for (const name of await readdir(parent).catch(() => [])) {
      const stats = await stat(join(parent, name)).catch(() => undefined);
      if (stats && now - stats.mtimeMs > hour) await rm(join(parent, name), { recursive: true, force: true });
    }
  }

  /** A small document, with the time at which it was kept. */
  note<T>(name: string): { value: T; at: number } | undefined {
    return readJson(this.#note(name));
  }

  async takeNote(name: string, value: unknown, at = Date.now()): Promise<void> {
    const path = this.#note(name);
    await this.scratch(async (dir) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(join(dir, 'note'), JSON.stringify({ at, value }));
      await rename(join(dir, 'note'), path);
    });
  }

  #entry(name: string, version: string): string {
    return join(this.#root, 'packages', fileName(name), version);
  }

  #note(name: string): string {
    return join(this.#root, 'registry', `${fileName(name)}.json`);
  }
}

function cacheError(root: string, error: unknown): unknown {
  const system = systemCode(error);
  if (system === undefined) return error;
  return new HoldopenError({
    code: 'no-cache',
    message: `cannot write to the cache ${root}: ${system}`,
    hint: 'name a folder that can be written: HOLDOPEN_CACHE=FOLDER',
    cause: error,
  });
}

/** Writes what was read of a tarball; its paths were checked when it was read. */
export async function unpack({ files }: PackageFiles, dir: string): Promise<void> {
  for (const [file, bytes] of files) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), bytes);
  }
}

const hour = 60 * 60 * 1000;

/** `@scope/name` as one word that every file system takes. */
function fileName(name: string): string {
  return name.replace('/', '+');
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readRegular(path).toString('utf8')) as T;
  } catch (error) {
    // Not there, or written by something else: fetched again.
    if (systemCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
