// Makes catalogue.json: what is recorded of every published release of the SDK.
//   npm run catalogue              adds the releases that it does not have yet
//   npm run catalogue -- --all     makes every entry again (downloads 5 GB where the cache has nothing)
//   npm run catalogue -- --check   writes nothing, exits 1 if an entry is missing or another one than would be made
// Every bundle that it records was parsed whole, stock and patched: that is what `isKnownBundle` stands for.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findClasses, classesOf, parseWhole } from '../src/locate/region.ts';
import { sdkPackage } from '../src/locate/installs/layout.ts';
import { readSource } from '../src/locate/source.ts';
import { patchSource } from '../src/patch/apply.ts';
import { ReleaseCache, cacheRoot } from '../src/release/cache.ts';
import {
  catalogueRelease,
  printCatalogue,
  shippedCatalogue,
  withReleases,
} from '../src/release/catalogue.ts';
import type { CatalogueRelease } from '../src/release/catalogue.ts';
import { fetchRelease } from '../src/release/fetch.ts';
import { judge } from '../src/release/judge.ts';
import { fetchIntegrity } from '../src/release/npm.ts';
import { pool } from '../src/release/pool.ts';

const all = process.argv.includes('--all');
const check = process.argv.includes('--check');
const cwd = fileURLToPath(new URL('..', import.meta.url));
const path = join(cwd, 'catalogue.json');
const before = shippedCatalogue();
const cache = new ReleaseCache(cacheRoot());
const published = await fetchIntegrity(sdkPackage, '>=0.0.0', { cwd });
const recorded = new Set(before.releases.map((release) => release.version));
const versions = Object.keys(published).filter((version) => all || check || !recorded.has(version));
console.log(
  `${String(Object.keys(published).length)} releases published, ${String(versions.length)} to look at`,
);

let done = 0;
const releases = await pool(versions, 2, async (version): Promise<CatalogueRelease> => {
  const integrity = published[version] ?? '';
  const entry = await fetchRelease(sdkPackage, version, { cwd, cache, integrity, many: versions.length > 5 });
  const { claudeCodeVersion } = JSON.parse(readFileSync(join(entry.dir, 'package.json'), 'utf8')) as {
    claudeCodeVersion?: string;
  };
  const judgement = judge(entry.dir, sdkPackage);
  for (const { report } of judgement.bundles) parseEverything(join(entry.dir, report.file), version);
  done += 1;
  console.log(
    `${String(done).padStart(4)}  ${version.padEnd(9)} ${judgement.status} ${judgement.patchable ? '' : 'NOT PATCHABLE'}`,
  );
  return catalogueRelease({ ...entry, cli: claudeCodeVersion ?? null }, judgement);
});

const text = printCatalogue(withReleases(before, releases));
if (check) {
  const same = text === readFileSync(path, 'utf8');
  console.log(
    same ? 'catalogue.json is what would be made' : 'catalogue.json differs from what would be made',
  );
  process.exitCode = same ? 0 : 1;
} else {
  writeFileSync(path, text);
  console.log(`catalogue.json: ${String(text.length)} bytes`);
}

/** The whole stock file is code with the class in it once, and so is the patched one. Whatever is known of it before. */
function parseEverything(path: string, version: string): void {
  const source = readSource(readFileSync(path));
  const patched = patchSource(source);
  for (const one of [source, ...('source' in patched ? [patched.source] : [])]) {
    const whole = parseWhole(one);
    const search = findClasses(one);
    const classes = 'program' in whole ? classesOf(whole.program) : [];
    const agree =
      search.kind === 'found' &&
      search.classes.length === 1 &&
      classes.length === 1 &&
      search.classes[0]?.start === classes[0]?.start;
    if (!agree) throw new Error(`${version} ${path}: the region is not the class of the whole file`);
  }
}
