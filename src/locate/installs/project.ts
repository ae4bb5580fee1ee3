import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { directory } from './disk.ts';
import type { Findings } from './layout.ts';
import { readManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { isWorkspaceMember } from './workspaces.ts';

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

/**
 * The `node_modules` of a place that a search starts in.
 * @param start real path of a project, a package or a `node_modules`
 */
export function nodeModulesOf(start: string): string {
  return basename(start) === 'node_modules' ? start : join(start, 'node_modules');
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
  const telling = [
    'name',
    'workspaces',
    'dependencies',
    'devDependencies',
    'optionalDependencies',
    'scripts',
  ];
  return telling.some((field) => manifest[field] !== undefined);
}

function claims(root: string, member: string): boolean {
  const result = readManifest(root);
  return result.state === 'ok' && isWorkspaceMember(root, result.manifest, member);
}
