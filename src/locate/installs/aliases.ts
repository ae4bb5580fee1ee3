import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cliPackage, isCopyName, sdkPackage } from './layout.ts';
import { type Manifest, parseManifest, text } from './manifest.ts';
import { isInside, look, readRegular } from './read.ts';

/**
 * What npm says it put where. `npm i sdk@npm:@anthropic-ai/claude-agent-sdk` installs into `node_modules/sdk`, and
 * only the name inside of its package.json tells. Reading every package.json of a tree costs about 25 us each with a
 * warm cache and a disk seek each with a cold one. npm keeps the same knowledge in one file, the hidden lockfile
 * `node_modules/.package-lock.json`: one read (about 0.4 MB and 3 ms for 1,000 packages), parsed only where it names
 * the package at all.
 */
export interface InstalledNames {
  /** Real path of the project that the list is of. */
  root: string;
  /** Whether the list can be trusted for the entries of this directory. */
  covers(dir: string, mtimeNs: bigint): boolean;
  /** Whether the package in this directory is a copy by its name. */
  isCopy(dir: string): boolean;
}

/**
 * Reads npm's hidden lockfile.
 * @param nodeModules real path of a `node_modules` directory
 * @returns undefined where there is none or it is not what npm writes; then every package.json is read
 */
export function readInstalledNames(nodeModules: string): InstalledNames | undefined {
  const path = join(nodeModules, '.package-lock.json');
  const ignored = { addUnreadable: () => undefined };
  const stats = look(path, ignored, () => statSync(path, { bigint: true, throwIfNoEntry: false }));
  const bytes = stats && look(path, ignored, () => readRegular(path));
  const root = dirname(nodeModules);
  const copies = bytes && copyDirectories(root, bytes);
  if (stats === undefined || copies === undefined) return undefined;
  return {
    root,
    // npm's own test: a folder of packages that was touched after the list was written has something in it that the
    // list does not know, put there by hand or by another package manager.
    covers: (dir, mtimeNs) => mtimeNs <= stats.mtimeNs && isInside(root, dir),
    isCopy: (dir) => copies.has(dir),
  };
}

/** The directories that hold a copy by the name that the lockfile gives them. */
function copyDirectories(root: string, bytes: Buffer): Set<string> | undefined {
  const copies = new Set<string>();
  if (!mayHoldAlias(bytes)) return copies;
  const result = parseManifest(bytes.toString('utf8'));
  if (result.state !== 'ok') return undefined;
  const { packages } = result.manifest;
  if (typeof packages !== 'object' || packages === null) return undefined;
  for (const [location, entry] of Object.entries(packages)) {
    // npm writes `name` only where the folder's name does not say it: an alias.
    if (isCopyName(text((entry as Manifest | null)?.name))) copies.add(join(root, location));
  }
  return copies;
}

/**
 * Cheap test on the bytes of npm's list. As a key and within paths the names stand in every tree that has the SDK:
 *
 *     "node_modules/@anthropic-ai/claude-agent-sdk": {...}  "dependencies": {"@anthropic-ai/claude-agent-sdk": "0.3.332"}
 *
 * Only an alias has one as a value. What does not end as npm's list does may be cut off, and has to be parsed.
 */
function mayHoldAlias(bytes: Buffer): boolean {
  if (!/\n\}\s*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - 8)))) return true;
  return [sdkPackage, cliPackage].some((name) => {
    const quoted = `"${name}"`;
    for (let at = bytes.indexOf(quoted); at !== -1; at = bytes.indexOf(quoted, at)) {
      at += quoted.length;
      if (!/^\s*:/.test(bytes.toString('latin1', at, at + 8))) return true;
    }
    return false;
  });
}
