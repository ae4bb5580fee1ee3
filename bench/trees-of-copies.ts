import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFloors } from './floors.ts';
import { type Command, measure } from './measure.ts';
import type { Bench } from './bench.ts';
import { number, ratio, table } from './table.ts';
import { makeTree, sdkName } from './trees.ts';

const bundles = ['sdk.mjs', 'core.mjs', 'browser-sdk.js', 'bridge.mjs'];

/** `audit` of trees with more and more packages and copies. */
export function measureTrees({ dir, release, cli, quick }: Bench): string {
  const sizes = quick ? [1, 100] : [1, 100, 1000];
  const counts = quick ? [1, 10] : [1, 10, 50];
  const most = Math.max(...counts);
  const big = Math.max(...sizes);
  const tree = (packages: number, copies: number): string => join(dir, `${packages}-${copies}`);
  for (const packages of sizes)
    for (const copies of counts) makeTree(tree(packages, copies), release, packages, copies);
  const list = join(dir, 'bytes.json');
  const copies = Array.from({ length: most }, (_, index) =>
    join(tree(big, most), 'node_modules', `package-${index}`, 'node_modules', sdkName),
  );
  writeFileSync(list, JSON.stringify(copies.flatMap((copy) => bundles.map((file) => join(copy, file)))));

  const audit = (packages: number, count: number): Command => ({
    name: `${packages}/${count}`,
    args: [cli, 'audit', tree(packages, count)],
    code: 1,
  });
  const commands: Command[] = [
    { name: 'node', args: ['-e', '0'] },
    { name: 'read', args: [makeFloors(join(dir, 'floors')).read, list] },
    ...sizes.flatMap((packages) => counts.map((count) => audit(packages, count))),
  ];
  const rows = measure(commands, quick ? 3 : 10);
  const median = (name: string): number => rows.find((row) => row.name === name)?.time.median ?? Number.NaN;
  const bound = median(`${big}/1`) + median('read');
  return `## Trees

\`audit\` of generated trees, stock copies nested in their packages. Reading the bundles of all ${most} copies alone takes
${median('read').toFixed(0)} ms, so ${big} packages with ${most} copies take ${(median(`${big}/${most}`) / bound).toFixed(2)} times as long as with one copy and
reading the bytes.

${table(
  ['packages', 'copies', 'time, ms', 'time, ratio to `node -e 0`', 'peak memory, MB'],
  rows
    .slice(2)
    .map((row) => [...row.name.split('/'), number(row.time), ratio(row.timeRatio), number(row.memory)]),
)}`;
}
