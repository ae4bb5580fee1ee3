import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compose } from '../../scripts/compose.mjs';
import { type Source, readSource } from '../../src/locate/source.ts';
import { nearMisses } from './near-misses.ts';

const fixtures = new URL('../../fixtures/', import.meta.url);

let folder: string | undefined;

/**
 * Path of a fixture: `dist/first-result.terser.mjs`, the readable `src/first-result.mjs` in one file with its parts, or
 * `near-miss/two-classes.mjs`. The last two are made when they are asked for.
 */
export function fixturePath(name: string): string {
  const text = made(name);
  if (text === undefined) return fileURLToPath(new URL(name, fixtures));
  if (folder === undefined) {
    const own = (folder = mkdtempSync(join(tmpdir(), 'holdopen-fixtures-')));
    process.on('exit', () => rmSync(own, { recursive: true, force: true }));
  }
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

export const fixture = (name: string): Source => readSource(readFileSync(fixturePath(name)));

/** The names in one folder of the fixtures: `first-result`, or `first-result.terser`. */
export const fixtureNames = (kind: 'src' | 'dist' | 'near-miss'): string[] =>
  (kind === 'near-miss' ? Object.keys(nearMisses) : readdirSync(new URL(kind, fixtures)))
    .filter((name) => kind === 'near-miss' || name.endsWith('.mjs'))
    .map((name) => name.replace(/\.mjs$/, ''))
    .sort();

function made(name: string): string | undefined {
  if (name.startsWith('src/')) return compose(new URL(name, fixtures));
  const nearMiss = nearMisses[/^near-miss\/(.+)\.mjs$/.exec(name)?.[1] ?? ''];
  return nearMiss?.(compose(new URL('src/first-result.mjs', fixtures)));
}
