/** Paths that a user or a broken install hands over: nothing, nowhere, pipes, devices and circles. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type ChildOptions, type Ended, runCli } from '../support/child.ts';
import { sdkPlace } from '../support/installs.ts';
import { makePipe, noPipes } from '../support/pipe.ts';
import { installedSdk, project } from '../support/project.ts';
import { Tally } from '../support/report.ts';
import { link, makeTree } from '../support/tree.ts';

/** Runs the CLI where it could wait for ever, and counts if it does. */
async function runInTime(tally: Tally, args: readonly string[], options: ChildOptions): Promise<Ended> {
  const run = await runCli(args, { ...options, timeout: 60_000 });
  tally.count('waits', run.signal !== null, args.join(' '));
  return run;
}

describe('hostile paths', { concurrency: 2 }, () => {
  it('takes an empty path for wrong usage, and not for "here"', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    for (const args of [
      ['audit', ''],
      ['audit', '--file', ''],
      ['audit', '--ignore-file', ''],
      ['patch', ''],
      ['restore', ''],
      ['explain', ''],
      ['setup', ''],
      ['probe', ''],
    ]) {
      const run = await runCli(args, { cwd });
      assert.deepEqual([run.code, run.stdout], [2, ''], args.join(' '));
      assert.match(run.stderr, /It is empty/);
    }
  });

  it('names a path so that a shell takes it for one, and a terminal obeys nothing in it', async (t) => {
    const names = {
      '-dash': './-dash',
      '\x1B[31mred\nline': "'\uFFFD[31mred\uFFFDline'",
      "it's": `'it'\\''s'`,
    };
    const cwd = makeTree(
      t,
      Object.fromEntries(Object.keys(names).map((name) => [name, project({ [sdkPlace]: installedSdk() })])),
    );
    for (const [name, word] of Object.entries(names)) {
      const run = await runCli(['audit', '--', name], { cwd });
      assert.equal(run.code, 1);
      assert.ok(run.stdout.endsWith(` Next: npx holdopen patch ${word}\n`), run.stdout);
    }
    const none = await runCli(['audit', '\x1B[31mnowhere'], { cwd });
    assert.deepEqual([none.code, none.stderr.includes('\x1B')], [2, false]);
  });

  it('says that the current directory was removed', async (t) => {
    for (const args of ['["patch"]', '["audit"]', '["restore"]', '["setup"]', '["explain", "x"]']) {
      const cwd = makeTree(t, { gone: {} });
      // The process is there before its directory goes.
      const hook = `import { rmdirSync } from 'node:fs'; process.chdir(${JSON.stringify(join(cwd, 'gone'))}); rmdirSync(${JSON.stringify(join(cwd, 'gone'))});`;
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
      const run = await runCli(JSON.parse(args) as string[], { cwd, env });
      assert.deepEqual([run.code, run.stdout], [2, ''], `${args}: ${run.stderr}`);
      assert.match(run.stderr, /^holdopen: cannot tell the current directory: it was removed\n {2}next: cd /);
    }
  });

  it('tells a circle of links once', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk('0.3.205', { 'sdk.mjs': link('sdk.mjs') }) }));
    const run = await runCli(['audit'], { cwd });
    assert.equal(run.code, 2);
    assert.deepEqual(run.stdout.match(/ELOOP/g), ['ELOOP'], run.stdout);
  });

  it('refuses a device and a pipe that --file names', { skip: noPipes }, async (t) => {
    const cwd = makeTree(t, {});
    const tally = new Tally('waits');
    makePipe(join(cwd, 'pipe.js'));
    const paths = ['/dev/null', 'pipe.js'];
    for (const path of paths) {
      const run = await runInTime(tally, ['audit', '--file', path], { cwd });
      assert.deepEqual([run.code, run.stdout], [2, ''], path);
      assert.match(run.stderr, /it is neither a file nor a folder\n {2}next: name a JavaScript file/);
    }
    tally.report(t, 'pipes-named', { files: paths.length });
  });

  it('tells what is a pipe where a file should be, and waits for none', { skip: noPipes }, async (t) => {
    const tally = new Tally('waits');
    const files = [`${sdkPlace}/package.json`, `${sdkPlace}/sdk.mjs`];
    for (const file of files) {
      const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
      rmSync(join(cwd, file));
      makePipe(join(cwd, file));
      const run = await runInTime(tally, ['audit'], { cwd });
      assert.equal(run.code, 2, run.stdout);
      assert.match(run.stdout, /cannot be read: not a regular file/);
      assert.doesNotMatch(run.stdout, /missing/);
    }
    tally.report(t, 'pipes-found', { files: files.length });
  });

  it('refuses a device and a pipe that check is given', { skip: noPipes }, async (t) => {
    const cwd = makeTree(t, {});
    const tally = new Tally('waits');
    makePipe(join(cwd, 'pipe.tgz'));
    const paths = ['/dev/zero', './pipe.tgz'];
    for (const path of paths) {
      const run = await runInTime(tally, ['check', path], { cwd, env: { HOME: cwd } });
      assert.deepEqual([run.code, run.stdout], [2, ''], path);
      assert.match(run.stderr, /it is neither a file nor a folder\n {2}next: name a tarball/);
    }
    tally.report(t, 'pipes-named', { files: paths.length });
  });

  it('waits for no pipe beside the copies', { skip: noPipes }, async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk(), home: {} }));
    const tally = new Tally('waits');
    const pipes: string[] = [];
    const pipe = (file: string): void => {
      rmSync(join(cwd, file), { force: true });
      makePipe(join(cwd, file));
      pipes.push(file);
    };
    pipe('package-lock.json');
    const sarif = await runInTime(tally, ['audit', '--format', 'sarif'], { cwd });
    assert.deepEqual([sarif.code, sarif.stderr], [1, '']);
    pipe('home/.npmrc');
    const none = await runInTime(tally, ['audit', '--global'], { cwd, env: { HOME: join(cwd, 'home') } });
    assert.equal(none.stderr, '');
    pipe('.holdopen.json');
    const ignoring = await runInTime(tally, ['audit'], { cwd });
    assert.deepEqual([ignoring.code, ignoring.stdout], [2, '']);
    assert.match(ignoring.stderr, /cannot read .*\.holdopen\.json: not a regular file/);
    pipe('package.json');
    const setup = await runInTime(tally, ['setup'], { cwd });
    assert.deepEqual([setup.code, setup.stdout], [2, '']);
    assert.match(setup.stderr, /not a regular file/);
    tally.report(t, 'pipes-found', { files: pipes.length });
  });
});
