/** `catalogue.json` as it is shipped: well-formed, in order, and with the families that were measured. No download. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import semver from 'semver';
import {
  type CatalogueBundle,
  type CatalogueRelease,
  printCatalogue,
  shippedCatalogue,
  withReleases,
} from '../../src/release/catalogue.ts';
import { driftBetween } from '../../src/release/drift.ts';
import { reportFound } from '../../src/release/report.ts';
import { shapeSince } from '../../src/locate/known-shapes.ts';
import { worstStatus } from '../../src/status.ts';

const catalogue = shippedCatalogue();
const { releases } = catalogue;
/** The releases up to here were all looked at by hand; younger ones may come and go. */
const studied = releases.filter(({ version }) => semver.lte(version, '0.3.332'));
const bundles = (some: readonly CatalogueRelease[]): CatalogueBundle[] =>
  some.flatMap((release) => release.bundles);

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

describe('catalogue.json', () => {
  const schema = JSON.parse(readFileSync('schema/catalogue.schema.json', 'utf8')) as object;
  const ajv = new Ajv2020({ strict: true, strictRequired: false });
  const validate = ajv.compile(schema);

  it('is as its schema says', () => {
    assert.ok(validate(catalogue), ajv.errorsText(validate.errors));
  });

  it('has a schema that refuses text, unknown verdicts and what is missing', () => {
    const [release] = releases;
    const [bundle] = release?.bundles ?? [];
    const withBundle = (change: object): object => ({
      ...catalogue,
      releases: [{ ...release, bundles: [{ ...bundle, ...change }] }],
    });
    assert.ok(validate(withBundle({})));
    for (const wrong of [
      { status: 'unknown' },
      { family: null },
      { facts: null },
      { sha256: 'abc' },
      { needs: ['this.hooks!==void 0'] },
      { texts: { streamInput: 'async streamInput(e){}' } },
      { source: 'x' },
      { places: 'async streamInput(e){}' },
      { places: undefined },
    ])
      assert.equal(validate(withBundle(wrong)), false, JSON.stringify(wrong));
  });

  it('is printed in one way: a line for each bundle, nothing to reformat', () => {
    assert.equal(readFileSync('catalogue.json', 'utf8'), printCatalogue(catalogue));
  });

  it('is sorted, each release once, bundles by name', () => {
    const versions = releases.map(({ version }) => version);
    assert.deepEqual(versions, [...new Set(versions)].sort(semver.compare));
    for (const release of releases) {
      const files = release.bundles.map(({ file }) => file);
      assert.deepEqual(files, [...new Set(files)].sort(), release.version);
    }
  });

  it('takes releases up in their place, and replaces what it had', () => {
    const [first, second, third] = releases;
    assert.ok(first && second && third);
    const some = { ...catalogue, releases: [first, third] };
    assert.deepEqual(withReleases(some, [second]).releases, [first, second, third]);
    const other = { ...third, status: 'partial' as const };
    assert.deepEqual(withReleases(some, [other]).releases, [first, other]);
  });

  it('agrees with itself: statuses, families, needs, sites', () => {
    for (const { version, status, bundles: found } of releases) {
      assert.equal(status, worstStatus(found.map((bundle) => bundle.status)), version);
      for (const { file, family, facts, needs, sites, status: one, texts, fingerprints } of found) {
        const name = `${version} ${file}`;
        assert.equal(facts?.family, family, name);
        assert.deepEqual(facts?.needs, [...needs].sort(), name);
        assert.equal(facts.sites.length, sites, name);
        const expected = family === 'run-end' ? 'partial' : 'affected';
        assert.equal(one, facts.endInput === 'empty' ? 'unaffected' : expected, name);
        assert.deepEqual(Object.keys(texts), Object.keys(fingerprints?.methods ?? {}), name);
      }
    }
  });

  it('has all 341 releases up to 0.3.332, none of which is unknown, all of which can be patched', () => {
    assert.equal(studied.length, 341);
    assert.deepEqual(tally(studied.map(({ status }) => status)), { affected: 296, partial: 45 });
    assert.ok(studied.every(({ patchable }) => patchable));
  });

  it('has the families within the boundaries that were measured', () => {
    const spans: Record<string, [first: string, last: string, count: number]> = {};
    for (const { version, bundles: found } of studied) {
      const [family, ...others] = new Set(found.map((bundle) => bundle.family ?? 'none'));
      assert.deepEqual(others, [], `${version} has one family in all bundles`);
      const [first = version, , count = 0] = spans[family ?? 'none'] ?? [];
      spans[family ?? 'none'] = [first, version, count + 1];
    }
    assert.deepEqual(spans, {
      'timed-race': ['0.0.4', '0.1.62', 46],
      inactivity: ['0.1.63', '0.1.72', 7],
      'first-result': ['0.1.73', '0.3.283', 243],
      'run-end': ['0.3.284', '0.3.332', 45],
    });
  });

  it('has the bundles where they came', () => {
    const firstWith = (file: string): string | undefined =>
      releases.find((release) => release.bundles.some((bundle) => bundle.file === file))?.version;
    assert.deepEqual(tally(bundles(studied).map(({ file }) => file)), {
      'sdk.mjs': 341,
      'assistant.mjs': 70,
      'browser-sdk.js': 219,
      'core.mjs': 47,
    });
    assert.equal(firstWith('core.mjs'), '0.3.282');
    for (const bundle of bundles(studied))
      assert.equal(bundle.status === 'unaffected', bundle.file === 'browser-sdk.js', bundle.sha256);
  });

  it('is what audit knows shapes by: the first release of each', () => {
    const first = new Map<string, string>();
    for (const { version, bundles: found } of releases)
      for (const { fingerprints } of found) {
        const shape = fingerprints?.class ?? '';
        if (!first.has(shape)) first.set(shape, version);
      }
    for (const [shape, version] of first) assert.equal(shapeSince(shape), version);
    const unseen = ['0'.repeat(16), '', ',', 'a', '858855da4b09b53', ':0.0.4'];
    for (const shape of unseen) assert.equal(shapeSince(shape), undefined, shape);
  });

  it('has so many shapes', () => {
    const shapes = (of: (bundle: CatalogueBundle) => string | undefined): number =>
      new Set(bundles(studied).flatMap((bundle) => of(bundle) ?? [])).size;
    assert.equal(
      shapes(({ fingerprints }) => fingerprints?.methods.streamInput),
      12,
    );
    assert.equal(
      shapes(({ fingerprints }) => fingerprints?.methods.hasBidirectionalNeeds),
      7,
    );
    assert.equal(
      shapes(({ fingerprints }) => fingerprints?.class),
      146,
    );
    assert.equal(
      shapes(({ fingerprints }) => fingerprints?.facts),
      19,
    );
  });
});

