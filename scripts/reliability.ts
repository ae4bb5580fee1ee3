// Runs the tests behind docs/reliability.md and writes what they counted: docs/reliability.json, and the page from it.
//   npm run reliability [-- --only REGEX] [--render]
// REGEX picks from lines like "kill-points-patch test/safety/runs.test.ts"; the other rows stay as they are, as does a
// row whose tests fail or do not report, and then the exit code is 1. '^(?!layouts)' leaves out what takes long.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { addUp, inOrder, readReliability, writeReliability } from '../test/reliability/data.ts';
import { renderPage } from '../test/reliability/page.ts';
import { type RowName, rowNames, rows } from '../test/reliability/rows.ts';
import { type Report, parseReport } from '../test/support/report.ts';

const json = 'docs/reliability.json';
const markdown = 'docs/reliability.md';
const FUZZ_ROUNDS = '5';

const { values } = parseArgs({ options: { only: { type: 'string' }, render: { type: 'boolean' } } });
const only = new RegExp(values.only ?? '');
const wanted = values.render ? [] : rowNames.filter((row) => only.test(`${row} ${rows[row].test}`));
if (!values.render && wanted.length === 0) {
  console.error(`no row fits ${only}; there are: ${rowNames.join(', ')}`);
  process.exit(2);
}

let data = await readReliability(json);
for (const file of new Set(wanted.map((row) => rows[row].test))) {
  const { passed, reports } = await runTests(file);
  for (const row of wanted.filter((one) => rows[one].test === file)) {
    const counted = passed ? addUp(row, reports) : undefined;
    if (counted) data = [...data.filter((one) => one.row !== row), { row, ...rows[row], ...counted }];
    else keep(row, passed ? 'not all of its tests reported' : `a test failed in ${file}`);
  }
  await save();
}
await save();

async function save(): Promise<void> {
  data = inOrder(data);
  await writeReliability(json, data);
  await writeFile(markdown, renderPage(data));
}

function keep(row: RowName, why: string): void {
  console.error(`${row} stays as it was: ${why}`);
  process.exitCode = 1;
}

async function runTests(file: string): Promise<{ passed: boolean; reports: Report[] }> {
  const reporters = { spec: 'stderr', './scripts/reliability-reporter.mjs': 'stdout' };
  const flags = Object.entries(reporters).flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${destination}`,
  ]);
  const child = spawn(process.execPath, ['--import', 'tsx', '--test', ...flags, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOLDOPEN_FUZZ_ROUNDS: FUZZ_ROUNDS },
  });
  const ended = new Promise<boolean>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code === 0));
  });
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  const reports = lines.flatMap((line) => parseReport(JSON.parse(line) as string) ?? []);
  return { passed: await ended, reports };
}
