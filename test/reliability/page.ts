// docs/reliability.md from docs/reliability.json.
import { type Spoil, spoils } from '../support/report.ts';
import type { RowData } from './data.ts';

/** What is added up on top of the page. */
export const totalTried = { killPoints: 'kill points', runs: 'concurrent runs', inputs: 'fuzz inputs' };
export const totalSpoilt = ['lost', 'half', 'storeChanged', 'wrong'] as const satisfies Spoil[];

export function renderPage(data: readonly RowData[]): string {
  const tried = Object.entries(totalTried).map(([name, words]) => [words, add(data, 'tried', name)]);
  const spoilt = totalSpoilt.map((name) => [spoils[name], add(data, 'spoilt', name)]);
  const rows = data.map(({ what, test, tried, spoilt }) => [
    what,
    list(tried, (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)),
    list(spoilt, (name) => spoils[name as Spoil]),
    `\`${test}\``,
  ]);
  return [
    intro,
    table(['in all', 'counted'], [...tried, ...spoilt]),
    table(['what', 'tried', 'lost or spoilt', 'test'], rows),
    notes,
  ].join('\n');
}

function add(data: readonly RowData[], part: 'tried' | 'spoilt', name: string): string {
  const counts = data.map((row) => (row[part] as Record<string, number>)[name] ?? 0);
  return number(counts.reduce((sum, count) => sum + count, 0));
}

function list(counts: Record<string, number>, words: (name: string) => string): string {
  return Object.entries(counts)
    .map(([name, count]) => `${number(count)} ${words(name)}`)
    .join(', ');
}

const number = (count: number): string => count.toLocaleString('en-US');

/** Aligned, as prettier would have it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
}

const intro = `# Reliability

What was done to \`patch\` to make it lose or spoil something, and what came of it. The tests count every number, and a
test fails if one of "lost or spoilt" is not 0. \`npm run reliability\` runs them and writes this page, with five times as
many damaged bundles as \`npm test\` tries.
`;

const notes = `Of damaged bundles, "patched" means: the damage left everything that the patch needs (a byte order mark, a broken
comment, a changed name); the result parses, is seen as patched, and restoring it gives the damaged bytes back. "No
bundle" is what no longer holds the class.

Damage is: cut off, head lost, bytes flipped, pieces lost or doubled, zeros, byte order mark, CR LF, bytes that are no
UTF-8, lines of 2 MB, nesting of 100 to 30,000 levels, chains (a.b().b()) as long, and markers that are forged, lost, cut
off or damaged.

## What these tests found

- A build with more than about 120,000 statements overflowed the stack: exit 3, nothing written. Mended.
- A file of 100 MB was parsed as a whole, whatever memory that took. Files above 32 MB that hold both words are now
  \`unreadable\`, with the size as reason.
- A chain of 10,000 calls or members anywhere in a file, and some 2,000 blocks one in another inside the class, overflowed
  the stack: exit 3, nothing written. Chains are taken as they are now; a class that nests more than 500 levels deep is
  \`unknown\`.
- An archive of yarn's cache that changed between being found and being read ended the run with exit 3. Mended.
- A cache of \`check\` that cannot be written (a home that is read-only) ended the run with exit 3. Now it is told, with
  the variable that names another.
- A pipe that took the place of a tarball after it was looked at would have kept \`check\` for ever. Mended.

## What is not covered

- A power cut. File and directory are synced, but no test pulls the plug.
- Windows. Nothing here has run on it.
`;
