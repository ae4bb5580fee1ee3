import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from './disk.ts';
import { scripts } from './file.ts';
import type { Copy, UnreadablePlace } from './layout.ts';
import { ArchiveError, ZipFile } from './zip.ts';
import { irregular, readRegular } from './read.ts';

/** The files of one copy, wherever they lie. Paths are relative to the copy, `/` as separator. */
export interface Content {
  /** @throws what the system or the archive says */
  read(file: string): Buffer;
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

function onDisk(root: string): Content {
  return {
    read: (file) => readRegular(join(root, file)),
    isFile(file) {
      const path = join(root, file);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || stats.isDirectory()) return false;
      if (!stats.isFile()) throw irregular(path);
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
    isFile: (file) => zip.entries.has(prefix + file),
    scripts: (folder) => names.filter((name) => name.startsWith(folder) && /\.[cm]?js$/.test(name)),
    names: () => names.filter((name) => !name.includes('/')),
  };
}
