// What the matrix came to, as it is kept in docs/evidence.json.
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Outcome } from './outcome.ts';
import { scenarios } from './scenarios/index.ts';
import type { Kind, Scenario } from './scenario.ts';

/** A scenario on a release, stock and patched. */
export interface Pair {
  version: string;
  scenario: string;
  kind: Kind;
  /** The hash of the gate that was run. */
  gate: string;
  stock: Outcome;
  patched: Outcome;
  problems: string[];
}

/** How much later runs end than in stock: medians, in ms after the last result. */
export interface Tail {
  version: string;
  scenario: string;
  gate: string;
  /** Of the iteration's end, and of the end of input. */
  stock: { tail: number[]; input: number[] };
  patched: { tail: number[]; input: number[] };
}

export interface Evidence {
  schema: 'holdopen/evidence@1';
  node: string;
  platform: string;
  pairs: Pair[];
  tails: Tail[];
}

export const versions = ['0.2.50', '0.2.112', '0.3.150', '0.3.205', '0.3.283', '0.3.332'];

/** The releases that a scenario is played on. */
export const versionsFor = ({ lacking = [] }: Scenario): string[] =>
  versions.filter((version) => !lacking.includes(version));

/** A cheap slice: the releases at both ends of what can go wrong. */
export const slice = ['0.3.205', '0.3.332'];

const order = scenarios.map(({ id }) => id);

export async function readEvidence(file: string): Promise<Evidence> {
  const empty = { pairs: [], tails: [] };
  const kept = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Evidence,
    () => empty,
  );
  return {
    schema: 'holdopen/evidence@1',
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    pairs: kept.pairs,
    tails: kept.tails,
  };
}

/** Whole or not at all, one entry a line, in the order of the table. */
export async function writeEvidence(file: string, evidence: Evidence): Promise<void> {
  const place = ({ version, scenario }: { version: string; scenario: string }): number =>
    order.indexOf(scenario) * 100 + versions.indexOf(version);
  const lines = (entries: (Pair | Tail)[]): string =>
    [...entries]
      .sort((a, b) => place(a) - place(b) || ('kind' in a && 'kind' in b ? a.kind.localeCompare(b.kind) : 0))
      .map((entry) => `    ${JSON.stringify(entry)}`)
      .join(',\n');
  const { pairs, tails, ...head } = evidence;
  const fields = Object.entries(head).map(([key, value]) => `  "${key}": ${JSON.stringify(value)},\n`);
  const text = `{\n${fields.join('')}  "pairs": [\n${lines(pairs)}\n  ],\n  "tails": [\n${lines(tails)}\n  ]\n}\n`;
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}
