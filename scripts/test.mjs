// Runs one suite: every `*.test.ts` below the suite's folders through Node's own test runner.
//   node scripts/test.mjs unit|real|live|layouts|situations|releases|pages [more arguments for node --test]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
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
// The runner leaves one processor alone, which is half of a small machine. Suites that measure time get it.
const atOnce = suite === 'unit' ? [`--test-concurrency=${availableParallelism()}`] : [];
const args = ['--import', 'tsx', '--test', ...atOnce, ...rest, ...files.sort()];
const run = spawnSync(process.execPath, args, { stdio: 'inherit' });
process.exit(run.status ?? 1);
