// What the layout tests look at: bytes below a folder, npm's own list, and the report.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../src/types.ts';
import { runCli } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';

/** One hash over names and bytes of all files below a folder. */
export function treeHash(dir: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true }).sort(byPlace))
    if (entry.isFile()) hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  return hash.digest('hex');
}

type Place = { parentPath: string; name: string };
const byPlace = (a: Place, b: Place): number =>
  join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1;

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
