import assert from 'node:assert/strict';
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { markerLine, readMarker } from '../../src/patch/marker.ts';
import type { Report } from '../../src/types.ts';
import { giveAway, runCli } from '../support/child.ts';
import type { Ended } from '../support/child.ts';
import { sdkName, sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { hardLink, jsonFile, link, makeTree } from '../support/tree.ts';
import { patchSource } from '../support/texts.ts';
import { REVISION } from '../../src/patch/marker.ts';

const stock = fixture('first-result');
const main = `${sdkPlace}/sdk.mjs`;
const nested = `node_modules/a/${sdkPlace}`;

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Patched, and nothing left of the writing. */
async function assertPatched(cwd: string, copies: number): Promise<void> {
  const audit = await runCli(['audit', '--format', 'json'], { cwd });
  const { summary } = JSON.parse(audit.stdout) as Report;
  assert.deepEqual([audit.code, summary.patched, summary.copies], [0, copies, copies], audit.stdout);
  assert.deepEqual(
    readdirSync(join(cwd, sdkPlace)).filter((name) => name.includes('.tmp')),
    [],
  );
}

describe('a tree that another revision left, or somebody took half of the patch out of', () => {
  const result = patchSource(stock);
  const gated = result.outcome === 'patched' ? result.source : '';
  const search = readMarker(gated);
  const { marker, at } = search.kind === 'found' ? search : assert.fail('no marker');
  const older = gated.slice(0, at) + markerLine({ ...marker, revision: REVISION - 1 });
  const [edit] = marker.edits;
  const half = edit === undefined ? '' : gated.slice(0, edit[0]) + gated.slice(edit[0] + edit[1].length);
  for (const [name, text, says] of [
    ['an older revision', older, /older/],
    ['half of it', half, /carries \d+ of the \d+ pieces of our gate only/],
  ] as const) {
    it(`${name}: audit says stale and why, patch upgrades it, restore gives the original bytes`, async (t) => {
      assert.notEqual(text, gated);
      const cwd = makeTree(t, project({ [sdkPlace]: installedSdk('0.3.205', { 'sdk.mjs': text }) }));
      const audit = await runCli(['audit'], { cwd });
      assert.equal(audit.code, 1);
      assert.match(audit.stdout, /^stale /);
      assert.match(audit.stdout, says);
      const patch = await runCli(['patch'], { cwd });
      assert.deepEqual([patch.code, patch.stderr], [0, '']);
      assert.equal(read(cwd, main), gated);
      writeFileSync(join(cwd, main), text);
      assert.equal((await runCli(['restore'], { cwd })).code, 0);
      assert.equal(read(cwd, main), stock);
    });
  }
});

describe('patch', { concurrency: 2 }, () => {
  it('patches every copy in one line, and has nothing to do the second time', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk(), [nested]: installedSdk('0.3.209') }));
    const first = await runCli(['patch'], { cwd });
    assert.deepEqual(first, {
      code: 0,
      signal: null,
      stdout: `holdopen: patched 2 files in 2 copies: ${sdkPlace} (0.3.205), ${nested} (0.3.209)\n`,
      stderr: '',
    });
    assert.notEqual(read(cwd, main), stock);
    const { ino } = statSync(join(cwd, main));
    const second = await runCli(['patch'], { cwd });
    assert.deepEqual(
      [second.code, second.stdout, second.stderr],
      [0, 'holdopen: 2 copies, nothing to patch\n', ''],
    );
    assert.equal(statSync(join(cwd, main)).ino, ino, 'the file was not written again');
    const quiet = await runCli(['patch', '--quiet'], { cwd });
    assert.deepEqual([quiet.code, quiet.stdout, quiet.stderr], [0, '', '']);
    await assertPatched(cwd, 2);
  });

  it('prints the state after the run as JSON', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    const patch = await runCli(['patch', '--format', 'json'], { cwd });
    const audit = await runCli(['audit', '--format', 'json'], { cwd });
    assert.equal((JSON.parse(patch.stdout) as Report).summary.patched, 1);
    assert.deepEqual(JSON.parse(patch.stdout), JSON.parse(audit.stdout));
  });

  it('writes nothing in a dry run', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    const run = await runCli(['patch', '--dry-run'], { cwd });
    assert.deepEqual([run.code, run.stderr], [0, '']);
    assert.match(run.stdout, /^holdopen: would patch 1 file in 1 copy: /);
    assert.equal(read(cwd, main), stock);
  });

  it('says that no SDK is installed, and patches nothing that needs no patch', async (t) => {
    const cwd = makeTree(t, project());
    const none = await runCli(['patch'], { cwd });
    assert.deepEqual(
      [none.code, none.stdout],
      [0, `holdopen: No Claude Agent SDK is installed in ${cwd}.\n`],
    );
    assert.equal((await runCli(['patch', '--require-sdk', '--soft'], { cwd })).code, 2);
    const fine = makeTree(
      t,
      project({ [sdkPlace]: installedSdk('1.0.0', { 'sdk.mjs': fixture('web-transport') }) }),
    );
    const run = await runCli(['patch'], { cwd: fine });
    assert.deepEqual([run.code, run.stdout], [0, 'holdopen: 1 copy, nothing to patch\n']);
    assert.equal(read(fine, main), fixture('web-transport'));
  });

  it('patches the good copies although others cannot be, says which and why, and exits with 1; --soft warns', async (t) => {
    const unknown = `class A { async streamInput(a) { this.transport.endInput(a) } }`;
    const cwd = makeTree(
      t,
      project({
        [sdkPlace]: installedSdk('9.0.0', { 'sdk.mjs': unknown }),
        [nested]: installedSdk(),
        [`node_modules/b/${sdkPlace}`]: { 'package.json': jsonFile({ name: sdkName, version: '8.0.0' }) },
      }),
    );
    const soft = await runCli(['patch', '--soft', '--quiet'], { cwd });
    assert.deepEqual([soft.code, soft.stdout], [0, '']);
    assert.match(soft.stderr, /^holdopen: warning: not patched: /);
    const run = await runCli(['patch'], { cwd });
    assert.equal(run.code, 1);
    assert.equal(run.stdout, 'holdopen: 3 copies, nothing patched; 2 files not patched, see above\n');
    assert.match(
      run.stderr,
      new RegExp(`^holdopen: not patched: ${main} .*\\n {2}next: npx holdopen explain ${sdkPlace}$`, 'm'),
    );
    assert.match(
      run.stderr,
      new RegExp(`^holdopen: not patched: node_modules/b/${sdkPlace} does not hold the class`, 'm'),
    );
    assert.equal(read(cwd, main), unknown);
    assert.notEqual(read(cwd, `${nested}/sdk.mjs`), stock, 'the soft run has patched the good one');
  });

  it('leaves a copy alone that was edited after it was patched, and tells the remedy', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    await runCli(['patch'], { cwd });
    const edited = read(cwd, main).replace('streamInput', 'streamInput ');
    writeFileSync(join(cwd, main), edited);
    for (const command of ['patch', 'restore']) {
      const run = await runCli([command], { cwd });
      assert.equal(run.code, 1, command);
      assert.match(run.stderr, new RegExp(`not ${command}(e?d): ${main} was edited after it was patched`));
      assert.match(run.stderr, new RegExp(`\\n {2}next: rm -rf ${sdkPlace} && npm install\\n$`));
      assert.equal(read(cwd, main), edited);
    }
  });

  it('exits with 1 where it may not write, and patches the others', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk(), [nested]: installedSdk('0.3.209') }));
    giveAway(cwd);
    chmodSync(join(cwd, sdkPlace), 0o555);
    const run = await runCli(['patch'], { cwd, unprivileged: true });
    assert.equal(run.code, 1);
    assert.match(
      run.stderr,
      /^holdopen: not patched: cannot write .*sdk\.mjs: .*\(EACCES\)\n {2}next: run the command as the owner/,
    );
    assert.match(
      run.stdout,
      new RegExp(`^holdopen: patched 1 file in 1 copy: ${nested} \\(0.3.209\\); 1 file not patched`),
    );
    assert.equal(read(cwd, main), stock);
  });

  it('writes neither into a hard link of a store nor out of the project', async (t) => {
    const root = makeTree(t, {
      'store/sdk.mjs': stock,
      'other/sdk': installedSdk('0.2.50'),
      app: project({
        [sdkPlace]: installedSdk('0.3.205', { 'sdk.mjs': hardLink('store/sdk.mjs') }),
        'node_modules/linked-sdk': link('../../other/sdk'),
      }),
    });
    const cwd = join(root, 'app');
    const dry = await runCli(['patch', '--dry-run'], { cwd });
    const run = await runCli(['patch'], { cwd });
    for (const { code, stderr } of [dry, run]) {
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`will not write ${root}/other/sdk/sdk.mjs: .* outside of`));
    }
    assert.notEqual(read(cwd, main), stock);
    assert.equal(read(root, 'store/sdk.mjs'), stock);
    assert.equal(read(root, 'other/sdk/sdk.mjs'), stock);
    const named = await runCli(['patch', 'node_modules/linked-sdk'], { cwd });
    assert.deepEqual([named.code, named.stderr], [0, '']);
    assert.notEqual(read(root, 'other/sdk/sdk.mjs'), stock);
  });

  it('audits a file that is a link out of the project, and names it as one that is not written', async (t) => {
    const root = makeTree(t, {
      'cache/sdk.mjs': stock,
      app: project({ [sdkPlace]: installedSdk('0.3.205', { 'sdk.mjs': link('../../../../cache/sdk.mjs') }) }),
    });
    const cwd = join(root, 'app');
    const audit = await runCli(['audit'], { cwd });
    assert.equal(audit.code, 1);
    assert.match(audit.stdout, /^affected /);
    for (const args of [['patch', '--dry-run'], ['patch']]) {
      const { code, stderr } = await runCli(args, { cwd });
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`a link leads to ${root}/cache/sdk.mjs, .*\\n  next: .* with --file`));
    }
    assert.equal(read(root, 'cache/sdk.mjs'), stock);
    const named = await runCli(['patch', '--file', join(root, 'cache/sdk.mjs')], { cwd });
    assert.deepEqual([named.code, named.stderr], [0, '']);
    const after = await runCli(['audit'], { cwd });
    assert.match(after.stdout, /^patched /);
  });

  it('ends with one good file when several run at once', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    const runs = await Promise.all([0, 1, 2].map(() => runCli(['patch'], { cwd })));
    assert.deepEqual(
      runs.map(({ code, stderr }: Ended) => [code, stderr]),
      runs.map(() => [0, '']),
    );
    await assertPatched(cwd, 1);
    const alone = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    await runCli(['patch'], { cwd: alone });
    assert.equal(read(cwd, main), read(alone, main));
  });

  it('begins again where a run in another container takes its temporary file for a leftover', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    const hook = `import fs from 'node:fs';
      const { renameSync, unlinkSync } = fs;
      let first = true;
      fs.renameSync = (from, to) => {
        if (first) unlinkSync(from);
        first = false;
        renameSync(from, to);
      };`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
    const run = await runCli(['patch'], { cwd, env });
    assert.deepEqual([run.code, run.stderr], [0, '']);
    await assertPatched(cwd, 1);
  });

  it('patches the file that --file names, and nothing else', async (t) => {
    const cwd = makeTree(t, project({ 'dist/app.js': stock, [sdkPlace]: installedSdk() }));
    const run = await runCli(['patch', '--file', 'dist/app.js'], { cwd });
    assert.deepEqual([run.code, run.stderr], [0, '']);
    assert.notEqual(read(cwd, 'dist/app.js'), stock);
    assert.equal(read(cwd, main), stock);
  });
});

