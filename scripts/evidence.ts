// Runs the matrix of test/live/matrix on real releases and writes docs/evidence.json and docs/evidence.md.
//   npm run evidence [-- --only REGEX] [--again] [--tails | --pairs] [--render]
// What docs/evidence.json already has from the same gate is not run again, unless --again. REGEX picks from
// lines like "0.3.205 S13 hooks". Timelines go to HOLDOPEN_TIMELINES, if that is set.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GATE_TEXT } from '../src/patch/gate-text.ts';
import { disposeBundles } from '../test/live/bundles.ts';
import {
  type Evidence,
  readEvidence,
  versions,
  versionsFor,
  writeEvidence,
} from '../test/live/matrix/evidence.ts';
import { type Played, problemsOf } from '../test/live/matrix/outcome.ts';
import { play } from '../test/live/matrix/play.ts';
import { type Kind, type Scenario } from '../test/live/matrix/scenario.ts';
import { scenarios } from '../test/live/matrix/scenarios/index.ts';
import { renderTable } from '../test/live/matrix/table.ts';

/** Which gate this is: what an older one gave is run again. */
const gate = createHash('sha256').update(GATE_TEXT).digest('hex').slice(0, 12);
const json = 'docs/evidence.json';
const markdown = 'docs/evidence.md';
const AT_ONCE = 2;
const TIMES = 5;
/** Whose ends are measured: nothing in the background, then a subagent and a shell that outlive the turn. */
const measured = ['P1', 'P2 subagent', 'S1', 'S13'];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    again: { type: 'boolean' },
    tails: { type: 'boolean' },
    pairs: { type: 'boolean' },
    render: { type: 'boolean' },
  },
});
const { only = '', again = false } = values;

interface Job {
  name: string;
  run: () => Promise<string>;
}

const evidence = await readEvidence(json);
const jobs = values.render ? [] : [...(values.tails ? [] : pairJobs()), ...(values.pairs ? [] : tailJobs())];
let done = 0;
/** One write after another: two at once would take each other's new file away. */
let saved = Promise.resolve();
const save = (): Promise<void> => (saved = saved.then(() => writeEvidence(json, evidence)));
await Promise.all(Array.from({ length: AT_ONCE }, work));
await disposeBundles();
await mkdir('docs', { recursive: true });
await save();
await writeFile(markdown, renderTable(evidence));

async function work(): Promise<void> {
  for (let job; (job = jobs.shift());) {
    const said = await job.run().catch((error: unknown) => `FAILED ${String(error)}`);
    done += 1;
    console.log(`${done}/${done + jobs.length} ${job.name}: ${said}`);
    await save();
  }
}

function wanted(name: string, entry: { gate: string } | undefined): boolean {
  return new RegExp(only).test(name) && (again || entry?.gate !== gate);
}

function pairJobs(): Job[] {
  return scenarios.flatMap((scenario) =>
    versionsFor(scenario).flatMap((version) =>
      scenario.kinds.flatMap((kind) => {
        const key = { version, scenario: scenario.id, kind };
        const name = `${version} ${scenario.id} ${kind}`;
        if (!wanted(name, find(evidence.pairs, key))) return [];
        return [{ name, run: () => runPair(key, scenario) }];
      }),
    ),
  );
}

async function runPair(
  key: { version: string; scenario: string; kind: Kind },
  scenario: Scenario,
): Promise<string> {
  const stock = await play(key.version, 'stock', scenario, key.kind);
  const patched = await play(key.version, 'patched', scenario, key.kind);
  await keep(key, { stock, patched });
  const problems = problemsOf(key.version, scenario, patched, stock);
  replace(evidence, 'pairs', key, {
    ...key,
    gate,
    stock: stock.outcome,
    patched: patched.outcome,
    problems,
  });
  const fates = ({ outcome }: Played): string => Object.values(outcome.fates).join(',') || '-';
  return `${fates(stock)} -> ${fates(patched)}${problems.length ? ` PROBLEMS ${problems.join(' | ')}` : ''}`;
}

function tailJobs(): Job[] {
  return measured.flatMap((id) =>
    versions.flatMap((version) => {
      const key = { version, scenario: id };
      const name = `${version} ${id} tail`;
      const scenario = scenarios.find((one) => one.id === id);
      if (!scenario || !wanted(name, find(evidence.tails, key))) return [];
      return [{ name, run: () => runTail(key, scenario) }];
    }),
  );
}

/** Stock and patched by turns, so that a busy machine slows both. */
async function runTail(key: { version: string; scenario: string }, scenario: Scenario): Promise<string> {
  const tail = { stock: { tail: [], input: [] }, patched: { tail: [], input: [] } } as Record<
    'stock' | 'patched',
    { tail: number[]; input: number[] }
  >;
  for (let n = 0; n < TIMES; n += 1)
    for (const side of ['stock', 'patched'] as const) {
      const { outcome } = await play(key.version, side, scenario, 'canUseTool');
      if (outcome.tail === undefined || outcome.input === undefined) return `no end of ${side}`;
      tail[side].tail.push(outcome.tail);
      tail[side].input.push(outcome.input);
    }
  replace(evidence, 'tails', key, { ...key, gate, ...tail });
  return `${tail.stock.tail.join(' ')} -> ${tail.patched.tail.join(' ')}`;
}

function matches(entry: object, key: object): boolean {
  return Object.entries(key).every(([name, value]) => (entry as Record<string, unknown>)[name] === value);
}

function find<T extends object>(entries: T[], key: object): T | undefined {
  return entries.find((entry) => matches(entry, key));
}

function replace<K extends 'pairs' | 'tails'>(
  all: Evidence,
  name: K,
  key: object,
  entry: Evidence[K][number],
): void {
  const rest = (all[name] as object[]).filter((one) => !matches(one, key));
  all[name] = [...rest, entry] as Evidence[K];
}

async function keep(key: object, played: Record<string, Played>): Promise<void> {
  const folder = process.env.HOLDOPEN_TIMELINES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const [side, { run }] of Object.entries(played)) {
    const file = `${Object.values(key).join('-').replaceAll(' ', '_')}-${side}.jsonl`;
    await writeFile(join(folder, file), run.timeline.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }
}
