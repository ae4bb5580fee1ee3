import { existsSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, relative, resolve } from 'node:path';
import { HoldopenError, systemCode } from '../../errors.ts';
import { bun } from './bun.ts';
import { scriptsBelow } from './content.ts';
import type { Copy, Findings, LayoutFinder, Surroundings, UnreadablePlace } from './layout.ts';
import { named, readManifest } from './manifest.ts';
import { npm } from './npm.ts';
import { pnpm } from './pnpm.ts';
import { projectRoot } from './project.ts';
import { directory, identity, isInside, real, slashes } from './read.ts';
import { yarnPnp } from './yarn-pnp.ts';
import { yarn, yarnClassic } from './yarn.ts';

export type { Copy, UnreadablePlace } from './layout.ts';

/**
 * One finder for each way of laying packages out; a new one is one file and one line here. Every finder runs on every
 * project, since trees are mixed, and the first one to find a copy names its layout: the more particular go first.
 */
const finders: readonly LayoutFinder[] = [pnpm, yarnPnp, yarn, yarnClassic, bun, npm];

export interface SearchOptions {
  /** The directory that the user named: a project, something in one, a package, a `node_modules`. */
  dir?: string | undefined;
  /** Files and built folders that the user named. With these, `dir` is searched only if it was named as well. */
  files?: readonly string[];
  /** Search the package managers' global roots as well; without `dir` and `files` those alone. */
  global?: boolean | undefined;
  /** What relative paths are relative to. */
  cwd: string;
}

export interface Installs {
  /** Real path of the directory that the search started in. */
  root: string;
  /** By path. */
  copies: Copy[];
  /** By path. */
  unreadable: UnreadablePlace[];
}

/**
 * Finds every copy that a project has, each real directory once. Reads only.
 * @param options where to look
 * @returns the copies, and the places that could not be looked into
 * @throws HoldopenError `no-directory`, `no-file` where what the user named is not there
 */
export function findInstalls(options: SearchOptions): Installs {
  const { files = [], cwd } = options;
  const findings = new Collected();
  const base = searchedDirectory(resolve(cwd, options.dir ?? '.'));
  const searched = options.dir !== undefined || (files.length === 0 && options.global !== true);
  const root = searched ? projectRoot(base, findings) : base;
  if (searched) for (const finder of finders) finder.find(root, findings);
  if (options.global === true) {
    for (const place of globalRoots()) {
      const dir = real(place, findings);
      // What lies there was installed for every project of this user: that root is its own boundary.
      if (dir !== undefined) for (const finder of finders) finder.find(dir, findings.within(dir));
    }
  }
  for (const file of files) findFile(resolve(cwd, file), findings);
  const copies = byPath(findings.copies, ({ dir }) => dir);
  return { root, copies, unreadable: byPath(findings.places, ({ path }) => path) };
}

/**
 * The directories that packages are installed in globally, as far as they are there. Nothing is asked of the package
 * managers: their rules are short, and `--global` must not run anything.
 * @returns `node_modules` directories
 */
export function globalRoots(where: Surroundings = surroundings()): string[] {
  const roots = finders.flatMap((finder) => finder.globalRoots?.(where) ?? []);
  return [...new Set(roots)].filter((path) => existsSync(path));
}

function surroundings(): Surroundings {
  const superuser = process.getuid?.() === 0;
  return { env: process.env, home: homedir(), platform: process.platform, node: process.execPath, superuser };
}

/**
 * How reports name a path.
 * @param root real path of the directory that the report is about
 * @param path real path, absolute
 * @returns relative to `root` where it is below it, else as it is; `/` as separator; `.` for `root` itself
 */
export function displayPath(root: string, path: string): string {
  return isInside(root, path) ? slashes(relative(root, path)) || '.' : slashes(path);
}

/** A `node_modules` that is a link to a folder of another name tells only by its own that packages lie in it. */
function searchedDirectory(path: string): string {
  const dir = existingDirectory(path);
  const isRenamed = basename(path) === 'node_modules' && basename(dir) !== 'node_modules';
  return isRenamed ? existingDirectory(dirname(path)) : dir;
}

