import { statSync } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HoldopenError, systemCode } from '../../errors.ts';
import { list, real, slashes } from './disk.ts';
import type { Copy, Findings } from './layout.ts';
import { readManifest, text } from './manifest.ts';

/** What Node loads as JavaScript by its name. */
const javaScript = /\.[cm]?js$/;

/**
 * `--file PATH`: one file, or the folder that a bundler wrote (with the SDK inside of files of any name). Every file of
 * a folder is looked at, because nothing in it says which one holds the SDK; a `node_modules` in it is not, that is what
 * `audit DIR` is for.
 * @param path absolute
 * @param findings takes the copy, and folders that cannot be listed
 * @throws HoldopenError `no-file` where nothing is there or it cannot be looked at
 */
export function findFile(path: string, findings: Findings): void {
  const stats = statNamed(path);
  if (!stats.isFile() && !stats.isDirectory()) throw noFile(path, 'it is neither a file nor a folder');
  const place = real(path, findings);
  if (place === undefined) return;
  const dir = stats.isDirectory() ? place : dirname(place);
  const names = stats.isDirectory() ? scripts(dir, '', findings) : [basename(place)];
  const kind = stats.isDirectory() ? 'folder' : 'file';
  findings.addCopy({ ...owner(dir), dir, layout: 'file', files: { kind, names } });
}

function statNamed(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw noFile(path, code === 'ENOENT' ? 'there is no such file or folder' : code, error);
  }
}

function noFile(path: string, why: string, cause?: unknown): HoldopenError {
  return new HoldopenError({
    code: 'no-file',
    message: `cannot look at ${path}: ${why}`,
    hint: 'name a JavaScript file or a folder with some: holdopen audit --file dist/server.js',
    cause,
  });
}

/** Every script below a folder, `/` as separator, relative to it. */
export function scripts(root: string, below: string, findings: Findings): string[] {
  return list(join(root, below), findings).flatMap((entry: Dirent) => {
    const name = slashes(join(below, entry.name));
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : scripts(root, name, findings);
    return javaScript.test(entry.name) ? [name] : [];
  });
}

/** Name and version of the package that a file belongs to by Node's rule: the nearest package.json with a name. */
function owner(dir: string): Pick<Copy, 'package' | 'version'> {
  const result = readManifest(dir);
  const name = result.state === 'ok' ? text(result.manifest.name) : undefined;
  if (result.state === 'ok' && name !== undefined) {
    return { package: name, version: text(result.manifest.version) ?? null };
  }
  const parent = dirname(dir);
  return parent === dir ? { package: '(no package)', version: null } : owner(parent);
}
