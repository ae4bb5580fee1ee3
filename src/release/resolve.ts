import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import semver from 'semver';
import { HoldopenError } from '../errors.ts';
import type { ReleaseCache } from './cache.ts';
import { type Metadata, type NpmOptions, fetchMetadata, metadataOf } from './npm.ts';

/** One thing to check. */
export type Subject = { kind: 'release'; version: string } | { kind: 'tarball' | 'directory'; path: string };

export interface Wanted {
  specs: readonly string[];
  package: string;
  /** Everything newer than this version. */
  since?: string | undefined;
  all: boolean;
}

/** How the registry is asked. */
type Asking = NpmOptions & { cache: ReleaseCache };

/**
 * What the words on the command line mean. The registry is asked only where a word needs it: not for an exact version.
 * @returns releases oldest first, then what lies on the disk, each once
 * @throws HoldopenError `no-release`, `usage`, or npm's code
 */
export async function resolveSubjects(wanted: Wanted, options: Asking): Promise<Subject[]> {
  const { since, all } = wanted;
  requireSince(since);
  const specs = wanted.specs.length > 0 || since !== undefined || all ? wanted.specs : ['latest'];
  const places = new Map<string, Subject>();
  const versions = new Set<string>();
  let metadata: Metadata | undefined;
  const ask = async (): Promise<Metadata> => (metadata ??= await currentMetadata(wanted.package, options));
  for (const spec of specs) {
    // A variable of a script that is not set; as a range it would be every release there is.
    if (spec.trim() === '') throw usage('an empty word is no version', 'holdopen check latest');
    const place = placeOf(spec, options.cwd);
    if (place) places.set(place.path, place);
    else if (semver.valid(spec) !== null) versions.add(semver.clean(spec) ?? spec);
    else for (const version of select(spec, await ask(), wanted.package)) versions.add(version);
  }
  if (since !== undefined || all)
    for (const version of (await ask()).versions)
      if (all || semver.gt(version, since ?? version)) versions.add(version);
  const releases = [...versions].sort(semver.compare);
  const after = since === undefined ? '' : ` after ${since}`;
  if (releases.length + places.size === 0)
    throw noRelease(`${wanted.package} has no release${after}`, wanted.package);
  return [...releases.map((version): Subject => ({ kind: 'release', version })), ...places.values()];
}

/** @throws HoldopenError `usage` where `--since` is no version */
export function requireSince(since: string | undefined): void {
  if (since !== undefined && semver.valid(since) === null)
    throw usage(`--since takes a version, and ${since} is none`, 'holdopen check --since 0.3.284');
}

/** As npm tells them apart: a path has a slash or dot in front, or the ending of an archive. */
function placeOf(spec: string, cwd: string): Extract<Subject, { path: string }> | undefined {
  const path = resolve(cwd, spec);
  const isNamed = /^(?:\.|~\/|\/|[A-Za-z]:[\\/])/.test(spec) || /\.(?:tgz|tar\.gz)$/.test(spec);
  const isThere = existsSync(path);
  if (!isNamed && !(isThere && /[\\/]/.test(spec))) return undefined;
  const stats = isThere ? statSync(path) : undefined;
  if (stats?.isDirectory()) return { kind: 'directory', path };
  if (stats?.isFile()) return { kind: 'tarball', path };
  // A pipe with nobody at its other end would keep us waiting, and a device may have no end.
  const why = isThere ? 'it is neither a file nor a folder' : 'there is no such file or directory';
  throw new HoldopenError({
    code: 'no-file',
    message: `cannot check ${spec}: ${why}`,
    hint: 'name a tarball, a package directory, or a version: holdopen check 0.3.205',
  });
}

function select(spec: string, { versions, tags }: Metadata, name: string): string[] {
  if (Object.hasOwn(tags, spec)) return [tags[spec] ?? ''];
  const range = semver.validRange(spec);
  if (range === null)
    throw noRelease(`${name} has no tag ${spec}, and it is no version or range either`, name);
  const found = versions.filter((version) => semver.satisfies(version, range));
  if (found.length === 0) throw noRelease(`${name} has no release in ${spec}`, name);
  return found;
}

/** As long as the registry lets npm itself go without asking again. */
const freshFor = 5 * 60 * 1000;

async function currentMetadata(name: string, options: Asking): Promise<Metadata> {
  const note = options.cache.note(name);
  const noted = note && Math.abs(Date.now() - note.at) < freshFor ? metadataOf(note.value) : undefined;
  if (noted) return noted;
  const metadata = await fetchMetadata(name, options);
  await options.cache.takeNote(name, metadata);
  return metadata;
}

function noRelease(message: string, name: string): HoldopenError {
  return new HoldopenError({ code: 'no-release', message, hint: `npm view ${name} versions dist-tags` });
}

function usage(message: string, hint: string): HoldopenError {
  return new HoldopenError({ code: 'usage', message, hint });
}
