import { readFileSync } from 'node:fs';
import { jsonFile } from './tree.ts';
import type { Tree } from './tree.ts';
import { sdkName } from './installs.ts';

/** A bundle of our own with the structure of a family: `fixtures/dist/<family>.esbuild.mjs`. */
export function fixture(family: string): string {
  return readFileSync(new URL(`../../fixtures/dist/${family}.esbuild.mjs`, import.meta.url), 'utf8');
}

/** A copy as it is installed, with an affected main bundle unless `files` says otherwise. */
export function installedSdk(version = '0.3.205', files: Tree = {}): Tree {
  return {
    'package.json': jsonFile({ name: sdkName, version, type: 'module', main: 'sdk.mjs' }),
    'sdk.mjs': fixture('first-result'),
    ...files,
  };
}

/** A project with nothing in it but what is given. */
export function project(more: Tree = {}): Tree {
  return { 'package.json': jsonFile({ name: 'app', private: true }), ...more };
}
