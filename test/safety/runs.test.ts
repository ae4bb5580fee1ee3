import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { patchSource, restoreSource } from '../../src/patch/apply.ts';
import { runCli } from '../support/child.ts';
import { sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { hardLink, makeTree } from '../support/tree.ts';

const main = `${sdkPlace}/sdk.mjs`;
const stock = fixture('first-result');
const result = patchSource(stock);
const patched = result.outcome === 'patched' ? result.source : '';

/** A project whose SDK is a hard link of a store, as pnpm and bun install it. */
const installed = {
  'store/sdk.mjs': stock,
  app: project({ [sdkPlace]: installedSdk('0.3.205', { 'sdk.mjs': hardLink('store/sdk.mjs') }) }),
};

describe('runs at once', () => {
  for (const count of [2, 20]) {
    it(`${count} of them end with one good file, and no reader ever sees another than the old or the new one`, async (t) => {
      const root = makeTree(t, installed);
      const cwd = join(root, 'app');
      let over = false;
      let looks = 0;
      const runs = Promise.all(Array.from({ length: count }, () => runCli(['patch'], { cwd }))).finally(
        () => (over = true),
      );
      while (!over) {
        const text = await readFile(join(cwd, main), 'utf8');
        looks += 1;
        assert.ok(text === stock || text === patched, 'half a file');
      }
      assert.deepEqual(
        (await runs).map(({ code, stderr }) => [code, stderr]),
        Array(count).fill([0, '']),
      );
      assert.equal(readFileSync(join(cwd, main), 'utf8'), patched);
      assert.deepEqual(readdirSync(join(cwd, sdkPlace)).sort(), ['package.json', 'sdk.mjs']);
      assert.equal(readFileSync(join(root, 'store/sdk.mjs'), 'utf8'), stock);
      t.diagnostic(`${count} runs, ${looks} looks, 0 half files`);
    });
  }
});

/** The steps of one write, in their order. */
const steps = ['openSync', 'writeFileSync', 'fchmodSync', 'fsyncSync', 'closeSync', 'renameSync'];

/** Sends a signal to the process itself at one step of the write, and does not go on before it has arrived. */
function killing(step: string, when: string, signal: string): string {
  const hook = `import fs from 'node:fs';
    const die = () => { process.kill(process.pid, '${signal}'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60000); };
    let ours = false;
    const open = fs.openSync;
    fs.openSync = (path, ...rest) => { ours ||= String(path).includes('.holdopen-'); return open(path, ...rest); };
    const real = fs['${step}'];
    fs['${step}'] = (...args) => {
      const now = ours || String(args[0]).includes('.holdopen-');
      if (now && '${when}' === 'before') die();
      const value = real(...args);
      if (now) die();
      return value;
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(hook)}`;
}

it('leaves the old or the new file wherever patch is killed; the next run cleans up and finishes', async (t) => {
  let points = 0;
  for (const signal of ['SIGKILL', 'SIGTERM']) {
    for (const step of steps) {
      for (const when of ['before', 'after']) {
        const where = `${signal} ${when} ${step}`;
        const root = makeTree(t, installed);
        const cwd = join(root, 'app');
        const killed = await runCli(['patch'], { cwd, env: { NODE_OPTIONS: killing(step, when, signal) } });
        assert.equal(killed.signal, signal, `${where}: ${killed.stderr}`);
        const text = readFileSync(join(cwd, main), 'utf8');
        assert.ok(text === (step === 'renameSync' && when === 'after' ? patched : stock), where);
        const next = await runCli(['patch'], { cwd });
        assert.deepEqual([next.code, next.stderr], [0, ''], where);
        const now = readFileSync(join(cwd, main), 'utf8');
        assert.equal(now, patched, where);
        assert.deepEqual(restoreSource(now), { outcome: 'restored', source: stock });
        assert.deepEqual(readdirSync(join(cwd, sdkPlace)).sort(), ['package.json', 'sdk.mjs'], where);
        assert.equal(readFileSync(join(root, 'store/sdk.mjs'), 'utf8'), stock, where);
        points += 1;
      }
    }
  }
  t.diagnostic(`${points} kill points, 0 files lost, 0 store files changed`);
});
