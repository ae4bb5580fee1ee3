import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { relativeImports } from '../locate/imports.ts';
import { type Source, sourceBytes } from '../locate/source.ts';
import { removeFolder, temporaryFolder } from './processes.ts';

/** A bundle in a place of its own, from where it can be imported as from its install. */
export interface Sandbox {
  /** Writes one variant of the bundle beside what it imports, and gives its path. */
  add(variant: string, source: Source): string;
  remove(): void;
}

/**
 * Copies what a bundle needs: its package.json, the files that it imports, and ways to the packages that it can see.
 * @param bundle absolute path; nothing is written near it
 */
export function createSandbox(bundle: string): Sandbox {
  const folder = temporaryFolder('probe');
  const from = packageFolder(dirname(bundle));
  const to = join(linkModules(from, folder), 'copy');
  copy(join(from, 'package.json'), join(to, 'package.json'));
  for (const file of importsOf(bundle)) {
    const way = relative(from, file);
    if (!way.startsWith('..')) copy(file, join(to, way));
  }
  const place = join(to, relative(from, dirname(bundle)));
  const ending = /\.[cm]?js$/.exec(bundle)?.[0] ?? '.mjs';
  return {
    add(variant, source) {
      const path = join(place, `holdopen-${variant}${ending}`);
      mkdirSync(place, { recursive: true });
      writeFileSync(path, sourceBytes(source));
      return path;
    },
    remove: () => removeFolder(folder),
  };
}

function copy(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** The nearest folder with a package.json, else the one given. */
function packageFolder(dir: string): string {
  for (let at = dir; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (dirname(at) === at) return dir;
  }
}

/** One folder in another for each `node_modules` that the package can see, so that Node looks in the same order. */
function linkModules(from: string, folder: string): string {
  const seen: string[] = [];
  for (let at = from; dirname(at) !== at; at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) seen.unshift(modules);
  }
  return seen.reduce((at, modules) => {
    symlinkSync(modules, join(at, 'node_modules'), 'junction');
    const inner = join(at, 'in');
    mkdirSync(inner);
    return inner;
  }, folder);
}

/** The files that a script imports by a relative path, and those that they import. */
function importsOf(script: string, found = new Set<string>()): Set<string> {
  for (const name of relativeImports(readFileSync(script))) {
    const path = resolve(dirname(script), name);
    if (found.has(path) || !/\.[cm]?js$/.test(path) || !existsSync(path)) continue;
    found.add(path);
    importsOf(path, found);
  }
  return found;
}
