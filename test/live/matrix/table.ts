// docs/evidence.md, from docs/evidence.json alone.
import { exceptionFor, exceptions } from './exceptions.ts';
import { type Evidence, type Pair, type Tail, versions } from './evidence.ts';
import type { Outcome } from './outcome.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export function renderTable(evidence: Evidence): string {
  return [
    '# Evidence',
    intro(evidence),
    '## Outcomes',
    legend,
    outcomes(evidence),
    '## Exceptions',
    notes(),
    '## What was wrong',
    problems(evidence),
    '## An endless shell',
    endless(evidence),
    '## Ends',
    tailIntro,
    tails(evidence),
    '',
  ].join('\n\n');
}

const intro = ({ node, platform, pairs }: Evidence): string =>
  `Made by \`npm run evidence\` from docs/evidence.json: ${pairs.length} situations, each on the release as published ` +
  `and on the same release patched, with the release's own CLI and a scripted model on loopback (Node ${node}, ${platform}).`;

const legend = [
  '`a/b → c/d`: of the asks that the model came to make, how many the host got, stock → patched. An ask is a tool call ' +
    'that needs `canUseTool`, a hook that denies (a denial that does not count is a loss), or an in-process MCP tool.',
  '`ok` ended by itself and left nothing behind · `same` frames, end of input and exit code are those of stock · ' +
    '`hung` did not end · `left` left a process behind · `never` the model was not called again · ¹ see Exceptions · ' +
    '**bold** something is wrong.',
].join('\n\n');

function outcomes({ pairs }: Evidence): string {
  const rows = scenarios.flatMap((scenario) =>
    scenario.kinds.map((kind) => {
      const cells = versions.map((version) => {
        const pair = pairs.find(
          (one) => one.version === version && one.scenario === scenario.id && one.kind === kind,
        );
        return pair ? cell(scenario, pair) : '';
      });
      return [scenario.id, scenario.title, kind, ...cells];
    }),
  );
  return table(['', 'situation', 'host has', ...versions], rows);
}

function cell(scenario: Scenario, { version, stock, patched, problems }: Pair): string {
  const excused = Object.entries(patched.fates).some(([name, fate]) =>
    exceptionFor(version, scenario.id, name, fate),
  );
  const right = scenario.asStock && problems.length === 0 ? 'same' : brief(patched);
  const text = `${brief(stock)} → ${right}${excused ? ' ¹' : ''}`;
  return problems.length ? `**${text}**` : text;
}

function brief({ fates, faults, hung }: Outcome): string {
  if (hung) return 'hung';
  const made = Object.values(fates).filter((fate) => fate !== 'never');
  const served = made.filter((fate) => fate === 'served').length;
  const left = faults.some((fault) => fault.startsWith('left')) ? ', left' : '';
  if (Object.keys(fates).length === 0) return left ? 'left' : 'ok';
  return made.length === 0 ? `never${left}` : `${served}/${made.length}${left}`;
}

const notes = (): string =>
  exceptions
    .map(
      ({ versions: on, scenarios: ids, ask, why, proof }) =>
        `- ${on.join(', ')}, ${ids.join(', ')}, ask \`${ask}\`: ${why}. ${proof}`,
    )
    .join('\n');

function problems({ pairs }: Evidence): string {
  const found = pairs.flatMap(({ version, scenario, kind, problems: all }) =>
    all.map((problem) => `- ${version} ${scenario} (${kind}): ${problem}`),
  );
  return found.length ? found.join('\n') : 'Nothing.';
}

function endless({ pairs }: Evidence): string {
  const rows = pairs
    .filter(({ scenario }) => scenario === 'S12')
    .sort((a, b) => versions.indexOf(a.version) - versions.indexOf(b.version))
    .map(({ version, stock, patched }) => [
      version,
      afterResult(stock.input),
      ended(stock),
      afterResult(patched.input),
      String(patched.warnings.length),
      ended(patched),
    ]);
  const head = ['', 'stock: input ended', 'then', 'patched: input ended', 'warnings', 'then'];
  return `With \`HOLDOPEN_CEILING_MS=4000\`. Times are after the last result.\n\n${table(head, rows)}`;
}

const afterResult = (ms: number | undefined): string => (ms === undefined ? 'never' : `${ms} ms`);

const ended = ({ notes: all, tail, input }: Outcome): string =>
  all.includes('CLI killed by the test')
    ? 'the CLI did not end in 12 s'
    : `the run ended ${(tail ?? NaN) - (input ?? NaN)} ms later`;

const tailIntro =
  'From the last result to the end of the iteration, medians of five runs in turn with stock, in ms; in brackets to the ' +
  'end of input. Where stock has lost the channel, its input had ended long before.';

/** How much later than stock a run may end: no task at all, session state reported, neither. */
export function limitOf({ version, scenario }: Tail): number {
  if (scenario.startsWith('P')) return 5;
  return version === '0.2.50' ? 1000 : 50;
}

/** Where nothing ran in the background the end of input says it: the CLI's own way out takes 100 ms and more. */
export function later(tail: Tail): number {
  const of = ({ tail: ends, input }: Tail['stock']): number =>
    median(tail.scenario.startsWith('P') ? input : ends);
  return of(tail.patched) - of(tail.stock);
}

function tails({ tails: all }: Evidence): string {
  const rows = [...all]
    .sort((a, b) => versions.indexOf(a.version) - versions.indexOf(b.version))
    .sort(
      (a, b) =>
        scenarios.findIndex(({ id }) => id === a.scenario) -
        scenarios.findIndex(({ id }) => id === b.scenario),
    )
    .map((tail) => [
      tail.scenario,
      tail.version,
      `${median(tail.stock.tail)} (${median(tail.stock.input)})`,
      `${median(tail.patched.tail)} (${median(tail.patched.input)})`,
      later(tail) <= limitOf(tail) ? String(later(tail)) : `**${later(tail)}**`,
      String(limitOf(tail)),
    ]);
  return table(['', 'release', 'stock', 'patched', 'later by', 'at most'], rows);
}

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
