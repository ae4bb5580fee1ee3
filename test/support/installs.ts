import { displayPath, findInstalls } from '../../src/locate/installs/index.ts';
import { jsonFile } from './tree.ts';
import type { Tree } from './tree.ts';

export const sdkName = '@anthropic-ai/claude-agent-sdk';
export const sdkPlace = `node_modules/${sdkName}`;

/** A package directory with a package.json and a main file. */
export function pack(name: string, version = '1.0.0', more: Tree = {}): Tree {
  return { 'package.json': jsonFile({ name, version, main: 'sdk.mjs' }), 'sdk.mjs': '', ...more };
}

/** A copy of the SDK as the finder sees it. */
export function sdk(version: string, more: Tree = {}): Tree {
  return pack(sdkName, version, more);
}

/** What is found from `dir`, one line a copy: `path name@version`; unreadable places as `path ! CODE`. */
export function find(root: string, dir?: string): string[] {
  const installs = findInstalls({ dir, cwd: root });
  return [
    ...installs.copies.map((copy) => `${displayPath(root, copy.dir)} ${copy.package}@${copy.version}`),
    ...installs.unreadable.map((place) => `${displayPath(root, place.path)} ! ${place.detail}`),
  ];
}
