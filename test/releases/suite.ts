import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sdkPackage } from '../../src/locate/installs/layout.ts';
import { readSource } from '../../src/locate/source.ts';
import { ReleaseCache, cacheRoot } from '../../src/release/cache.ts';
import {
  type Catalogue,
  type CatalogueBundle,
  type CatalogueRelease,
  shippedCatalogue,
} from '../../src/release/catalogue.ts';
import { fetchRelease } from '../../src/release/fetch.ts';
import { catalogueRelease } from '../../src/release/find.ts';
import { judge } from '../../src/release/judge.ts';
import { reportFound } from '../../src/release/report.ts';
import { inspectSource, patchSource, restoreSource } from '../support/texts.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Both sides of every boundary between families, the first and last with readable code, both sides of the first release
 * with several bundles and of the last change of facts. So many can be downloaded for every change; all take gigabytes.
 */
const sample = new Set(
  '0.0.4 0.1.62 0.1.63 0.1.72 0.1.73 0.2.14 0.2.63 0.3.205 0.3.282 0.3.283 0.3.284 0.3.332'.split(' '),
);

/**
 * Takes recorded releases through everything: located, classified as recorded, patched, classified again, restored byte
 * for byte; and all that once more as if nobody had recorded them.
 * @param part which of `of` parts, so that several processes share the work; HOLDOPEN_RELEASES=all takes every release
 */
export function releasesSuite(part: number, of: number): void {
  const catalogue = shippedCatalogue();
  const cache = new ReleaseCache(cacheRoot());
  const all = process.env.HOLDOPEN_RELEASES === 'all';
  const wanted = catalogue.releases.filter(({ version }) => all || sample.has(version));
  describe(`${all ? 'all releases' : 'a sample of releases'}, part ${String(part)} of ${String(of)}`, () => {
    for (const release of wanted.filter((_, index) => index % of === part - 1))
      test(release.version, async () => {
        const { version, integrity } = release;
        const many = wanted.length > 5;
        const entry = await fetchRelease(sdkPackage, version, { cwd, cache, integrity, many });
        const judgement = judge(entry.dir, sdkPackage);
        assert.deepEqual(catalogueRelease({ ...entry, cli: release.cli }, judgement), release);
        for (const bundle of release.bundles) {
          const source = readSource(readFileSync(join(entry.dir, bundle.file)));
          assertWhole(source, bundle, true);
          // Bytes that nobody has recorded, so that nothing is taken for granted: the whole file is parsed.
          assertWhole(`${source}//\n`, bundle, false);
        }
        assertHeldOut(release, catalogue);
      });
  });
}

function assertWhole(source: string, bundle: CatalogueBundle, recorded: boolean): void {
  const name = `${bundle.file}${recorded ? '' : ', with other bytes'}`;
  const stock = inspectSource(source);
  assert.ok(stock, `${name}: located`);
  const { status, family, needs, sites, fingerprints } = stock;
  assert.deepEqual(
    { status, family, needs, sites, fingerprints },
    pick(bundle),
    `${name}: classified as recorded`,
  );
  const result = patchSource(source);
  if (status === 'unaffected') {
    assert.equal(result.outcome, 'unchanged', name);
    return;
  }
  assert.ok(result.outcome === 'patched', `${name}: ${result.outcome}`);
  const patched = inspectSource(result.source);
  assert.equal(patched?.status, 'patched', name);
  assert.equal(patched.family, family, name);
  assert.equal(patchSource(result.source).outcome, 'unchanged', name);
  const restored = restoreSource(result.source);
  assert.ok(restored.outcome === 'restored' && restored.source === source, `${name}: restored byte for byte`);
}

function pick({ status, family, needs, sites, fingerprints }: CatalogueBundle): object {
  return { status, family, needs, sites, fingerprints };
}

function assertHeldOut(release: CatalogueRelease, catalogue: Catalogue): void {
  const rest = {
    ...catalogue,
    releases: catalogue.releases.filter(({ version }) => version !== release.version),
  };
  const one = reportFound({ package: sdkPackage, source: 'registry', release }, [], rest, undefined);
  const shapes = new Set(
    rest.releases.flatMap(({ bundles }) => bundles.map(({ fingerprints }) => fingerprints?.class)),
  );
  for (const { file, known, fingerprints } of one.bundles)
    assert.equal(known, shapes.has(fingerprints?.class), `${file}: a new shape only where no other has it`);
}
