import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { HoldopenError, systemCode } from '../errors.ts';
import { cannotWrite } from './output.ts';

/**
 * Sees to it that results can be written before the work is begun: it may take hours, or change files.
 * @param names of the files, as the user wrote them
 * @param cwd what they are relative to
 * @throws HoldopenError `no-output` where one cannot be written, `usage` where two are one file
 */
export function requireOutputs(names: readonly string[], cwd: string): void {
  const taken = new Map<string, string>();
  for (const name of names) {
    if (name === '-')
      throw new HoldopenError({
        code: 'usage',
        message: '- is no file: an output is written beside what is on stdout',
        hint: 'name a file; for one of that name: ./-',
      });
    const path = resolve(cwd, name);
    const file = keyOf(path, name);
    // Something that is no plain file, as /dev/stderr, takes more than one.
    if (file === undefined) continue;
    if (taken.has(file))
      throw new HoldopenError({
        code: 'usage',
        message: `two outputs go to one file: ${name}`,
        hint: 'name another file for each output',
      });
    taken.set(file, name);
  }
}

/** What tells one file from another, whatever it is called. */
function keyOf(path: string, name: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) throw cannotWrite(name, 'EISDIR');
    if (stats !== undefined && !stats.isFile()) return undefined;
    if (stats !== undefined) {
      accessSync(path, constants.W_OK);
      return `${String(stats.dev)}:${String(stats.ino)}`;
    }
    // A slash at the end is lost in the whole path.
    if (/[\\/]$/.test(name)) throw cannotWrite(name, 'ENOENT');
    const folder = statSync(dirname(path));
    if (!folder.isDirectory()) throw cannotWrite(name, 'ENOTDIR');
    accessSync(dirname(path), constants.W_OK);
    return path;
  } catch (error) {
    const code = systemCode(error);
    throw code === undefined ? error : cannotWrite(name, code, error);
  }
}
