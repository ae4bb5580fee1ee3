// Runs one suite: every `*.test.ts` below the suite's folders through Node's own test runner.
//   node scripts/test.mjs unit|real|live|layouts|situations|releases|pages [more arguments for node --test]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const slow = ['real', 'live', 'layouts', 'situations', 'releases', 'pages'].map((name) => `test/${name}`);
const [suite = 'unit', ...rest] = process.argv.slice(2);

/** Every test file below `folder`, the slow suites' folders left out unless asked for. */
function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return slow.includes(path) && !folder.startsWith(`test/${suite}`) && path !== `test/${suite}`
        ? []
        : testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

const folder = suite === 'unit' ? 'test' : `test/${suite}`;
const files = existsSync(folder) ? testFiles(folder) : [];
if (files.length === 0) {
  console.error(`no test files in ${folder}`);
  process.exit(2);
}
const run = spawnSync(process.execPath, ['--import', 'tsx', '--test', ...rest, ...files.sort()], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
