import { existsSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Layout } from '../../types.ts';
import { type InstalledNames, readInstalledNames } from './aliases.ts';
import { type Findings, isCopyName, mayNameCopy, nodeModulesOf, sdkPackage } from './layout.ts';
import { named, parseManifest, readManifest } from './manifest.ts';
import { workspaceMembers } from './project.ts';
import { directory, entryPath, identity, isInside, list, look, readRegular, real } from './read.ts';

/** What a finder knows of the tree that it lets walk. */
export interface TreeOptions {
  layout: Layout;
  /** Real path of the package manager's own store, where that may lie outside of the project. */
  store?: string | undefined;
}

/** One walk over one tree. */
interface Walk extends TreeOptions {
  findings: Findings;
  /** Real path that the walk began at. */
  start: string;
  /** npm's list of the tree that is being walked. */
  installed: InstalledNames | undefined;
}

/**
 * Walks a project, a package or a `node_modules`: from package to `node_modules` to package, workspaces included, and
 * never into a package's own folders. That costs one `readdir` for each `node_modules` and scope and one `stat` for
 * each package (has it a `node_modules` of its own?): about 5 ms for 1,000 packages. What an earlier finder has walked
 * is not walked again.
 * @param start real path
 * @param options how the copies that are found are labelled, and which store belongs to the project
 * @param findings takes the copies and the places that could not be read
 */
export function walkTree(start: string, options: TreeOptions, findings: Findings): void {
  // One list covers the whole tree, workspaces included, and lies in the root's node_modules.
  const walk: Walk = { ...options, start, findings, installed: readInstalledNames(nodeModulesOf(start)) };
  if (basename(start) === 'node_modules') return walkNodeModules(start, walk);
  walkPackage(start, walk);
  const root = readManifest(start);
  if (root.state === 'ok') {
    for (const member of workspaceMembers(start, root.manifest, findings)) {
      const dir = real(member, findings);
      if (dir !== undefined) walkPackage(dir, walk);
    }
  } else if (root.state === 'broken' && !isCopyName(placeName(start))) {
    // Nobody knows what the workspaces are. A copy's own package.json is its bundles' business.
    findings.addUnreadable({ path: join(start, 'package.json'), detail: root.detail });
  }
}

/**
 * Takes the copies out of a virtual store by the names of its entries: `store/<entry>/node_modules/<package>`. Copies
 * that only other packages depend on have no link anywhere else.
 * @param store real path of the store (`.pnpm`, `.bun`)
 */
export function walkStore(store: string, options: TreeOptions, findings: Findings): void {
  const walk = { ...options, start: store, findings, installed: undefined };
  for (const { name } of list(store, findings)) {
    // `@anthropic-ai+claude-agent-sdk@0.3.205`, with what a package manager likes before and behind it; it cuts no name.
    if (!/claude-(?:agent-sdk|code)/.test(name)) continue;
    const dir = real(join(store, name, 'node_modules'), findings);
    if (dir !== undefined) walkNodeModules(dir, walk);
  }
}

/** A package that was reached by something else than a `node_modules`: the start, a workspace. */
function walkPackage(dir: string, walk: Walk): void {
  const place = placeName(dir);
  if (isCopyName(place) || isCopyByName(dir, walk)) addCopy(dir, place, walk);
  walkNodeModules(join(dir, 'node_modules'), walk);
}

/** The name that its place gives a package: `x` or `@scope/x`. */
function placeName(dir: string): string {
  const scope = basename(dirname(dir));
  return scope.startsWith('@') ? `${scope}/${basename(dir)}` : basename(dir);
}

/** Every package of one `node_modules`. */
function walkNodeModules(path: string, walk: Walk): void {
  const stats = directory(path, walk.findings);
  const dir = stats && real(path, walk.findings);
  if (stats === undefined || dir === undefined) return;
  if (!walk.findings.enter(identity(dir, stats))) return;
  const known = walk.installed !== undefined && isInside(walk.installed.root, dir);
  walkFolder(dir, stats.mtimeNs, '', known ? walk : { ...walk, installed: readInstalledNames(dir) });
}

/** Hidden folders of a `node_modules` that no package lies in, and that may hold thousands of files. */
const noStores: ReadonlySet<string> = new Set(['.bin', '.cache']);

/** Every package of a `node_modules`, of a scope (`@x/`), or of the `.store` of linked installs. */
function walkFolder(dir: string, mtimeNs: bigint, scope: string, walk: Walk): void {
  const trusted = walk.installed?.covers(dir, mtimeNs) ?? false;
  for (const entry of list(dir, walk.findings)) {
    if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
    const path = entryPath(dir, entry.name);
    if (entry.name.startsWith('@') || (entry.name === '.store' && entry.isDirectory())) {
      const stats = directory(path, walk.findings);
      if (stats) walkFolder(path, stats.mtimeNs, entry.name.startsWith('@') ? `${entry.name}/` : '', walk);
    } else if (!entry.name.startsWith('.')) {
      walkEntry(path, entry, `${scope}${entry.name}`, trusted, walk);
    } else if (entry.isDirectory() && !noStores.has(entry.name)) {
      // A virtual store, whoever made it (`.deno`): what only other packages depend on has no link outside of it.
      walkStore(path, walk, walk.findings);
    }
  }
}

function walkEntry(path: string, entry: Dirent, name: string, trusted: boolean, walk: Walk): void {
  // A link leads to a workspace, to the store of a linked install, or to another checkout (`npm link`). The list knows
  // the link, not what its target is called.
  const linked = entry.isSymbolicLink();
  const dir = linked ? real(path, walk.findings) : path;
  if (dir === undefined || (linked && !directory(dir, walk.findings))) return;
  const isCopy =
    isCopyName(name) || (trusted && !linked ? walk.installed?.isCopy(dir) : isCopyByName(dir, walk)) === true;
  if (isCopy) addCopy(dir, name, walk);
  walkNodeModules(entryPath(dir, 'node_modules'), walk);
  if (linked) walkSiblings(dir, walk);
}

/** A package in a store outside of the project has its dependencies beside it: `<entry>/node_modules/{it,them}`. */
function walkSiblings(dir: string, walk: Walk): void {
  const { store, start } = walk;
  if (store === undefined || isInside(start, dir) || !isInside(store, dir)) return;
  const parent = dirname(dir);
  const folder = basename(parent).startsWith('@') ? dirname(parent) : parent;
  if (basename(folder) === 'node_modules') walkNodeModules(folder, walk);
}

function isCopyByName(dir: string, walk: Walk): boolean {
  const path = entryPath(dir, 'package.json');
  const bytes = look(path, walk.findings, () => readRegular(path));
  if (bytes === undefined || !mayNameCopy(bytes)) return false;
  return isCopyName(named(parseManifest(bytes.toString('utf8'))).name);
}

/** A package.json that cannot be read leaves the name that its place gives the package. */
function addCopy(dir: string, place: string, walk: Walk): void {
  const result = readManifest(dir);
  const { name = place, version } = named(result);
  // The CLI's package held the class only while it shipped this file.
  const isSdk = name === sdkPackage || place === sdkPackage;
  if (!isSdk && !existsSync(join(dir, 'sdk.mjs'))) return;
  // An interrupted install or a cache mount leaves empty folders behind; nothing can be loaded from those.
  if (result.state === 'missing' && !list(dir, walk.findings).some((entry) => entry.isFile())) return;
  const { layout, store } = walk;
  const root = store !== undefined && isInside(store, dir) ? { root: store } : {};
  walk.findings.addCopy({ package: name, version, dir, layout, ...root });
}