function existingDirectory(path: string): string {
  const hint = 'name the directory that holds the package.json: holdopen audit path/to/project';
  const no = { code: 'no-directory', message: `cannot search ${path}`, hint };
  if (statNamed(path, no, 'directory').isDirectory()) return realpathSync.native(path);
  throw new HoldopenError({
    ...no,
    message: `${no.message}: it is a file`,
    hint: `look at that file alone: holdopen audit --file ${path}`,
  });
}

/**
 * `--file PATH`: one file, or the folder that a bundler wrote (with the SDK inside of files of any name). Every file of
 * a folder is looked at, because nothing in it says which one holds the SDK; a `node_modules` in it is not, that is what
 * `audit DIR` is for.
 * @throws HoldopenError `no-file` where nothing is there or it cannot be looked at
 */
function findFile(path: string, findings: Findings): void {
  const hint = 'name a JavaScript file or a folder with some: holdopen audit --file dist/server.js';
  const no = { code: 'no-file', message: `cannot look at ${path}`, hint };
  const stats = statNamed(path, no, 'file or folder');
  if (!stats.isFile() && !stats.isDirectory())
    throw new HoldopenError({ ...no, message: `${no.message}: it is neither a file nor a folder` });
  const place = real(path, findings);
  if (place === undefined) return;
  const dir = stats.isDirectory() ? place : dirname(place);
  const names = stats.isDirectory() ? scriptsBelow(dir, '', findings) : [basename(place)];
  const kind = stats.isDirectory() ? 'folder' : 'file';
  findings.addCopy({ ...owner(dir), dir, layout: 'file', files: { kind, names } });
}

/** Of what the user named. */
function statNamed(path: string, no: { code: string; message: string; hint: string }, what: string): Stats {
  try {
    return statSync(path);
  } catch (cause) {
    const code = systemCode(cause);
    if (code === undefined) throw cause;
    const why = code === 'ENOENT' ? `there is no such ${what}` : code;
    throw new HoldopenError({ ...no, message: `${no.message}: ${why}`, cause });
  }
}

/** Name and version of the package that a file belongs to by Node's rule: the nearest package.json with a name. */
function owner(dir: string): Pick<Copy, 'package' | 'version'> {
  const { name, version } = named(readManifest(dir));
  if (name !== undefined) return { package: name, version };
  const parent = dirname(dir);
  return parent === dir ? { package: '(no package)', version: null } : owner(parent);
}

/** Takes each directory once, in whatever order and however often the finders reach it. */
class Collected implements Findings {
  readonly copies = new Map<string, Copy>();
  readonly places = new Map<string, UnreadablePlace>();
  readonly #entered = new Set<string>();

  enter(id: string): boolean {
    const { size } = this.#entered;
    return this.#entered.add(id).size > size;
  }

  /** The same findings, with `root` for the copies that have no root of their own. */
  within(root: string): Findings {
    return {
      addCopy: (copy) => this.addCopy({ root, ...copy }),
      addUnreadable: (place) => this.addUnreadable(place),
      enter: (id) => this.enter(id),
    };
  }

  addCopy(copy: Copy): void {
    const stats = copy.archive ? undefined : directory(copy.dir, this);
    if (stats === undefined && !copy.archive) return;
    const { kind = '', names = [] } = copy.files ?? {};
    const id = [stats ? identity(copy.dir, stats) : copy.dir, kind, ...names].join(':');
    if (!this.copies.has(id)) this.copies.set(id, copy);
  }

  addUnreadable(place: UnreadablePlace): void {
    if (!this.places.has(place.path)) this.places.set(place.path, place);
  }
}

function byPath<T>(items: Map<string, T>, path: (item: T) => string): T[] {
  return [...items.values()].sort((a, b) => (path(a) < path(b) ? -1 : path(a) > path(b) ? 1 : 0));
}
