import { realpathSync, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import type AdmZip from 'adm-zip';
import { systemCode } from '../../errors.ts';
import type { Copy, Unreadables } from './layout.ts';
import { library } from './library.ts';
import { FileReader, irregular, isInside, list, readRegular, slashes } from './read.ts';

/** The files of one copy, wherever they lie. Paths are relative to the copy, `/` as separator. */
export interface Content {
  /**
   * The bytes of a file, until the next one is read or for good once they are kept.
   * @throws what the system or the archive says
   */
  read(file: string): Buffer;
  /** Keeps the bytes that were read last. */
  keep(): void;
  /**
   * Whether it is a file of this copy: there, by its name. A link may lead anywhere, for a host loads what is behind it:
   * `bun install --backend=symlink` links every file into its cache, and build tools into a sandbox.
   */
  isFile(file: string): boolean;
  /** The scripts below a folder. */
  scripts(folder: string, addUnreadable: (file: string, detail: string) => void): string[];
}

/** @param copy what `findInstalls` found */
export function contentOf({ archive, dir }: Copy): Content {
  if (archive === undefined) return onDisk(dir);
  const zip = new ZipFile(archive.path);
  const inside = [...zip.names].filter((name) => name.startsWith(archive.prefix));
  const names = inside.map((name) => name.slice(archive.prefix.length));
  return packed(names, (file) => zip.read(archive.prefix + file));
}

/**
 * The content of an archive.
 * @param names of all files
 * @param read gives the bytes of one
 */
export function packed(names: Iterable<string>, read: Content['read']): Content {
  const all = new Set(names);
  return {
    read,
    keep: () => undefined,
    isFile: (file) => all.has(file),
    scripts: (folder) => [...all].filter((name) => name.startsWith(folder) && hasEnding(name)),
  };
}

/** @param root real path of the copy */
function onDisk(root: string): Content {
  const reader = new FileReader();
  return {
    read: (file) => reader.read(join(root, file)),
    keep: () => reader.keep(),
    isFile(file) {
      if (file.startsWith('../')) return false;
      const path = join(root, file);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || stats.isDirectory()) return false;
      if (!stats.isFile()) throw irregular(path);
      return true;
    },
    scripts(folder, addUnreadable) {
      const path = join(root, folder);
      if (!isInside(root, path)) return [];
      // Behind a link there may be a whole disk, and circles.
      if (statSync(path, { throwIfNoEntry: false }) && !isInside(root, realpathSync.native(path))) {
        addUnreadable(slashes(relative(root, path)), 'a link leads out of the package');
        return [];
      }
      return scriptsBelow(root, folder, {
        addUnreadable: (place) => addUnreadable(slashes(relative(root, place.path)) || '.', place.detail),
      });
    },
  };
}

/** Every script below a folder, `/` as separator, relative to the root; not those of packages installed in it. */
export function scriptsBelow(root: string, folder: string, findings: Unreadables): string[] {
  return list(join(root, folder), findings).flatMap((entry: Dirent) => {
    const name = slashes(join(folder, entry.name));
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : scriptsBelow(root, name, findings);
    return hasEnding(entry.name) ? [name] : [];
  });
}

function hasEnding(file: string): boolean {
  return /\.[cm]?js$/.test(file);
}

/** By its name. A file without an ending is JavaScript to Node, as `bin` scripts are; declarations, JSON, binaries are not. */
export function isScript(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return hasEnding(name) || (name !== '' && !name.includes('.'));
}

/** The archive is not what it should be; the message says how, in a few words. */
export class ArchiveError extends Error {}

/** More than any file of the SDK that holds the class by far; a bomb says more, or unpacks to more than it says. */
const mostBytes = 64 * 2 ** 20;

/** A zip of yarn's cache. The library holds an entry to the size and the checksum that the archive's directory says. */
export class ZipFile {
  readonly #zip: AdmZip;
  /** Of its files. */
  readonly names: ReadonlySet<string>;

  /**
   * @param path of the archive
   * @throws ArchiveError `not a zip`, or what the system says
   */
  constructor(path: string) {
    const Zip = library<typeof AdmZip>('adm-zip');
    const bytes = attempt('too big to be read', () => readRegular(path));
    this.#zip = attempt('not a zip', () => new Zip(bytes, { noSort: true, readEntries: true }));
    const files = this.#zip.getEntries().filter(({ isDirectory }) => !isDirectory);
    this.names = new Set(files.map(({ entryName }) => entryName));
  }

  /** The bytes of one entry. @throws ArchiveError where it is not there, damaged or too big */
  read(name: string): Buffer {
    const entry = this.names.has(name) ? this.#zip.getEntry(name) : null;
    if (!entry) throw new ArchiveError(`${name} is not in the archive`);
    const { size, compressedSize } = entry.header;
    if (Math.max(size, compressedSize) > mostBytes) throw new ArchiveError(`${name} is too big`);
    const bytes = attempt(`${name} is damaged`, () => entry.getData());
    if (bytes.length !== size) throw new ArchiveError(`${name} is damaged`);
    return bytes;
  }
}

/** What the system says is said as it is. The library throws errors of any kind at what it was not made for. */
function attempt<T>(why: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (systemCode(cause) !== undefined) throw cause;
    throw new ArchiveError(why, { cause });
  }
}
