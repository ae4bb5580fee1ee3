import { dirname } from 'node:path';
import { HoldopenError, systemCode } from '../errors.ts';

/** What a system code means for a file that we want to replace: our code, the reason in words, the next step. */
interface Meaning {
  code: string;
  why: string;
  hint: (dir: string) => string;
}

const noPermission: Meaning = {
  code: 'no-permission',
  why: 'this user may not change files in its directory',
  hint: (dir) =>
    `run the command as the owner of ${dir}, who may write in it, see: ls -ld ${dir}; if you are, a file may be immutable, see: lsattr -a ${dir}`,
};

const busy: Meaning = {
  code: 'file-busy',
  why: 'another program holds it',
  hint: () =>
    'stop the programs that use the SDK, then run the same command again; a file that is mounted on its own (docker -v) is patched where it comes from',
};

const full: Meaning = {
  code: 'disk-full',
  why: 'there is no space left for a second copy of it',
  hint: (dir) => `make room, see: df -h ${dir}; then run the same command again`,
};

const gone: Meaning = {
  code: 'file-gone',
  why: 'it was removed since it was read',
  hint: () => 'wait for the install to end, then run the same command again',
};

const noFile: Meaning = {
  code: 'file-changed',
  why: 'something that is no file took its place since it was read',
  hint: (dir) => `see what is there: ls -la ${dir}; install again, then run the same command again`,
};

const meanings: Record<string, Meaning> = {
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: {
    code: 'read-only',
    why: 'its file system is mounted read-only',
    hint: () => 'patch where the packages are installed (the image build), before they are mounted read-only',
  },
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: {
    code: 'file-too-big',
    why: 'this process may not write a file of that size',
    hint: () => 'raise the limit, see: ulimit -f; then run the same command again',
  },
  ENAMETOOLONG: {
    code: 'path-too-long',
    why: 'the path of a second copy beside it would be too long',
    hint: () => 'run the command in a project with a shorter path',
  },
  EBUSY: busy,
  ETXTBSY: busy,
  ENOENT: gone,
  ENOTDIR: gone,
  EISDIR: noFile,
  'not a regular file': noFile,
};

/**
 * Says in words why a file could not be replaced.
 * @param path the file
 * @param error what was thrown
 * @returns a HoldopenError for everything that the system said; any other value as it is, for it is a bug
 */
export function writeError(path: string, error: unknown): unknown {
  const system = systemCode(error);
  if (system === undefined) return error;
  const meaning = meanings[system] ?? {
    code: 'write-failed',
    why: 'the system refused',
    hint: () => 'run the same command again; if it stays so, look at the disk',
  };
  return new HoldopenError({
    code: meaning.code,
    message: `cannot write ${path}: ${meaning.why} (${system})`,
    hint: meaning.hint(dirname(path)),
    cause: error,
  });
}
