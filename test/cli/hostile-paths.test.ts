/** Paths that a user or a broken install hands over: nothing, nowhere, pipes, devices and circles. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '../support/child.ts';
import { sdkPlace } from '../support/installs.ts';
import { installedSdk, project } from '../support/project.ts';
import { link, makeTree } from '../support/tree.ts';

const pipe = (path: string): unknown => execFileSync('mkfifo', [path]);

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

  it('refuses a device and a pipe that --file names', async (t) => {
    const cwd = makeTree(t, {});
    pipe(join(cwd, 'pipe.js'));
    for (const path of ['/dev/null', 'pipe.js']) {
      const run = await runCli(['audit', '--file', path], { cwd });
      assert.deepEqual([run.code, run.stdout], [2, ''], path);
      assert.match(run.stderr, /it is neither a file nor a folder\n {2}next: name a JavaScript file/);
    }
  });

  it('tells what is a pipe where a file should be, and waits for none', async (t) => {
    for (const file of [`${sdkPlace}/package.json`, `${sdkPlace}/sdk.mjs`]) {
      const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
      rmSync(join(cwd, file));
      pipe(join(cwd, file));
      const run = await runCli(['audit'], { cwd });
      assert.equal(run.code, 2, run.stdout);
      assert.match(run.stdout, /cannot be read: not a regular file/);
      assert.doesNotMatch(run.stdout, /missing/);
    }
  });

  it('refuses a device and a pipe that check is given', async (t) => {
    const cwd = makeTree(t, {});
    pipe(join(cwd, 'pipe.tgz'));
    for (const path of ['/dev/zero', './pipe.tgz']) {
      const run = await runCli(['check', path], { cwd, env: { HOME: cwd }, timeout: 60_000 });
      assert.deepEqual([run.code, run.signal, run.stdout], [2, null, ''], path);
      assert.match(run.stderr, /it is neither a file nor a folder\n {2}next: name a tarball/);
    }
  });

  it('waits for no pipe beside the copies: ignore file, lockfile, .npmrc, the package.json of setup', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk(), home: {} }));
    pipe(join(cwd, 'package-lock.json'));
    pipe(join(cwd, 'home/.npmrc'));
    const sarif = await runCli(['audit', '--format', 'sarif'], { cwd });
    assert.deepEqual([sarif.code, sarif.stderr], [1, '']);
    const none = await runCli(['audit', '--global'], { cwd, env: { HOME: join(cwd, 'home') } });
    assert.equal(none.stderr, '');
    pipe(join(cwd, '.holdopen.json'));
    const ignoring = await runCli(['audit'], { cwd });
    assert.deepEqual([ignoring.code, ignoring.stdout], [2, '']);
    assert.match(ignoring.stderr, /cannot read .*\.holdopen\.json: not a regular file/);
    rmSync(join(cwd, 'package.json'));
    pipe(join(cwd, 'package.json'));
    const setup = await runCli(['setup'], { cwd });
    assert.deepEqual([setup.code, setup.stdout], [2, '']);
    assert.match(setup.stderr, /not a regular file/);
  });
});
