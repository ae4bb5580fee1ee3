// Called as `fs.x` throughout, so that the tests can let any single step fail.
import fs from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { HoldopenError, systemCode } from '../errors.ts';
import { readRegular } from '../locate/installs/read.ts';
import { writeError } from './write-errors.ts';

export interface ReplaceOptions {
  /** The directory that the user let us change. Naming a copy itself makes that copy the root. */
  root: string;
}

/**
 * Replaces a file as a whole: whoever opens it, and whatever happens to us, sees the old bytes or the new ones.
 *
 * The new bytes go to a temporary file beside it, which is then renamed over it. That gives the name a new inode:
 * other hard links of the file (the stores of pnpm and bun, and through them other projects) keep the old bytes. A
 * symlink is followed and stays one, but never out of `root`. Mode and, where the system lets us, owner stay.
 *
 * Several runs at once: each writes a temporary file of its own and compares before it renames, so that the last one to
 * rename wins with a whole file. A run that finds other bytes than it expects throws and leaves the file alone.
 *
 * @param path the file, absolute
 * @param expected what we read from it; what we would write is only right for these bytes
 * @param next what it shall hold
 * @returns `unchanged` where it holds `next` already
 * @throws HoldopenError `outside-root`, `file-changed`, `file-gone`, `no-permission`, `read-only`, `disk-full`,
 *   `file-busy`, `path-too-long`, `write-failed`; the file then has its old bytes and no temporary file is left
 */
export function replaceFile(
  path: string,
  expected: Buffer,
  next: Buffer,
  options: ReplaceOptions,
): 'written' | 'unchanged' {
  try {
    const target = linkTarget(path, options.root);
    removeLeftovers(dirname(target));
    // It is read before the rename in any case; now only where it may be done already.
    const maybeDone = fs.statSync(target).size === next.length;
    if (maybeDone && holds(target, expected, next) === 'next') return 'unchanged';
    return writeBeside(target, expected, next);
  } catch (error) {
    throw writeError(path, error);
  }
}

/**
 * The file that a write to `path` would replace.
 * @param path the file, absolute
 * @param root the directory that the user let us change
 * @returns real path, behind all symlinks
 * @throws HoldopenError `outside-root` where a link leads out of `root`; `file-gone` and the like as `replaceFile`
 */
export function writableTarget(path: string, root: string): string {
  try {
    return linkTarget(path, root);
  } catch (error) {
    throw writeError(path, error);
  }
}

function linkTarget(path: string, root: string): string {
  const target = fs.realpathSync.native(path);
  const way = relative(fs.realpathSync.native(root), target);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return target;
  throw new HoldopenError({
    code: 'outside-root',
    message: `will not write ${path}: a link leads to ${target}, which is outside of ${root} and may belong to other projects`,
    // Where the file alone is a link, its folder need not be a package.
    hint: `if it is yours to change, run the command ${target === path ? `on ${dirname(target)} itself` : `with --file ${target}`}`,
  });
}

function writeBeside(target: string, expected: Buffer, next: Buffer): 'written' | 'unchanged' {
  const temporary = join(dirname(target), temporaryName(basename(target)));
  const { mode, uid, gid } = fs.statSync(target);
  let renamed = false;
  // `wx` alone makes sure that the file is ours; nobody else may read it before it has its mode.
  const file = fs.openSync(temporary, 'wx', 0o600);
  try {
    try {
      fs.writeFileSync(file, next);
      keepOwner(file, uid, gid);
      // After the owner, because changing that one takes away set-user-id bits.
      fs.fchmodSync(file, mode & 0o7777);
      syncFile(file);
    } finally {
      fs.closeSync(file);
    }
    // Once more and as late as can be: an install or another run may have replaced the file while we wrote.
    if (holds(target, expected, next) === 'next') return 'unchanged';
    fs.renameSync(temporary, target);
    renamed = true;
  } finally {
    if (!renamed) removeQuietly(temporary);
  }
  syncDirectory(dirname(target));
  return 'written';
}

function holds(target: string, expected: Buffer, next: Buffer): 'expected' | 'next' {
  // A pipe or a device may have taken its place since it was read, and would keep us for ever.
  const bytes = readRegular(target);
  if (bytes.equals(next)) return 'next';
  if (bytes.equals(expected)) return 'expected';
  throw new HoldopenError({
    code: 'file-changed',
    message: `will not write ${target}: it changed since it was read, another program is at work on it`,
    hint: 'wait for the install to end, then run the same command again',
  });
}

/**
 * A plain user cannot give files away, nor can a container to a user that it does not know; the file is then theirs, as
 * after any install of theirs.
 */
function keepOwner(file: number, uid: number, gid: number): void {
  const now = fs.fstatSync(file);
  if (now.uid === uid && now.gid === gid) return;
  try {
    fs.fchownSync(file, uid, gid);
  } catch (error) {
    if (!['EPERM', 'EINVAL', ...unsupported].includes(systemCode(error) ?? '')) throw error;
  }
}

/** What file systems say (network, FUSE) that have no such call. */
const unsupported = ['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/** Where there is no such call, the file is as safe as it can be. */
function syncFile(file: number): void {
  try {
    fs.fsyncSync(file);
  } catch (error) {
    if (!['EINVAL', ...unsupported].includes(systemCode(error) ?? '')) throw error;
  }
}

/** Makes the rename survive a power cut. The file is whole either way, so a system that cannot is no failure. */
function syncDirectory(dir: string): void {
  let handle: number | undefined;
  try {
    handle = fs.openSync(dir, 'r');
    fs.fsyncSync(handle);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}

/** `.sdk.mjs.holdopen-4711-9f3c2a10b4d5.tmp`: hidden, ours, whose, and unique among threads and containers. */
function temporaryName(name: string): string {
  // A name may have 255 bytes, and four are the most for a character.
  const start = [...name].slice(0, 40).join('');
  return `.${start}.holdopen-${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
}

const temporaryPattern = /^\..+\.holdopen-(\d+)-[0-9a-f]{12}\.tmp$/;

/** Removes what killed runs left behind. */
function removeLeftovers(dir: string): void {
  for (const name of fs.readdirSync(dir)) {
    const pid = temporaryPattern.exec(name)?.[1];
    const path = join(dir, name);
    if (pid !== undefined && !isAtWork(Number(pid), path)) removeQuietly(path);
  }
}

/** A temporary file that stays is ugly, no more: what matters is the error that came before, or the file to write. */
function removeQuietly(path: string): void {
  try {
    fs.rmSync(path, { force: true });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** Whether the process that made the temporary file may still be writing it. */
function isAtWork(pid: number, path: string): boolean {
  if (pid === process.pid) {
    // In containers every run has the same number: the file is not from this run if it is older than this process.
    const started = Date.now() - process.uptime() * 1000;
    const made = fs.lstatSync(path, { throwIfNoEntry: false });
    return made === undefined || made.mtimeMs >= started;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and is somebody else's.
    return systemCode(error) !== 'ESRCH';
  }
}
