import { text } from './manifest.ts';
import type { Manifest } from './manifest.ts';

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
export function packageEntries(manifest: Manifest): Entry[] {
  const fields = [manifest.main, manifest.module, manifest.browser].map(text);
  const entries: Entry[] = [
    ...exportsEntries(manifest.exports),
    ...fields.flatMap(targets).map((target) => ({ target, main: true })),
  ];
  const says = manifest.exports !== undefined && manifest.exports !== null;
  if (entries.length === 0 && !says) entries.push({ target: 'index.js', main: true });
  const unique = new Map<string, Entry>();
  for (const { target, main } of entries) {
    const plain = target.replace(/^(\.?\/)+/, '');
    unique.set(plain, { target: plain, main: main || (unique.get(plain)?.main ?? false) });
  }
  return [...unique.values()];
}

/** `"exports": "./x.js"`, `{ conditions }` or `{ ".": ..., "./sub": ... }`. */
function exportsEntries(exports: unknown): Entry[] {
  if (typeof exports !== 'object' || exports === null || Array.isArray(exports)) return mainEntries(exports);
  const paths = Object.entries(exports);
  if (!paths.some(([path]) => path.startsWith('.'))) return mainEntries(exports);
  return paths.flatMap(([path, value]) =>
    targets(value).map((target) => ({ target: folderAsPattern(target), main: path === '.' })),
  );
}

function mainEntries(value: unknown): Entry[] {
  return targets(value).map((target) => ({ target, main: true }));
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
    const below = Object.entries(next).flatMap(([condition, target]: [string, unknown]) =>
      condition === 'types' ? [] : [target],
    );
    rest.push(...below.reverse());
  }
  return found;
}

/** `"./lib/": "./lib/"` is how Node 12 wrote `"./lib/*": "./lib/*"`. */
function folderAsPattern(target: string): string {
  return target.endsWith('/') ? `${target}*` : target;
}
