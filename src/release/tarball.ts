import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import semver from 'semver';
import { HoldopenError } from '../errors.ts';
import { mayHoldClass } from '../locate/anchors.ts';
import { packageEntries } from '../locate/installs/entries.ts';
import { relativeImports } from '../locate/installs/imports.ts';
import { sdkPackage } from '../locate/installs/layout.ts';
import { type Manifest, parseManifest, text } from '../locate/installs/manifest.ts';
import { isPackageName } from './npm.ts';
import { cannotRead, streamRegular } from './stream.ts';
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
  const read = new Map<string, Buffer>();
  let unpackedSize = 0;
  const readAll = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const entry of readTar(chunks, { wants, ...(limits && { limits }) })) {
      unpackedSize += entry.size;
      const name = inPackage(entry.path);
      if (!wants(entry.path, entry.size)) continue;
      // Of which one is installed depends on who unpacks it.
      if (read.has(name)) throw badTarball(`${name} is in it twice`);
      read.set(name, entry.bytes);
    }
  };
  try {
    await pipeline(streamRegular(path), createGunzip(), readAll);
  } catch (error) {
    throw tarballError(path, error);
  }
  const json = read.get('package.json') ?? Buffer.alloc(0);
  const { name, version, manifest } = identify(read.has('package.json') ? json.toString('utf8') : undefined);
  const kept = name === sdkPackage ? reachable(manifest, read) : mayMatter(read);
  kept.set('package.json', json);
  return { name, version, manifest, files: kept, unpackedSize };
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

/** JavaScript by its name, or without an ending, as `bin` scripts are. */
function isScript(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /\.[cm]?js$/.test(name) || (name !== '' && !name.includes('.'));
}

function identify(manifestText: string | undefined): { name: string; version: string; manifest: Manifest } {
  if (manifestText === undefined) throw badTarball('it has no package.json, so it is no package');
  const result = parseManifest(manifestText);
  if (result.state !== 'ok') throw badTarball('its package.json is not a JSON object');
  const { manifest } = result;
  const name = text(manifest.name);
  const given = text(manifest.version);
  if (name === undefined || given === undefined)
    throw badTarball('its package.json has no name or no version');
  // Both are compared, printed, and made into paths; the registry cuts off what follows a `+`.
  const version = semver.valid(given);
  if (!isPackageName(name) || version === null)
    throw badTarball('its package.json has a name or a version that npm does not take');
  return { name, version, manifest };
}

/** All that a host can load by the package's name: the SDK's own CLI in old releases, 13 MB of script, is not. */
function reachable(manifest: Manifest, scripts: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  // A list and not a function that calls itself: a tarball can have a chain of imports that no stack holds.
  const rest: string[] = [];
  const visit = (path: string): void => {
    const name = ['', '.js', '.mjs', '.cjs', '/index.js']
      .map((end) => path + end)
      .find((key) => scripts.has(key));
    const bytes = name === undefined ? undefined : scripts.get(name);
    if (name === undefined || bytes === undefined || found.has(name)) return;
    found.set(name, bytes);
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    rest.push(...relativeImports(bytes).map((specifier) => join(folder, specifier)));
  };
  const follow = (path: string): void => {
    rest.push(path);
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) visit(next);
  };
  for (const { target } of packageEntries(manifest)) {
    const star = target.indexOf('*');
    if (star < 0) follow(target);
    else for (const name of scripts.keys()) if (name.startsWith(target.slice(0, star))) follow(name);
  }
  return found;
}

/** Some other package that bundles the SDK may load it from anywhere. */
function mayMatter(scripts: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  return new Map([...scripts].filter(([, bytes]) => mayHoldClass(bytes)));
}

function join(folder: string, specifier: string): string {
  const parts: string[] = [];
  for (const part of `${folder}${specifier}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function tarballError(path: string, error: unknown): unknown {
  if (error instanceof HoldopenError) return error;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code.startsWith('Z_'))
    return badTarball(code === 'Z_BUF_ERROR' ? 'it is cut off' : 'it is not gzipped or not whole', error);
  return cannotRead(path, error);
}
