import { join } from 'node:path';
import { systemCode } from '../../errors.ts';
import { readRegular } from './read.ts';

/** The fields of a package.json that we look at, unchecked beyond being a JSON object. */
export interface Manifest {
  name?: unknown;
  version?: unknown;
  main?: unknown;
  module?: unknown;
  browser?: unknown;
  exports?: unknown;
  workspaces?: unknown;
  [field: string]: unknown;
}

export type ManifestResult =
  { state: 'ok'; manifest: Manifest } | { state: 'missing' } | { state: 'broken'; detail: string };

/**
 * Reads the package.json of a directory.
 * @param dir the package's directory
 * @returns `broken` with the reason where it is there and cannot be read or is no JSON object; never throws for that
 */
export function readManifest(dir: string): ManifestResult {
  let text: string;
  try {
    text = readRegular(join(dir, 'package.json')).toString('utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === 'ENOENT' || code === 'ENOTDIR' ? { state: 'missing' } : { state: 'broken', detail: code };
  }
  return parseManifest(text);
}

/** As `readManifest`, from the text. A byte order mark is let pass, as npm and Node do. */
export function parseManifest(text: string): ManifestResult {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own message quotes the text; where it is wrong is not our business, that it is wrong is.
    return { state: 'broken', detail: 'not valid JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { state: 'broken', detail: 'not a JSON object' };
  }
  return { state: 'ok', manifest: value as Manifest };
}

/** The value where it is a string that says something, else undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
