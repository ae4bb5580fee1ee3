import { join, relative, sep } from 'node:path';
import { systemCode } from '../../errors.ts';
import { directory, list } from './disk.ts';
import { matchesName, matchesPath, parseGlob } from './globs.ts';
import type { Glob } from './globs.ts';
import type { Findings } from './layout.ts';
import type { Manifest } from './manifest.ts';
import { yamlList } from './yaml.ts';
import { readRegular } from './read.ts';

/**
 * The patterns of `"workspaces": [...]` or `"workspaces": { "packages": [...] }`, and of pnpm's own file, which pnpm
 * reads instead; anything else gives none.
 */
function workspacePatterns(root: string, manifest: Manifest): Glob[] {
  const { workspaces } = manifest;
  const patterns: unknown = Array.isArray(workspaces)
    ? workspaces
    : (workspaces as { packages?: unknown } | null | undefined)?.packages;
  const field = Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === 'string') : [];
  return [...field, ...pnpmPatterns(root)].flatMap(parseGlob);
}

function pnpmPatterns(root: string): string[] {
  try {
    return yamlList(readRegular(join(root, 'pnpm-workspace.yaml')).toString('utf8'), 'packages');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
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
  for (const glob of workspacePatterns(root, manifest)) {
    if (glob.negated) {
      for (const member of members) {
        if (matchesPath(glob.segments, pathSegments(root, member))) members.delete(member);
      }
    } else {
      expand(root, glob.segments, findings, (member) => members.add(member));
    }
  }
  members.delete(root);
  return [...members];
}

/** Whether the root at `root` counts the directory `dir` among its workspaces. Looks at the patterns only. */
export function isWorkspaceMember(root: string, manifest: Manifest, dir: string): boolean {
  const path = pathSegments(root, dir);
  return workspacePatterns(root, manifest).reduce(
    (member, glob) => (matchesPath(glob.segments, path) ? !glob.negated : member),
    false,
  );
}

function pathSegments(root: string, dir: string): string[] {
  return relative(root, dir).split(sep);
}

/** Walks only where the pattern can still match, never into a `node_modules`, never down a symlink for `**`. */
function expand(
  dir: string,
  segments: Glob['segments'],
  findings: Findings,
  add: (dir: string) => void,
): void {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    add(dir);
  } else if (segment === '**') {
    expand(dir, rest, findings, add);
    for (const entry of list(dir, findings)) {
      if (!entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      expand(join(dir, entry.name), segments, findings, add);
    }
  } else if (typeof segment === 'string') {
    const next = join(dir, segment);
    if (directory(next, findings)) expand(next, rest, findings, add);
  } else {
    for (const { name } of list(dir, findings)) {
      const next = join(dir, name);
      if (name === 'node_modules' || !matchesName(segment, name) || !directory(next, findings)) continue;
      expand(next, rest, findings, add);
    }
  }
}
