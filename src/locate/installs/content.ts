import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from './disk.ts';
import { scripts } from './file.ts';
import type { Copy, UnreadablePlace } from './layout.ts';
import { FileReader, irregular } from './read.ts';
import { ZipFile } from './zip.ts';

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
        addUnreadable({ path, detail: 'a link leads out of the package' });
        return [];
      }
      return scripts(root, folder, { addCopy: () => undefined, addUnreadable, enter: () => true });
    },
    names: () => readdirSync(root),
  };
}

function packed(path: string, prefix: string): Content {
  const zip = new ZipFile(path);
  const names = [...zip.names].flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
  return {
    read: (file) => zip.read(prefix + file),
    keep: () => undefined,
    isFile: (file) => zip.names.has(prefix + file),
    scripts: (folder) => names.filter((name) => name.startsWith(folder) && /\.[cm]?js$/.test(name)),
    names: () => names.filter((name) => !name.includes('/')),
  };
}