describe('restore', { concurrency: 2 }, () => {
  it('gives the original bytes back, and says when there is nothing to do', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    await runCli(['patch'], { cwd });
    const run = await runCli(['restore'], { cwd });
    assert.deepEqual(
      [run.code, run.stdout, run.stderr],
      [0, `holdopen: restored 1 file to the original bytes in 1 copy: ${sdkPlace} (0.3.205)\n`, ''],
    );
    assert.equal(read(cwd, main), stock);
    const again = await runCli(['restore'], { cwd });
    assert.deepEqual([again.code, again.stdout], [0, 'holdopen: nothing to restore, no copy is patched\n']);
    const none = await runCli(['restore'], { cwd: makeTree(t, project()) });
    assert.equal(none.code, 0);
    assert.match(none.stdout, /^holdopen: No Claude Agent SDK is installed/);
  });

  it('exits with 1 where it may not write', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    await runCli(['patch'], { cwd });
    const patched = read(cwd, main);
    giveAway(cwd);
    chmodSync(join(cwd, sdkPlace), 0o555);
    const run = await runCli(['restore'], { cwd, unprivileged: true });
    assert.deepEqual([run.code, run.stdout], [1, 'holdopen: nothing restored, see above\n']);
    assert.match(run.stderr, /^holdopen: not restored: cannot write/);
    assert.equal(read(cwd, main), patched);
  });
});
