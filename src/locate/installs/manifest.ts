import { join } from 'node:path';
import { systemCode } from '../../errors.ts';
import { readRegular } from './read.ts';

/** The fields of a package.json that we look at, unchecked beyond being a JSON object. */
export interface Manifest {
  name?: unknown;
  version?: unknown;
  main?: unknown;
  module?: unknown;
  browser?: unknown;
  exports?: unknown;
  workspaces?: unknown;
  [field: string]: unknown;
}

export type ManifestResult =
  { state: 'ok'; manifest: Manifest } | { state: 'missing' } | { state: 'broken'; detail: string };

/**
 * Reads the package.json of a directory.
 * @param dir the package's directory
 * @returns `broken` with the reason where it is there and cannot be read or is no JSON object; never throws for that
 */
export function readManifest(dir: string): ManifestResult {
  let text: string;
  try {
    text = readRegular(join(dir, 'package.json')).toString('utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === 'ENOENT' || code === 'ENOTDIR' ? { state: 'missing' } : { state: 'broken', detail: code };
  }
  return parseManifest(text);
}

/** As `readManifest`, from the text. A byte order mark is let pass, as npm and Node do. */
export function parseManifest(text: string): ManifestResult {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own message quotes the text; where it is wrong is not our business, that it is wrong is.
    return { state: 'broken', detail: 'not valid JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { state: 'broken', detail: 'not a JSON object' };
  }
  return { state: 'ok', manifest: value as Manifest };
}

/** The name and the version that a package.json gives its package. */
export function named(result: ManifestResult): { name: string | undefined; version: string | null } {
  const { name, version } = result.state === 'ok' ? result.manifest : {};
  return { name: text(name), version: text(version) ?? null };
}

/** The value where it is a string that says something, else undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A file, or with one `*` a set of files, that the package.json lets a host load; relative to the package. */
export interface Entry {
  target: string;
  /** Whether plain `import 'the-package'` may lead there. */
  main: boolean;
}

/**
 * Every file that a host can load by the package's name: all targets of `exports` under all conditions, and `main`,
 * `module` and `browser`, which old resolvers and bundlers read even beside `exports`. Not `bin`: that is the CLI, the
 * program at the other end of stdin. No host imports it, it does not hold the class, and it is up to 12 MB to read.
 * @param manifest the package.json
 * @returns in the order of the package.json, each target once; not checked against the disk
 */
export function packageEntries({ main, module, browser, exports }: Manifest): Entry[] {
  const fields = [main, module, browser].map(text).flatMap(targets);
  const found = [...exportsEntries(exports), ...fields.map((target) => ({ target, main: true }))];
  if (found.length === 0 && (exports ?? null) === null) found.push({ target: 'index.js', main: true });
  const mains = new Map<string, boolean>();
  for (const { target, main } of found) {
    const plain = target.replace(/^(\.?\/)+/, '');
    mains.set(plain, main || mains.get(plain) === true);
  }
  return [...mains].map(([target, main]) => ({ target, main }));
}

/** `"exports": "./x.js"`, `{ conditions }` or `{ ".": ..., "./sub": ... }`. */
function exportsEntries(exports: unknown): Entry[] {
  const isObject = typeof exports === 'object' && exports !== null && !Array.isArray(exports);
  const paths = Object.entries(isObject ? exports : {});
  if (!paths.some(([path]) => path.startsWith('.')))
    return targets(exports).map((target) => ({ target, main: true }));
  return paths.flatMap(([path, value]) =>
    // `"./lib/": "./lib/"` is how Node 12 wrote `"./lib/*": "./lib/*"`.
    targets(value).map((target) => ({ target: target.replace(/\/$/, '/*'), main: path === '.' })),
  );
}

/**
 * All strings below conditions and arrays, however deep. A `null` closes a path again; looking at one file too many does
 * no harm. No file has a NUL in its name.
 */
function targets(value: unknown): string[] {
  const found: string[] = [];
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string' && next !== '' && !next.includes('\0')) found.push(next);
    if (typeof next !== 'object' || next === null) continue;
    const below = Object.entries<unknown>({ ...next }).filter(([condition]) => condition !== 'types');
    rest.push(...below.map(([, target]) => target).reverse());
  }
  return found;
}
