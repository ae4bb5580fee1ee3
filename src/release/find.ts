import { realpathSync } from 'node:fs';
import semver from 'semver';
import { HoldopenError } from '../errors.ts';
import { type Manifest, named, readManifest, text } from '../locate/installs/manifest.ts';
import { type ReleaseCache, unpack } from './cache.ts';
import type { CatalogueRelease } from './catalogue.ts';
import { type FetchOptions, fetchRelease, integrityOf } from './fetch.ts';
import { type Judgement, type Judging, judge } from './judge.ts';
import { isPackageName } from './npm.ts';
import type { Subject } from './resolve.ts';
import { readTarball } from './tarball.ts';
import type { CheckedRelease } from './types.ts';

/** One subject with what was found of it, in the form that the catalogue has and that is compared. */
export interface Found {
  package: string;
  source: CheckedRelease['source'];
  release: CatalogueRelease;
  /** Not of what comes from the catalogue. */
  judgement?: Judgement | undefined;
}

/** A published version: from the cache or the registry. */
export async function findRelease(
  name: string,
  version: string,
  options: FetchOptions & Judging,
): Promise<Found> {
  const entry = await fetchRelease(name, version, options);
  const manifest = readManifest(entry.dir);
  return found('registry', entry.dir, entry, manifest.state === 'ok' ? manifest.manifest : {}, options);
}

/** What lies on the disk. A tarball is unpacked aside, and only what matters of it, for as long as it is looked at. */
export async function findPlace(
  { kind, path }: Extract<Subject, { path: string }>,
  { cache, ...judging }: { cache: ReleaseCache } & Judging,
): Promise<Found> {
  if (kind === 'directory') return findDirectory(path, judging);
  const files = await readTarball(path);
  const integrity = await integrityOf(path);
  return cache.scratch(async (dir) => {
    await unpack(files, dir);
    return found('tarball', dir, { ...files, integrity }, files.manifest, judging);
  });
}

function findDirectory(path: string, judging: Judging): Found {
  const result = readManifest(path);
  const { name, version: given } = named(result);
  const version = semver.valid(given ?? '0.0.0');
  const isNamed = result.state === 'ok' && name !== undefined;
  if (!isNamed || !isPackageName(name) || version === null) {
    const [why, hint] = isNamed
      ? [
          'the name or the version in its package.json is none that npm takes',
          'correct its package.json, or look at its files with audit: holdopen audit --file <path>',
        ]
      : [
          result.state === 'broken'
            ? `its package.json cannot be read: ${result.detail}`
            : 'it has no package.json with a name, so it is no package',
          'name the directory of a package; a whole project is what audit is for: holdopen audit',
        ];
    throw new HoldopenError({ code: 'no-package', message: `cannot check ${path}: ${why}`, hint });
  }
  const release = { name, version, integrity: '', unpackedSize: 0 };
  return found('directory', realpathSync(path), release, result.manifest, judging);
}

function found(
  source: Found['source'],
  dir: string,
  release: { name: string; version: string; integrity: string; unpackedSize: number },
  { claudeCodeVersion }: Manifest,
  { forms, recorded }: Judging,
): Found {
  const judgement = judge(dir, release.name, { forms, recorded });
  const cli = text(claudeCodeVersion) ?? null;
  return {
    package: release.name,
    source,
    judgement,
    release: catalogueRelease({ ...release, cli }, judgement),
  };
}

/** A judged release as the catalogue records it. */
export function catalogueRelease(
  release: Pick<CatalogueRelease, 'version' | 'cli' | 'integrity' | 'unpackedSize'>,
  { status, patchable, bundles }: Judgement,
): CatalogueRelease {
  const { version, cli, integrity, unpackedSize } = release;
  return {
    version,
    cli,
    integrity,
    unpackedSize,
    status,
    patchable,
    bundles: bundles.map(({ report, size, texts, facts }) => {
      const { file, sha256, status, family, sites, needs, fingerprints } = report;
      const hash = sha256 ?? '';
      return { file, sha256: hash, size, status, family, sites, needs, fingerprints, texts, facts };
    }),
  };
}
