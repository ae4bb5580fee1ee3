import { readFileSync } from 'node:fs';
import semver from 'semver';
import type { Facts } from '../locate/facts.ts';
import type { Family, Fingerprints, Status } from '../types.ts';

/**
 * What is recorded of every release: hashes, numbers, names of the public API, nothing of its text. `catalogue.json`
 * at the root of the package; `npm run catalogue` makes it.
 */
export interface Catalogue {
  schema: 'holdopen/catalogue@1';
  package: string;
  /** Oldest first. */
  releases: CatalogueRelease[];
}

export interface CatalogueRelease {
  version: string;
  /** Of the CLI that belongs to it, where its package.json says so. */
  cli: string | null;
  /** Of the tarball, as the registry publishes it. */
  integrity: string;
  unpackedSize: number;
  status: Status;
  patchable: boolean;
  /** By file name. */
  bundles: CatalogueBundle[];
}

export interface CatalogueBundle {
  file: string;
  sha256: string;
  size: number;
  status: Status;
  family: Family | null;
  sites: number;
  needs: string[];
  fingerprints: Fingerprints | null;
  /** By method: hash of the text as the minifier left it. */
  texts: Record<string, string>;
  facts: Facts | null;
}

/** The catalogue with some releases taken up or replaced, in order. */
export function withReleases(catalogue: Catalogue, releases: readonly CatalogueRelease[]): Catalogue {
  const all = new Map([...catalogue.releases, ...releases].map((release) => [release.version, release]));
  return {
    ...catalogue,
    releases: [...all.values()].sort((a, b) => semver.compare(a.version, b.version)),
  };
}

/** A line for each bundle: a new release is a few new lines, a changed verdict one changed line. */
export function printCatalogue(catalogue: Catalogue): string {
  const releases = catalogue.releases.map(({ bundles, ...release }) => {
    const lines = bundles.map((bundle) => `    ${JSON.stringify(bundle)}`).join(',\n');
    return `  ${JSON.stringify(release).slice(0, -1)},"bundles":[\n${lines}\n  ]}`;
  });
  const { schema, package: name } = catalogue;
  return `{"schema":${JSON.stringify(schema)},"package":${JSON.stringify(name)},"releases":[\n${releases.join(',\n')}\n]}\n`;
}

/** The catalogue that this holdopen was released with; the same place as source and built. */
export function shippedCatalogue(): Catalogue {
  return JSON.parse(readFileSync(new URL('../../catalogue.json', import.meta.url), 'utf8')) as Catalogue;
}
