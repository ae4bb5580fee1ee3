import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { systemCode } from '../../errors.ts';
import type { Unreadables } from './layout.ts';

/**
 * Reads a regular file. A pipe with nobody at its other end would keep us waiting for ever, and a device may have no end.
 * @throws what the system says, or an error of its kind where it is no regular file
 */
export function readRegular(path: string): Buffer {
  return withRegular(path, (fd) => readFileSync(fd));
}

/** The text of a file that need not be there; undefined where the system does not give it. */
export function optionalText(path: string): string | undefined {
  try {
    return readRegular(path).toString('utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * Reads one file after another into the same memory: most files of a copy are searched for two words and never looked at
 * again, and memory that is new costs more than the bytes that are read into it.
 */
export class FileReader {
  #memory = Buffer.alloc(0);

  /**
   * @param path as for {@link readRegular}
   * @returns the bytes, until the next file is read
   * @throws as {@link readRegular}
   */
  read(path: string): Buffer {
    return withRegular(path, (fd, size) => {
      // A file that says nothing of its size, or that grows, is read as it comes.
      if (size === 0) return readFileSync(fd);
      if (this.#memory.length <= size) this.#memory = Buffer.allocUnsafeSlow(size + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length <= size; length += read)
        read = readSync(fd, this.#memory, length, size + 1 - length, length);
      // The reads above left the descriptor at its beginning.
      return length > size ? readFileSync(fd) : this.#memory.subarray(0, length);
    });
  }

  /** Lets go of the memory: the bytes that were read last stay as they are. */
  keep(): void {
    this.#memory = Buffer.alloc(0);
  }
}

function withRegular<T>(path: string, action: (fd: number, size: number) => T): T {
  const { fd, size } = openRegular(path);
  try {
    return action(fd, size);
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a regular file, for who reads it as a stream.
 * @returns a descriptor that the caller closes
 * @throws as {@link readRegular}
 */
export function openRegular(path: string): { fd: number; size: number } {
  // 0 where the system has no such flag.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, size: stats.size };
    throw irregular(path, stats.isDirectory() ? 'EISDIR' : undefined);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The error for what is there and is no regular file, of the kind that the system throws. */
export function irregular(path: string, code = 'not a regular file'): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'read', path });
}

/** Nothing is there: the entry is gone, no directory, or a symlink that leads nowhere. Nobody can load it either. */
const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/**
 * Runs one look at the disk. What is not there gives undefined; what is there and cannot be read is handed to
 * `findings` and gives undefined as well; anything that the system did not say is thrown on.
 */
export function look<T>(path: string, findings: Unreadables, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (!absent.has(code)) findings.addUnreadable({ path, detail: code });
    return undefined;
  }
}

/** The entries of a directory, sorted by name so that two machines report in the same order. */
export function list(dir: string, findings: Unreadables): Dirent[] {
  const entries = look(dir, findings, () => readdirSync(dir, { withFileTypes: true })) ?? [];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The stats of a directory (symlinks followed), or undefined where `path` is none. Absence costs no exception. */
export function directory(path: string, findings: Unreadables): BigIntStats | undefined {
  // A manifest may say anything; no file has a NUL in its name.
  if (path.includes('\0')) return undefined;
  const stats = look(path, findings, () => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return stats?.isDirectory() ? stats : undefined;
}

/** Where a symlink leads to in the end, or undefined where it leads nowhere. */
export function real(path: string, findings: Unreadables): string | undefined {
  return look(path, findings, () => realpathSync.native(path));
}

/**
 * The path of an entry. `join` would take the directory's path apart and put it together again, which is most of the time
 * and of the memory of a walk over a thousand packages.
 * @param dir as `join` or the system gives it, without `.`, `..` and a separator at its end
 * @param name of the entry, nothing else
 */
export function entryPath(dir: string, name: string): string {
  return dir.endsWith(sep) ? dir + name : dir + sep + name;
}

/** Equal for two paths of one file or directory, whatever links lead to it. Some file systems have no inode numbers. */
export function identity(path: string, stats: BigIntStats): string {
  return stats.ino === 0n ? realpathSync.native(path) : `${stats.dev}:${stats.ino}`;
}

/** Whether `path` is `root` or below it. Both must be real paths, else a symlink can lie about it. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A path with `/` as separator, as reports and package.json write it. */
export function slashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
