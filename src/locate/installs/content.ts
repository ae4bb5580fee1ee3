import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from './disk.ts';
import { scripts } from './file.ts';
import type { Copy, UnreadablePlace } from './layout.ts';
import { FileReader, irregular } from './read.ts';
import { ArchiveError, ZipFile } from './zip.ts';

/** The files of one copy, wherever they lie. Paths are relative to the copy, `/` as separator. */
export interface Content {
  /**
   * The bytes of a file, until the next one is read or for good once they are kept.
   * @throws what the system or the archive says
   */
  read(file: string): Buffer;
  /** Keeps the bytes that were read last. */
  keep(): void;
  /** Whether it is a file of this copy: there, and no link leads out of it. */
  isFile(file: string): boolean;
  /** The scripts below a folder. */
  scripts(folder: string, addUnreadable: (place: UnreadablePlace) => void): string[];
  /** The names beside the package.json. */
  names(): string[];
}

/** @param copy what `findInstalls` found */
export function contentOf(copy: Copy): Content {
  return copy.archive ? packed(copy.archive.path, copy.archive.prefix) : onDisk(copy.dir);
}

/** @param root real path of the copy */
function onDisk(root: string): Content {
  const reader = new FileReader();
  const folders = new Map([[root, true]]);
  /** Whether no link on the way to a folder leads out of the copy; looked at once for all files of it. */
  const isOwnFolder = (path: string): boolean => {
    const known = folders.get(path) ?? isInside(root, realpathSync.native(path));
    folders.set(path, known);
    return known;
  };
  return {
    read: (file) => reader.read(join(root, file)),
    keep: () => reader.keep(),
    isFile(file) {
      const path = join(root, file);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() === true) return isOwnFolder(dirname(path));
      const target = stats?.isSymbolicLink() === true ? statSync(path, { throwIfNoEntry: false }) : stats;
      if (target === undefined || target.isDirectory()) return false;
      if (!target.isFile()) throw irregular(path);
      return isInside(root, realpathSync.native(path));
    },
    scripts(folder, addUnreadable) {
      if (!isInside(root, join(root, folder))) return [];
      return scripts(root, folder, { addCopy: () => undefined, addUnreadable, enter: () => true });
    },
    names: () => readdirSync(root),
  };
}

function packed(path: string, prefix: string): Content {
  const zip = new ZipFile(path);
  const files = [...zip.entries.keys()].filter((name) => name.startsWith(prefix) && !name.endsWith('/'));
  const names = files.map((name) => name.slice(prefix.length));
  return {
    read(file) {
      const entry = zip.entries.get(prefix + file);
      if (entry === undefined) throw new ArchiveError(`${file} is not in the archive`);
      return zip.read(entry);
    },
    keep: () => undefined,
    isFile: (file) => zip.entries.has(prefix + file),
    scripts: (folder) => names.filter((name) => name.startsWith(folder) && /\.[cm]?js$/.test(name)),
    names: () => names.filter((name) => !name.includes('/')),
  };
}