describe('each release held out of the catalogue', () => {
  const shapesOf = ({ bundles: found }: CatalogueRelease): (string | undefined)[] =>
    found.map(({ fingerprints }) => fingerprints?.class);

  it('is not recorded, keeps its verdict, and is a new shape exactly where no other release has the shape', () => {
    let unseen = 0;
    for (const release of releases) {
      const rest = { ...catalogue, releases: releases.filter((other) => other !== release) };
      const found = { package: catalogue.package, source: 'registry' as const, release };
      const one = reportFound(found, [], rest, undefined);
      assert.equal(one.recorded, false, release.version);
      assert.deepEqual([one.status, one.patchable], [release.status, release.patchable]);
      for (const { file, known, since, family, fingerprints } of one.bundles) {
        const others = rest.releases.filter((other) => shapesOf(other).includes(fingerprints?.class));
        assert.equal(since, others[0]?.version ?? null, `${release.version} ${file}`);
        assert.equal(known, since !== null);
        assert.equal(family, release.bundles.find((bundle) => bundle.file === file)?.family);
        if (since === null) unseen += 1;
      }
      assert.ok(!one.news.includes('changed') && !one.news.includes('unpatchable'), release.version);
    }
    assert.equal(unseen, unseenShapes());
  });

  /** Bundles whose shape only their own release has, counted in another way. */
  function unseenShapes(): number {
    const versions = new Map<string, Set<string>>();
    for (const { version, bundles: found } of releases)
      for (const { fingerprints } of found) {
        const shape = fingerprints?.class ?? '';
        versions.set(shape, (versions.get(shape) ?? new Set()).add(version));
      }
    return bundles(releases).filter(({ fingerprints }) => versions.get(fingerprints?.class ?? '')?.size === 1)
      .length;
  }

  it('tells of every change of facts, and only of those', () => {
    for (const [index, release] of releases.entries()) {
      const before = releases[index - 1];
      if (!before) continue;
      const rest = { ...catalogue, releases: releases.filter((other) => other !== release) };
      const found = { package: catalogue.package, source: 'registry' as const, release };
      const { news, against, drift } = reportFound(found, [], rest, undefined);
      assert.equal(against, before.version);
      assert.deepEqual(drift, driftBetween(before, release));
      const factsOf = ({ bundles: all }: CatalogueRelease): string =>
        JSON.stringify(all.map(({ file, fingerprints }) => [file, fingerprints?.facts]));
      const moved = news.some((one) => one === 'family' || one === 'facts' || one === 'bundles');
      assert.equal(moved, factsOf(before) !== factsOf(release), release.version);
    }
  });
});
