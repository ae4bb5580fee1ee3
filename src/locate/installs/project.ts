import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type picomatch from 'picomatch';
import type { Findings } from './layout.ts';
import { library, yamlValue } from './library.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { directory, list, optionalText, slashes } from './read.ts';

/**
 * Where to start for the directory that a user named: that directory itself if it is a package or a `node_modules`,
 * else the nearest one above it that is; then the root of the workspace that the package belongs to, because that is
 * where npm hoists the package's dependencies to. npm finds its prefix by the same rule.
 * @param dir real path of an existing directory
 * @param findings takes directories on the way that cannot be looked into
 * @returns real path of a directory; `dir` itself where there is no project around it
 */
export function projectRoot(dir: string, findings: Findings): string {
  const start = ancestors(dir).find((path) => isStart(path, findings)) ?? dir;
  if (basename(start) === 'node_modules') return start;
  return ancestors(dirname(start)).find((path) => claims(path, start)) ?? start;
}

/** `dir` and every directory above it, nearest first. */
function ancestors(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [dir] : [dir, ...ancestors(parent)];
}

function isStart(dir: string, findings: Findings): boolean {
  if (basename(dir) === 'node_modules') return true;
  const result = readManifest(dir);
  if (result.state === 'broken' || (result.state === 'ok' && describesPackage(result.manifest))) return true;
  if (existsSync(join(dir, '.pnp.cjs'))) return true;
  return directory(join(dir, 'node_modules'), findings) !== undefined;
}

/** `{ "type": "commonjs" }` in a build folder says how to load files, not that a package begins here. */
function describesPackage(manifest: Manifest): boolean {
  const telling = 'name workspaces dependencies devDependencies optionalDependencies scripts';
  return telling.split(' ').some((field) => manifest[field] !== undefined);
}

function claims(root: string, member: string): boolean {
  const result = readManifest(root);
  return result.state === 'ok' && isWorkspaceMember(root, result.manifest, member);
}

/** One of the globs that say which directories are workspaces. */
interface Pattern {
  negated: boolean;
  /** Without `!`, and without what says nothing: `./` in front, slashes at the end. */
  glob: string;
  /** Whether it stands for more than the one path that it spells. */
  magic: boolean;
  matches: (path: string) => boolean;
}

/**
 * The patterns of `"workspaces": [...]` or `"workspaces": { "packages": [...] }`, and of pnpm's own file, which pnpm
 * reads instead; anything else gives none.
 */
function workspacePatterns(root: string, { workspaces }: Manifest): Pattern[] {
  const fields = Object(workspaces) as { packages?: unknown };
  const ofPnpm = yamlValue(optionalText(join(root, 'pnpm-workspace.yaml')) ?? '', 'packages');
  return [Array.isArray(workspaces) ? workspaces : fields.packages, ofPnpm]
    .flatMap((value: unknown): unknown[] => (Array.isArray(value) ? value : []))
    .filter((pattern) => typeof pattern === 'string')
    .map(parsePattern);
}

function parsePattern(pattern: string): Pattern {
  const bangs = /^(?:!(?!\())*/.exec(pattern)?.[0].length ?? 0;
  const parts = pattern.slice(bangs).split('/');
  const glob = parts.filter((part) => part !== '' && part !== '.').join('/');
  const magic = /[*?[{]|[+@!]\(/.test(glob);
  // `posix`: `[!a]`, as the package managers read it.
  const matches = magic
    ? library<typeof picomatch>('picomatch')(glob, { posix: true })
    : (path: string) => path === glob;
  return { negated: bangs % 2 === 1, glob, magic, matches };
}

/**
 * The directories that the `workspaces` field of a root stands for. As in npm the patterns work in their order: `!x`
 * takes out what those before it brought in, and a later one may bring it back.
 * @param root real path of the root's directory
 * @param manifest the root's package.json
 * @param findings takes directories that cannot be listed
 * @returns paths below `root`; they need not hold a package.json
 */
export function workspaceMembers(root: string, manifest: Manifest, findings: Findings): string[] {
  const members = new Set<string>();
  for (const pattern of workspacePatterns(root, manifest)) {
    if (pattern.negated) members.forEach((path) => pattern.matches(path) && members.delete(path));
    else for (const path of expand(root, pattern, findings)) members.add(path);
  }
  members.delete('');
  return [...members].map((path) => join(root, path));
}

/** Whether the root at `root` counts the directory `dir` among its workspaces. Looks at the patterns only. */
export function isWorkspaceMember(root: string, manifest: Manifest, dir: string): boolean {
  const path = slashes(relative(root, dir));
  return workspacePatterns(root, manifest).reduce(
    (member, { negated, matches }) => (matches(path) ? !negated : member),
    false,
  );
}

/** Walks only as deep as the pattern can match, never into a `node_modules`, never down a symlink for `**`. */
function expand(root: string, { glob, magic, matches }: Pattern, findings: Findings): string[] {
  if (!magic) return directory(join(root, glob), findings) ? [glob] : [];
  const base = /^(?:[^*?[{(]*\/)?/.exec(glob)?.[0] ?? '';
  const isDeep = glob.includes('**');
  const found = matches(base.slice(0, -1)) ? [base.slice(0, -1)] : [];
  const walk = (path: string, depth: number): void => {
    for (const entry of list(join(root, path), findings)) {
      const below = path + entry.name;
      // As in every shell, a wildcard does not stand for the dot of a hidden name.
      const isHidden = entry.name.startsWith('.') && !glob.includes('/.');
      if (entry.isFile() || entry.name === 'node_modules' || isHidden) continue;
      if (!entry.isDirectory() && !directory(join(root, below), findings)) continue;
      if (matches(below)) found.push(below);
      if (isDeep ? entry.isDirectory() : depth > 1) walk(`${below}/`, depth - 1);
    }
  };
  if (directory(join(root, base), findings)) walk(base, glob.slice(base.length).split('/').length);
  return found;
}
