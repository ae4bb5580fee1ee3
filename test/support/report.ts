// How a test tells what it did to files and what came of it: `npm run reliability` makes docs/reliability.md of that.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { RowName } from '../reliability/rows.ts';

/** What can come of it; a row names those that its tests look for. */
export const spoils = {
  lost: 'files lost',
  half: 'half files seen',
  storeChanged: 'store files changed',
  wrong: 'wrong patches',
  leftovers: 'leftovers',
  crashes: 'crashes',
  waits: 'waits',
} as const;
export type Spoil = keyof typeof spoils;

/** How much was tried, by what it is: `{ killPoints: 24 }`. */
export type Tried = Record<string, number>;

export interface Report {
  row: string;
  tried: Tried;
  spoilt: Partial<Record<Spoil, number>>;
}

const prefix = 'reliability ';

/** Counts what went wrong instead of stopping at the first, and keeps where. */
export class Tally {
  readonly #names: readonly Spoil[];
  readonly #looks = new Set<Spoil>();
  readonly #found: [Spoil, string][] = [];

  constructor(...names: Spoil[]) {
    this.#names = names;
  }

  /** One look: counts it if it is so. */
  count(name: Spoil, isSo: boolean, where: string): void {
    this.#looks.add(name);
    if (isSo) this.#found.push([name, where]);
  }

  /** Says the counts, and fails where one of them is not 0 or was never looked for. */
  report(t: TestContext, row: RowName, tried: Tried): void {
    const counts = this.#names.map((name) => [name, this.#found.filter(([one]) => one === name).length]);
    const spoilt = Object.fromEntries(counts) as Report['spoilt'];
    t.diagnostic(`${prefix}${JSON.stringify({ row, tried, spoilt } satisfies Report)}`);
    assert.deepEqual(this.#found, []);
    assert.deepEqual([...this.#looks].sort(), [...this.#names].sort(), 'each was looked for');
  }
}

/** What a test reported; undefined for whatever else it printed. */
export function parseReport(line: string): Report | undefined {
  return line.startsWith(prefix) ? (JSON.parse(line.slice(prefix.length)) as Report) : undefined;
}
