// What the layout tests look at: bytes below a folder, npm's own list, and the report.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markerLine, readMarker } from '../../src/patch/marker.ts';
import type { Report } from '../../src/types.ts';
import { runCli } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';
import type { Tally } from '../support/report.ts';

/** The hash of every file below some folders, by its path. */
export function filesBelow(dirs: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const dir of dirs)
    for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files.set(path, createHash('sha256').update(readFileSync(path)).digest('hex'));
    }
  return files;
}

/** Counts every file that is not what it was: other bytes, new, or gone. */
export function countChanged(
  tally: Tally,
  before: Map<string, string>,
  dirs: readonly string[],
  when: string,
): void {
  const now = filesBelow(dirs);
  for (const path of new Set([...before.keys(), ...now.keys()]))
    tally.count('storeChanged', before.get(path) !== now.get(path), `${when}: ${path}`);
}

/** Counts every bundle that does not have its hash of before. */
export function countLost(tally: Tally, before: Report, now: Report, when: string): void {
  const found = new Set(hashes(now));
  for (const bundle of hashes(before)) tally.count('lost', !found.has(bundle), `${when}: ${bundle}`);
}

/** The versions of the SDK that npm has written down, one for each place. */
export function lockedCopies(cwd: string): string[] {
  const lock = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const places = Object.entries(lock.packages).filter(([place]) => place.endsWith(`node_modules/${sdkName}`));
  return places.map(([, { version }]) => version).sort();
}

export async function audit(cwd: string): Promise<Report> {
  const { stdout, stderr } = await runCli(['audit', '--format', 'json'], { cwd });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Report;
}

export const hashes = (report: Report): string[] =>
  report.copies.flatMap((copy) =>
    copy.bundles.map((bundle) => `${copy.path}/${bundle.file} ${bundle.sha256}`),
  );

/** What another revision, or somebody who took a piece out by hand, leaves of a patched text. */
export const damages: Record<'gate-older' | 'gate-incomplete', (gated: string) => string> = {
  'gate-older': (gated) => {
    const search = readMarker(gated);
    if (search.kind !== 'found') assert.fail('no marker');
    const { marker, at } = search;
    return gated.slice(0, at) + markerLine({ ...marker, revision: marker.revision - 1 });
  },
  'gate-incomplete': (gated) => {
    const search = readMarker(gated);
    if (search.kind !== 'found') assert.fail('no marker');
    // Short pieces are found in the SDK's own text as well: one that is there once is ours.
    const body = gated.slice(0, search.at);
    const piece = search.marker.edits.map(([, text]) => text).find((text) => body.split(text).length === 2);
    return body.replace(piece ?? assert.fail('no piece'), () => '') + gated.slice(search.at);
  },
};

/** The bundles that a report says are patched: others of the same copy have nothing to patch. */
export const patchedBundles = ({ copies }: Report): string[] =>
  copies.flatMap((copy) =>
    copy.bundles.filter(({ status }) => status === 'patched').map(({ file }) => join(copy.path, file)),
  );

/** Changes files; each in a new file, so that nothing but the copy itself is changed. */
export function changeFiles(cwd: string, files: readonly string[], change: (text: string) => string): void {
  for (const file of files) {
    const path = join(cwd, file);
    const text = readFileSync(path, 'latin1');
    rmSync(path);
    writeFileSync(path, change(text), 'latin1');
  }
}
