import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Source, readSource } from '../../src/locate/source.ts';

/** Path of a fixture: `src/first-result.mjs`, `dist/first-result.terser.mjs`, `near-miss/two-classes.mjs`. */
export const fixturePath = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

export const fixture = (name: string): Source => readSource(readFileSync(fixturePath(name)));

/** The names in one folder of the fixtures: `first-result`, or `first-result.terser`. */
export const fixtureNames = (folder: 'src' | 'dist' | 'near-miss'): string[] =>
  readdirSync(fixturePath(folder))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => name.replace(/\.mjs$/, ''))
    .sort();
