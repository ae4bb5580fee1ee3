// The bundles that live tests run: a release's own, and a patched copy of it, made once per process.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSource, sourceBytes } from '../../src/locate/source.ts';
import { copyRelease, installRelease, type ReleaseCopy } from '../support/releases.ts';
import { patchSource } from '../support/texts.ts';

export type Gate = 'stock' | 'patched';

const copies = new Map<string, Promise<ReleaseCopy>>();

/** The `sdk.mjs` of a release with its CLI. */
export async function bundleOf(version: string, gate: Gate): Promise<string> {
  if (gate === 'stock') return join(await installRelease(version, { cli: true }), 'sdk.mjs');
  let copy = copies.get(version);
  if (!copy) copies.set(version, (copy = patchedCopy(version)));
  return join((await copy).packageDir, 'sdk.mjs');
}

export async function disposeBundles(): Promise<void> {
  for (const copy of copies.values()) await (await copy).dispose();
  copies.clear();
}

async function patchedCopy(version: string): Promise<ReleaseCopy> {
  const copy = await copyRelease(version, { cli: true });
  const file = join(copy.packageDir, 'sdk.mjs');
  const patch = patchSource(readSource(await readFile(file)));
  if (patch.outcome !== 'patched') throw new Error(`${version}: ${patch.outcome}, not patched`);
  await writeFile(file, sourceBytes(patch.source));
  return copy;
}
