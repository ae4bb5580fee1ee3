// What a run of the built CLI opens, lists, loads and parses.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));
let home: string;

/** Builds the CLI as it is shipped from what is here, for the tests of this file. */
export function countTheBuiltCli(): void {
  before(() => {
    home = mkdtempSync(join(realpathSync.native(tmpdir()), 'holdopen-cost-'));
    for (const name of ['bin', 'package.json'])
      cpSync(join(repository, name), join(home, name), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(home, 'node_modules'));
    execFileSync(process.execPath, ['scripts/build-cli.mjs', join(home, 'dist')], { cwd: repository });
  });
  after(() => rmSync(home, { recursive: true, force: true }));
}

export interface Counts {
  opened: string[];
  listed: string[];
  written: string[];
  looked: number;
  modules: string[];
  bytes: number;
  builtins: string[];
  wholeParses: number;
  regionParses: number;
  /** Whole texts that V8 took. */
  compiles: number;
  /** Of all texts and regions that were parsed. */
  parsedBytes: number;
}

/** Runs `patch` on a tree. Paths are relative to it. */
export function counted(cwd: string): Counts {
  const file = join(home, 'counts.json');
  const hook = join(repository, 'test/support/counted.cjs');
  const args = ['--require', hook, join(home, 'bin/holdopen.js'), 'patch'];
  const run = spawnSync(process.execPath, args, {
    cwd,
    env: { ...process.env, COUNTED: file },
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.stderr);
  const counts = JSON.parse(readFileSync(file, 'utf8')) as Counts;
  const inTree = (paths: string[]): string[] =>
    paths.filter((path) => path.startsWith(cwd)).map((path) => relative(cwd, path) || '.');
  return { ...counts, opened: inTree(counts.opened), listed: inTree(counts.listed) };
}

export const plain = ['holdopen.js', 'entry.cjs'];
/** What there is to load where something is patched. */
export const working = [...plain, 'change.cjs', 'acorn.js', 'magic-string.cjs.js', 'sourcemap-codec.umd.js'];

/** What Node loads for them takes longer than the work. */
export function assertNoNeedless({ builtins }: Counts): void {
  const needless = [
    'zlib',
    'child_process',
    'net',
    'http',
    'https',
    'worker_threads',
    'readline',
    'fs/promises',
  ];
  assert.deepEqual(
    needless.filter((name) => builtins.includes(`NativeModule ${name}`)),
    [],
  );
}
