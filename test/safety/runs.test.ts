import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { runCli } from '../support/child.ts';
import type { Ended } from '../support/child.ts';
import { sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { Tally } from '../support/report.ts';
import { hardLink, makeTree } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';
import { patchSource, restoreSource } from '../support/texts.ts';

const main = `${sdkPlace}/sdk.mjs`;
const stock = fixture('first-result');
const result = patchSource(stock);
const patched = result.outcome === 'patched' ? result.source : '';

/** What each command finds and what it leaves. */
const commands = {
  patch: { from: stock, to: patched },
  restore: { from: patched, to: stock },
} as const;
type Command = keyof typeof commands;
const names = Object.keys(commands) as Command[];

/** A project whose SDK is a hard link of a store, as pnpm and bun install it. */
function installed(text: string): Tree {
  return {
    'store/sdk.mjs': text,
    app: project({ [sdkPlace]: installedSdk('0.3.205', { 'sdk.mjs': hardLink('store/sdk.mjs') }) }),
  };
}

/** What of `root` is not as it should be: the file, the store that it was linked from, and what lies beside it. */
function look(
  tally: Tally,
  root: string,
  { file, store }: { file: readonly string[]; store: string },
  where: string,
): void {
  const place = join(root, 'app', main);
  const text = existsSync(place) ? readFileSync(place, 'utf8') : undefined;
  tally.count('lost', text === undefined || !file.includes(text), where);
  tally.count('storeChanged', readFileSync(join(root, 'store/sdk.mjs'), 'utf8') !== store, where);
  const known = ['package.json', 'sdk.mjs'];
  for (const name of readdirSync(join(root, 'app', sdkPlace)))
    tally.count('leftovers', !known.includes(name), `${where}: ${name}`);
}

/** Runs commands at once, with a reader that looks all the time. */
async function together(
  t: TestContext,
  tally: Tally,
  cwd: string,
  words: readonly Command[],
): Promise<Ended[]> {
  let over = false;
  let looks = 0;
  const runs = Promise.all(words.map((word) => runCli([word], { cwd }))).finally(() => (over = true));
  while (!over) {
    const text = await readFile(join(cwd, main), 'utf8').catch(String);
    looks += 1;
    tally.count('half', text !== stock && text !== patched, `look ${looks}`);
  }
  t.diagnostic(`${looks} looks`);
  return runs;
}

it('has a patched text that gives the stock one back', () => {
  assert.deepEqual(restoreSource(patched), { outcome: 'restored', source: stock });
});

describe('runs at once', () => {
  for (const name of names) {
    const { from, to } = commands[name];
    for (const count of [2, 20]) {
      it(`${count} of ${name} end with one good file, and no reader ever sees another than the old or the new one`, async (t) => {
        const root = makeTree(t, installed(from));
        const cwd = join(root, 'app');
        const tally = new Tally('lost', 'half', 'storeChanged', 'leftovers');
        const ends = await together(t, tally, cwd, Array<Command>(count).fill(name));
        assert.deepEqual(
          ends.map(({ code, stderr }) => [code, stderr]),
          Array(count).fill([0, '']),
        );
        look(tally, root, { file: [to], store: from }, 'afterwards');
        tally.report(t, 'runs-at-once', { runs: ends.length });
      });
    }
  }

  it('patch and restore against each other leave a whole file, and each either did its work or says why not', async (t) => {
    const root = makeTree(t, installed(stock));
    const cwd = join(root, 'app');
    const words = Array.from({ length: 20 }, (_, n): Command => (n % 2 === 0 ? 'patch' : 'restore'));
    const tally = new Tally('lost', 'half', 'storeChanged', 'leftovers');
    const ends = await together(t, tally, cwd, words);
    for (const { code, stderr } of ends) if (code !== 0) assert.match(stderr, /it changed since it was read/);
    look(tally, root, { file: [stock, patched], store: stock }, 'afterwards');
    for (const name of names) {
      const { code, stderr } = await runCli([name], { cwd });
      assert.deepEqual([code, stderr], [0, '']);
      look(tally, root, { file: [commands[name].to], store: stock }, name);
    }
    tally.report(t, 'runs-against', { runs: ends.length });
  });
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

for (const name of names) {
  const { from, to } = commands[name];
  it(`leaves the old or the new file wherever ${name} is killed; the next run cleans up and finishes`, async (t) => {
    let points = 0;
    const tally = new Tally('lost', 'storeChanged', 'leftovers');
    for (const signal of ['SIGKILL', 'SIGTERM']) {
      for (const step of steps) {
        for (const when of ['before', 'after']) {
          const where = `${signal} ${when} ${step}`;
          const root = makeTree(t, installed(from));
          const cwd = join(root, 'app');
          const killed = await runCli([name], { cwd, env: { NODE_OPTIONS: killing(step, when, signal) } });
          assert.equal(killed.signal, signal, `${where}: ${killed.stderr}`);
          const renamed = step === 'renameSync' && when === 'after';
          const text = existsSync(join(cwd, main)) ? readFileSync(join(cwd, main), 'utf8') : undefined;
          tally.count('lost', text !== (renamed ? to : from), where);
          const next = await runCli([name], { cwd });
          assert.deepEqual([next.code, next.stderr], [0, ''], where);
          look(tally, root, { file: [to], store: from }, `the run after ${where}`);
          points += 1;
        }
      }
    }
    tally.report(t, `kill-points-${name}`, { killPoints: points });
  });
}
