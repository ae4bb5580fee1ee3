import type { CopyReport } from '../types.ts';

/** What a copy is looked up by. */
type Named = Pick<CopyReport, 'package' | 'version' | 'path'>;

/**
 * The line of a lockfile that a copy comes from. Lockfiles are read as text: each manager has its own syntax and
 * several releases of it, and all of them name a package and its version within four lines.
 * @param text of a package-lock.json, pnpm-lock.yaml, yarn.lock or bun.lock
 * @returns from 1, or undefined where it is not there
 */
export function lockfileLine(text: string, { package: name, version, path }: Named): number | undefined {
  const lines = text.split('\n');
  // npm has an entry for each place.
  const place = lines.findIndex((line) => line.trim().startsWith(`${JSON.stringify(path)}:`));
  if (place !== -1) return place + 1;
  if (version === null) return undefined;
  // pnpm, bun: `'@x/y@1.0.0(peers)':`, `["@x/y@1.0.0", ...]`, before pnpm 6 `/@x/y/1.0.0:`
  const words = [`${name}@${version}`, `${name}/${version}`];
  const one = lines.findIndex((line) => words.some((word) => holdsWord(line, word)));
  if (one !== -1) return one + 1;
  // yarn: `"@x/y@npm:^1.0.0":` and then `version: 1.0.0` or `version "1.0.0"`
  const entry = lines.findIndex(
    (line, index) =>
      line.includes(`${name}@`) &&
      lines
        .slice(index + 1, index + 4)
        .some((next) => /^\s*version:?\s+"?([^"\s]+)"?\s*$/.exec(next)?.[1] === version),
  );
  return entry === -1 ? undefined : entry + 1;
}

/** The line of a package.json that asks for a package. */
export function dependencyLine(text: string, name: string): number | undefined {
  const at = text.split('\n').findIndex((line) => line.includes(`${JSON.stringify(name)}:`));
  return at === -1 ? undefined : at + 1;
}

/** Not `1.0.01` for `1.0.0`, nor `not-@x/y@...`. */
function holdsWord(line: string, word: string): boolean {
  const at = line.indexOf(word);
  return at !== -1 && !/[\w.+-]/.test(line[at + word.length] ?? '') && !/[\w@.-]/.test(line[at - 1] ?? '');
}
