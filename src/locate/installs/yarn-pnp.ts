import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCode } from '../../errors.ts';
import { ArchiveError, ZipFile } from './content.ts';
import { type Copy, type Findings, type LayoutFinder, isCopyName, mayNameCopy } from './layout.ts';
import { named, parseManifest } from './manifest.ts';
import { look, readRegular, real, slashes } from './read.ts';

/**
 * yarn's Plug'n'Play: no `node_modules`, but a map from packages to places in `.pnp.cjs` (or `.pnp.data.json`). A place
 * is a directory below `.yarn/unplugged`, which is a copy like any other, or a zip in a cache that projects share and
 * whose checksum the lockfile has: that one is read and never written, `yarn unplug` takes the package out of it.
 * The map is read as text: running it is not ours to do.
 */
export const yarnPnp: LayoutFinder = {
  layout: 'yarn-pnp',
  find(start, findings) {
    const root = basename(start) === 'node_modules' ? dirname(start) : start;
    const maps = ['.pnp.cjs', '.pnp.js', '.pnp.data.json'].map((name) => join(root, name));
    for (const path of maps.filter((file) => existsSync(file))) {
      const map = look(path, findings, () => readRegular(path)) ?? Buffer.alloc(0);
      if (!mayNameCopy(map)) continue;
      for (const place of places(map.toString('utf8')))
        addPlace(resolve(root, devirtualized(place)), findings);
    }
  },
};

/**
 * Where the copies of a map lie: by the name of the package, for one that is linked may lie anywhere (`portal:`,
 * `link:`), and by the name of the folder, for an alias has another name.
 */
function places(map: string): Set<string> {
  const location = /"packageLocation":\s*"([^"\n]*)"/g;
  const inside = (text: string): string[] => [...text.matchAll(location)].map(([, place = '']) => place);
  // A line of the text in .pnp.cjs ends with a backslash.
  const text = map.replace(/\\\r?\n/g, '\n');
  const found = inside(text).filter((place) => /\/claude-(?:agent-sdk|code)\/$/.test(place));
  // ["@anthropic-ai/claude-agent-sdk", [ ["portal:../sdk", { "packageLocation": "../sdk/", ... }], ... ]]
  const packages = [...text.matchAll(/\["([^"\n]+)",\s*\[\s*\["[^"\n]*",\s*\{/g)];
  for (const [index, { 1: name, index: start }] of packages.entries()) {
    if (isCopyName(name)) found.push(...inside(text.slice(start, packages[index + 1]?.index)));
  }
  return new Set(found);
}

/** `a/__virtual__/<hash>/2/b` is `a/../../b`: one package, seen with other peers. */
function devirtualized(place: string): string {
  const virtual = /^(.*?)(?:__virtual__|\$\$virtual)\/[^/]+\/(\d+)\/(.*)$/.exec(place);
  if (virtual === null) return place;
  const [, before = '', up = '0', rest = ''] = virtual;
  return join(before, ...Array<string>(Math.min(Number(up), 64)).fill('..'), rest);
}

function addPlace(place: string, findings: Findings): void {
  const zip = /^(.*\.zip)[\\/](.+)$/.exec(place);
  if (zip?.[1] !== undefined && zip[2] !== undefined) {
    addArchived(zip[1], `${slashes(zip[2])}/`, findings);
    return;
  }
  const dir = real(place, findings);
  if (dir === undefined) return;
  const bytes = look(dir, findings, () => readRegular(join(dir, 'package.json')));
  if (bytes !== undefined) findings.addCopy(copyIn(dir, bytes));
}

function addArchived(place: string, prefix: string, findings: Findings): void {
  const path = real(place, findings);
  if (path === undefined) return;
  try {
    const zip = new ZipFile(path);
    const dir = join(path, prefix.slice(0, -1));
    const copy = copyIn(dir, zip.read(`${prefix}package.json`));
    findings.addCopy({ ...copy, archive: { path, prefix } });
  } catch (error) {
    const detail = error instanceof ArchiveError ? error.message : systemCode(error);
    if (detail === undefined) throw error;
    findings.addUnreadable({ path, detail });
  }
}

function copyIn(dir: string, manifest: Buffer): Copy {
  const { name, version } = named(parseManifest(manifest.toString('utf8')));
  const place = `${basename(dirname(dir))}/${basename(dir)}`;
  return { package: name ?? place, version, dir, layout: 'yarn-pnp' };
}
