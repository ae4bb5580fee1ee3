/** A disk that is really full, and an install that really replaces the file while patch runs. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { runCli } from '../support/child.ts';
import { sdkName, sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { Tally } from '../support/report.ts';
import { jsonFile, makeTree } from '../support/tree.ts';
import { patchSource } from '../support/texts.ts';

const execute = promisify(execFile);
const main = `${sdkPlace}/sdk.mjs`;
const stock = fixture('first-result');
const result = patchSource(stock);
const patched = result.outcome === 'patched' ? result.source : '';

/** Undefined once it is mounted, else why this user cannot have it. */
function mountSmall(disk: string): string | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** The file has these bytes, and nothing lies beside it that was not installed. */
function look(tally: Tally, cwd: string, expected: string, where: string): void {
  tally.count('lost', readFileSync(join(cwd, main), 'utf8') !== expected, where);
  tally.count('leftovers', leftIn(cwd).length > 0, `${where}: ${leftIn(cwd).join()}`);
}

const leftIn = (cwd: string): string[] =>
  readdirSync(join(cwd, sdkPlace)).filter((name) => !['package.json', 'sdk.mjs'].includes(name));

const noLimit = process.platform === 'win32' && 'no ulimit on Windows';

describe('a real disk', () => {
  it('takes no file of that size: the old file, a reason, nothing left', { skip: noLimit }, async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    const limited = await runCli(['patch'], { cwd, mostBlocks: 4 });
    assert.equal(limited.code, 1);
    assert.match(limited.stderr, /may not write a file of that size \(EFBIG\)\n {2}next: raise the limit/);
    assert.equal(readFileSync(join(cwd, main), 'utf8'), stock);
    assert.deepEqual(readdirSync(join(cwd, sdkPlace)).sort(), ['package.json', 'sdk.mjs']);
  });

  it('is full: the old file, a reason, nothing left; with room again the patch goes in', async (t) => {
    const root = makeTree(t, { disk: {}, source: project({ [sdkPlace]: installedSdk() }) });
    const disk = join(root, 'disk');
    // Elsewhere the limit above is all that shows it, and the report says so.
    const refused = mountSmall(disk);
    if (refused !== undefined) return t.skip(`only a user who may mount can fill a disk: ${refused}`);
    const tally = new Tally('lost', 'leftovers');
    let writes = 0;
    try {
      const cwd = join(disk, 'app');
      cpSync(join(root, 'source'), cwd, { recursive: true });
      const filler = join(disk, 'filler');
      for (const [word, from, to] of [
        ['patch', stock, patched],
        ['restore', patched, stock],
      ] as const) {
        assert.throws(() => writeFileSync(filler, Buffer.alloc(2 ** 20)), { code: 'ENOSPC' });
        const full = await runCli([word], { cwd });
        writes += 1;
        assert.equal(full.code, 1, full.stdout);
        assert.match(full.stderr, /no space left for a second copy of it \(ENOSPC\)\n {2}next: make room/);
        look(tally, cwd, from, `${word}, full`);
        rmSync(filler);
        assert.equal((await runCli([word], { cwd })).code, 0);
        look(tally, cwd, to, `${word}, with room`);
      }
    } finally {
      execFileSync('umount', [disk]);
    }
    tally.report(t, 'full-disk', { writes });
  });

  it('is written by an install at the same time: whole files only, and the next patch holds', async (t) => {
    const root = makeTree(t, {
      app: project(),
      one: installedSdk('0.3.205'),
      // Another release, so that npm has something to do each time.
      two: installedSdk('0.3.226', { 'sdk.mjs': `${stock}\n// two\n` }),
    });
    const cwd = join(root, 'app');
    mkdirSync(join(root, 'packed'));
    const whole = new Set<string>();
    for (const name of ['one', 'two']) {
      await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', join(root, 'packed')], {
        cwd: join(root, name),
      });
      const source = readFileSync(join(root, name, 'sdk.mjs'), 'utf8');
      const after = patchSource(source);
      assert.equal(after.outcome, 'patched');
      whole.add(source).add(after.outcome === 'patched' ? after.source : '');
    }
    const [first = '', second = ''] = readdirSync(join(root, 'packed')).sort();
    const install = (tarball: string): Promise<unknown> => {
      const dependencies = { [sdkName]: `file:${join(root, 'packed', tarball)}` };
      writeFileSync(join(cwd, 'package.json'), jsonFile({ name: 'app', private: true, dependencies }));
      const flags = [
        'install',
        '--offline',
        '--no-audit',
        '--no-fund',
        '--no-package-lock',
        '--ignore-scripts',
      ];
      return execute('npm', [...flags, `--cache=${join(root, 'cache')}`], { cwd });
    };
    await install(first);
    let [runs, installs] = [0, 0];
    const tally = new Tally('half', 'leftovers');
    for (const tarball of [second, first, second]) {
      let over = false;
      const installing = install(tarball).finally(() => (over = true));
      while (!over) {
        const run = await runCli(['patch'], { cwd });
        runs += 1;
        // What an install has half written may be refused or not be there; that is said, and never a bug of ours.
        assert.ok(run.code === 0 || run.code === 1 || run.code === 2, `${String(run.code)} ${run.stderr}`);
      }
      await installing;
      installs += 1;
      // npm has renamed the folder into its place by now: whatever patch did, the file is one of the four.
      tally.count('half', !whole.has(readFileSync(join(cwd, main), 'utf8')), `install ${installs}`);
      const last = await runCli(['patch'], { cwd });
      assert.deepEqual([last.code, last.stderr], [0, '']);
      tally.count('leftovers', leftIn(cwd).length > 0, leftIn(cwd).join());
    }
    t.diagnostic(`${runs} patch runs`);
    tally.report(t, 'install-at-work', { installs });
  });
});
