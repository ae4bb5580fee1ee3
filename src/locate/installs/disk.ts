import { readdirSync, realpathSync, statSync } from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { systemCode } from '../../errors.ts';
import type { Findings } from './layout.ts';

/** Nothing is there: the entry is gone, no directory, or a symlink that leads nowhere. Nobody can load it either. */
const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/**
 * Runs one look at the disk. What is not there gives undefined; what is there and cannot be read is handed to
 * `findings` and gives undefined as well; anything that the system did not say is thrown on.
 */
export function look<T>(path: string, findings: Findings, action: () => T): T | undefined {
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
export function list(dir: string, findings: Findings): Dirent[] {
  const entries = look(dir, findings, () => readdirSync(dir, { withFileTypes: true })) ?? [];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The stats of a directory (symlinks followed), or undefined where `path` is none. Absence costs no exception. */
export function directory(path: string, findings: Findings): BigIntStats | undefined {
  // A manifest may say anything; no file has a NUL in its name.
  if (path.includes('\0')) return undefined;
  const stats = look(path, findings, () => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return stats?.isDirectory() ? stats : undefined;
}

/** Where a symlink leads to in the end, or undefined where it leads nowhere. */
export function real(path: string, findings: Findings): string | undefined {
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
