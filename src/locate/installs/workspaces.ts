import { join, relative } from 'node:path';
import type picomatch from 'picomatch';
import { systemCode } from '../../errors.ts';
import { directory, list, slashes } from './disk.ts';
import type { Findings } from './layout.ts';
import { library } from './library.ts';
import type { Manifest } from './manifest.ts';
import { readRegular } from './read.ts';
import { yamlValue } from './yaml.ts';

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
  const patterns = [Array.isArray(workspaces) ? workspaces : fields.packages, pnpmPatterns(root)];
  return patterns
    .flatMap((value: unknown): unknown[] => (Array.isArray(value) ? value : []))
    .filter((pattern) => typeof pattern === 'string')
    .map(parsePattern);
}

function pnpmPatterns(root: string): unknown {
  try {
    return yamlValue(readRegular(join(root, 'pnpm-workspace.yaml')).toString('utf8'), 'packages');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
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
      if (entry.name === 'node_modules' || isHidden || !directory(join(root, below), findings)) continue;
      if (matches(below)) found.push(below);
      if (isDeep ? entry.isDirectory() : depth > 1) walk(`${below}/`, depth - 1);
    }
  };
  if (directory(join(root, base), findings)) walk(base, glob.slice(base.length).split('/').length);
  return found;
}
