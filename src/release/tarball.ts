import { type ReadStream, createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import semver from 'semver';
import { HoldopenError, systemCode } from '../errors.ts';
import { mayHoldClass } from '../locate/anchors.ts';
import { reachableScripts } from '../locate/installs/bundles.ts';
import { isScript, packed } from '../locate/installs/content.ts';
import { sdkPackage } from '../locate/installs/layout.ts';
import { type Manifest, named, parseManifest } from '../locate/installs/manifest.ts';
import { openRegular } from '../locate/installs/read.ts';
import { isPackageName } from './npm.ts';
import { type TarLimits, badTarball, readTar } from './tar.ts';

/** What of a package's tarball is of interest. */
export interface PackageFiles {
  name: string;
  version: string;
  manifest: Manifest;
  /** package.json and the scripts that may matter; paths relative to the package, `/` as separator. */
  files: Map<string, Buffer>;
  /** Bytes of all files together. */
  unpackedSize: number;
}

/**
 * Reads a package's tarball in memory: nothing of it is written.
 * @param path the `.tgz`
 * @throws HoldopenError `bad-tarball`, `no-file`
 */
export async function readTarball(path: string, limits?: Partial<TarLimits>): Promise<PackageFiles> {
  const files = new Map<string, Buffer>();
  let unpackedSize = 0;
  const readAll = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const entry of readTar(chunks, { wants, ...(limits && { limits }) })) {
      unpackedSize += entry.size;
      if (!wants(entry.path, entry.size)) continue;
      const name = inPackage(entry.path);
      // Of which one is installed depends on who unpacks it.
      if (files.has(name)) throw badTarball(`${name} is in it twice`);
      files.set(name, entry.bytes);
    }
  };
  try {
    await pipeline(streamRegular(path), createGunzip(), readAll);
  } catch (error) {
    throw tarballError(path, error);
  }
  const identity = identify(files.get('package.json'));
  const kept = new Set(['package.json', ...scriptsThatMatter(identity.name, files)]);
  return { ...identity, files: new Map([...files].filter(([file]) => kept.has(file))), unpackedSize };
}

/**
 * Of the SDK all that a host can load by its name: its own CLI in old releases, 13 MB of script, is not. Some other package
 * that bundles it may load it from anywhere.
 */
function scriptsThatMatter(name: string, files: ReadonlyMap<string, Buffer>): string[] {
  if (name === sdkPackage)
    return reachableScripts(packed(files.keys(), (file) => files.get(file) ?? Buffer.alloc(0)));
  return [...files].filter(([, bytes]) => mayHoldClass(bytes)).map(([file]) => file);
}

function wants(path: string, size: number): boolean {
  const name = inPackage(path);
  // A program of its own has no ending either.
  return name === 'package.json' || (isScript(name) && (name.includes('.') || size <= largestWithoutEnding));
}

const largestWithoutEnding = 16 * 2 ** 20;

/** The first folder has any name; npm cuts it off, and with it what lies beside it. */
function inPackage(path: string): string {
  return path.includes('/') ? path.slice(path.indexOf('/') + 1) : '';
}

function identify(bytes: Buffer | undefined): Pick<PackageFiles, 'name' | 'version' | 'manifest'> {
  if (bytes === undefined) throw badTarball('it has no package.json, so it is no package');
  const result = parseManifest(bytes.toString('utf8'));
  if (result.state !== 'ok') throw badTarball('its package.json is not a JSON object');
  const { name, version: given } = named(result);
  if (name === undefined || given === null) throw badTarball('its package.json has no name or no version');
  // Both are compared, printed, and made into paths; the registry cuts off what follows a `+`.
  const version = semver.valid(given);
  if (!isPackageName(name) || version === null)
    throw badTarball('its package.json has a name or a version that npm does not take');
  return { name, version, manifest: result.manifest };
}

function tarballError(path: string, error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code.startsWith('Z_'))
    return badTarball(code === 'Z_BUF_ERROR' ? 'it is cut off' : 'it is not gzipped or not whole', error);
  return cannotRead(path, error);
}

/**
 * A regular file as a stream. It was looked at before, and a pipe that took its place since would keep us for ever.
 * @throws HoldopenError `no-file`
 */
export function streamRegular(path: string): ReadStream {
  try {
    return createReadStream(path, { fd: openRegular(path).fd });
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** What the system says of a file, as an error of ours; anything else as it is. */
function cannotRead(path: string, error: unknown): unknown {
  const system = systemCode(error);
  if (system === undefined) return error;
  return new HoldopenError({
    code: 'no-file',
    message: `cannot read ${path}: ${system === 'ENOENT' ? 'there is no such file' : system}`,
    hint: `ls -l ${path}`,
    cause: error,
  });
}
