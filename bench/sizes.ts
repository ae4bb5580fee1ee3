import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from './measure.ts';
import type { Bench } from './bench.ts';
import { number, table } from './table.ts';
import { makeBundle } from './trees.ts';

/** `audit` of one file that no release has: what takes time grows with its size. */
export function measureSizes({ dir, release, cli, quick }: Bench): string {
  mkdirSync(dir, { recursive: true });
  const bundles = (quick ? [2, 4] : [2, 4, 8, 16]).map((size) => {
    const path = join(dir, `${size}.mjs`);
    return { path, megabytes: makeBundle(path, release, size) };
  });
  const commands = bundles.map(({ path, megabytes }) => ({
    name: megabytes.toFixed(1),
    args: [cli, 'audit', '--file', path],
    code: 1,
  }));
  const rows = measure([{ name: 'node', args: ['-e', '0'] }, ...commands], quick ? 3 : 10);
  const base = rows[0]?.time.median ?? 0;
  return `## Size of a bundle

\`audit --file\` of a bundle that no release has; cost per MB is what comes on top of \`node -e 0\`.

${table(
  ['MB', 'time, ms', 'ms per MB', 'peak memory, MB'],
  rows
    .slice(1)
    .map((row, index) => [
      row.name,
      number(row.time),
      ((row.time.median - base) / (bundles[index]?.megabytes ?? 1)).toFixed(0),
      number(row.memory),
    ]),
)}`;
}
