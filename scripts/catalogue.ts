// Makes catalogue.json: what is recorded of every published release of the SDK.
//   npm run catalogue              adds the releases that it does not have yet
//   npm run catalogue -- --all     makes every entry again (downloads 5 GB where the cache has nothing)
//   npm run catalogue -- --cached  makes the entries of the cached releases again, with the bytes that were recorded
//   npm run catalogue -- --check   writes nothing, exits 1 if an entry is missing or another one than would be made
//   npm run catalogue -- --check --cached   the same of the releases in the cache alone, without the registry
// Every bundle that it records was parsed whole, stock and patched: `check` need not do that again.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Bundle } from '../src/locate/bundle.ts';
import { parsedClasses } from '../src/locate/region.ts';
import { sdkPackage } from '../src/locate/installs/layout.ts';
import { patchBundle } from '../src/patch/apply.ts';
import { ReleaseCache, cacheRoot } from '../src/release/cache.ts';
import { printCatalogue, shippedCatalogue, withReleases } from '../src/release/catalogue.ts';
import type { CatalogueRelease } from '../src/release/catalogue.ts';
import { fetchRelease } from '../src/release/fetch.ts';
import { catalogueRelease } from '../src/release/find.ts';
import { judge } from '../src/release/judge.ts';
import { fetchIntegrity } from '../src/release/npm.ts';
import { pool } from '../src/release/check.ts';

const all = process.argv.includes('--all');
const check = process.argv.includes('--check');
const cached = process.argv.includes('--cached');
const cwd = fileURLToPath(new URL('..', import.meta.url));
const path = join(cwd, 'catalogue.json');
const before = shippedCatalogue();
const cache = new ReleaseCache(cacheRoot());
const recorded = new Map(before.releases.map(({ version, integrity }) => [version, integrity]));
const published = cached ? await cachedReleases() : await fetchIntegrity(sdkPackage, '>=0.0.0', { cwd });
const versions = Object.keys(published).filter((version) => all || cached || check || !recorded.has(version));
console.log(`${String(Object.keys(published).length)} releases, ${String(versions.length)} to look at`);

let done = 0;
const releases = await pool(versions, 2, async (version): Promise<CatalogueRelease> => {
  const integrity = published[version] ?? '';
  const entry = await fetchRelease(sdkPackage, version, { cwd, cache, integrity, many: versions.length > 5 });
  const { claudeCodeVersion } = JSON.parse(readFileSync(join(entry.dir, 'package.json'), 'utf8')) as {
    claudeCodeVersion?: string;
  };
  const judgement = judge(entry.dir, sdkPackage);
  // Bytes that are recorded were parsed then: another hash would be told.
  for (const { report } of check || cached ? [] : judgement.bundles)
    parseEverything(join(entry.dir, report.file), version);
  done += 1;
  if (!check || !judgement.patchable)
    console.log(
      `${String(done).padStart(4)}  ${version.padEnd(9)} ${judgement.status} ${judgement.patchable ? '' : 'NOT PATCHABLE'}`,
    );
  return catalogueRelease({ ...entry, cli: claudeCodeVersion ?? null }, judgement);
});

const text = printCatalogue(withReleases(before, releases));
if (check) {
  const same = text === readFileSync(path, 'utf8');
  const lines = new Set(readFileSync(path, 'utf8').split('\n'));
  for (const line of text.split('\n')) if (!lines.has(line)) console.log(`not recorded: ${line.trim()}`);
  console.log(
    same ? 'catalogue.json is what would be made' : 'catalogue.json differs from what would be made',
  );
  // Nothing was compared: that must not look like agreement.
  if (versions.length === 0) process.exitCode = 2;
  else process.exitCode = same ? 0 : 1;
} else {
  writeFileSync(path, text);
  // Not behind this script in package.json: words after `--` go to the last command of a line.
  await import(new URL('build-known.mjs', import.meta.url).href);
  console.log(`catalogue.json: ${String(text.length)} bytes`);
}

/** The recorded releases that the cache has, from the tarballs that were recorded. */
async function cachedReleases(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [version, integrity] of recorded)
    if ((await cache.find(sdkPackage, version))?.integrity === integrity) found[version] = integrity;
  return found;
}

/** The whole stock file is code with the class in it once, and so is the patched one. Whatever is known of it before. */
function parseEverything(path: string, version: string): void {
  const stock = new Bundle(readFileSync(path));
  const patched = patchBundle(stock);
  for (const bundle of [stock, ...('source' in patched ? [new Bundle(patched.source)] : [])]) {
    const whole = parsedClasses(bundle.text);
    const { analysis } = bundle;
    const starts = 'starts' in whole ? whole.starts : [];
    const agree =
      analysis.kind === 'bound' && starts.length === 1 && starts[0] === analysis.roles.class.start;
    if (!agree) throw new Error(`${version} ${path}: the region is not the class of the whole file`);
  }
}
