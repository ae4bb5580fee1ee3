/**
 * Every layout with the package manager that makes it and the real SDK: all copies are found, patched and restored byte
 * for byte, while the store and a second project that was installed from the same store keep every byte.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Report } from '../../src/types.ts';
import { runCli } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';
import { Tally } from '../support/report.ts';
import { makeTree } from '../support/tree.ts';
import { asNpmSays, berry, berryEnv, lanes, versions } from './cases.ts';
import type { Case, GlobalCase, Lane } from './cases.ts';
import {
  audit,
  changeFiles,
  countChanged,
  countLost,
  damages,
  filesBelow,
  lockedCopies,
  patchedBundles,
} from './look.ts';
import { managers, run } from './managers.ts';
import type { Managers } from './managers.ts';

let commands: Managers;
let stores: string;
before(async () => {
  stores = mkdtempSync(join(tmpdir(), 'holdopen-stores-'));
  commands = await managers();
});
after(() => rmSync(stores, { recursive: true, force: true }));

function storeOf({ manager }: Lane): string {
  const store = join(stores, manager);
  mkdirSync(store, { recursive: true });
  return store;
}

/** The folders of the store that no patch may reach. */
const keptBy = (lane: Lane): string[] => (lane.kept === undefined ? [] : [join(storeOf(lane), lane.kept)]);

/** Puts real paths into arguments and environment. */
function filled(
  { args, env = {} }: Pick<Case, 'args' | 'env'>,
  places: Record<string, string>,
): { args: string[]; env: Record<string, string> } {
  const put = (text: string): string =>
    Object.entries(places).reduce((now, [name, path]) => now.replaceAll(name, path), text);
  const entries = Object.entries(env).map(([name, value]) => [name, put(value)]);
  return { args: args.map(put), env: Object.fromEntries(entries) as Record<string, string> };
}

/**
 * Installs a project, and where stores are shared a second one from the same store. That has the lockfile of the first,
 * and so asks nobody.
 */
async function installProjects(
  t: TestContext,
  lane: Lane,
  layout: Pick<Case, 'args' | 'env' | 'tree'>,
): Promise<string> {
  const root = makeTree(t, { app: layout.tree, other: layout.tree });
  const { args, env } = filled(layout, { $STORE: storeOf(lane) });
  await run(commands[lane.manager], args, join(root, 'app'), env);
  if (lane.kept === undefined) return root;
  copyFileSync(join(root, 'app', lane.lockfile), join(root, 'other', lane.lockfile));
  await run(commands[lane.manager], args, join(root, 'other'), env);
  return root;
}

async function proveLayout(t: TestContext, lane: Lane, layout: Case): Promise<void> {
  const root = await installProjects(t, lane, layout);
  const cwd = join(root, 'app');
  const others = keptBy(lane).flatMap((kept) => [kept, join(root, 'other')]);
  const tally = others.length > 0 ? new Tally('lost', 'storeChanged') : new Tally('lost');
  const untouched = filesBelow(others);

  const stock = await audit(cwd);
  const copies = layout.copies === asNpmSays ? lockedCopies(cwd) : layout.copies;
  assert.ok(copies.length >= 2);
  const places = stock.copies.map((copy) => copy.path);
  assert.deepEqual(stock.copies.map((copy) => copy.version).sort(), copies, places.join());
  assert.deepEqual([...new Set(stock.copies.map((copy) => copy.layout))], [layout.layout]);
  // Else nothing below could reach the store.
  for (const place of places) {
    if (lane.hardLinks === true) assert.ok(statSync(join(cwd, place, 'sdk.mjs')).nlink > 1, place);
  }

  const patch = await runCli(['patch'], { cwd });
  assert.deepEqual([patch.code, patch.stderr], [0, '']);
  assert.equal((await audit(cwd)).summary.patched, copies.length);
  countChanged(tally, untouched, others, 'patched');
  if (layout === lane.cases[0]) await proveUpgrades(t, cwd);

  const restore = await runCli(['restore'], { cwd });
  assert.deepEqual([restore.code, restore.stderr], [0, '']);
  countLost(tally, stock, await audit(cwd), 'restored');
  countChanged(tally, untouched, others, 'restored');
  t.diagnostic(`${copies.length} copies`);
  tally.report(t, 'layouts', { layouts: 1 });
}

/** A tree that was patched by an older revision, or that somebody took a piece of the patch out of, is told and mended. */
async function proveUpgrades(t: TestContext, cwd: string): Promise<void> {
  const whole = await audit(cwd);
  const tally = new Tally('lost');
  let changes = 0;
  const files = patchedBundles(whole);
  for (const [code, damage] of Object.entries(damages)) {
    changeFiles(cwd, files, damage);
    const bundles = (await audit(cwd)).copies.flatMap((copy) => copy.bundles);
    const stale = bundles.filter(({ status }) => status === 'stale');
    assert.deepEqual(
      stale.map(({ reasons }) => reasons[0]?.code),
      files.map(() => code),
    );
    const patch = await runCli(['patch'], { cwd });
    assert.deepEqual([patch.code, patch.stderr], [0, '']);
    countLost(tally, whole, await audit(cwd), code);
    changes += 1;
  }
  tally.report(t, 'layouts-upgrades', { layouts: 1, changes });
  // Restored from what was damaged, and not only from what was mended.
  changeFiles(cwd, files, damages['gate-incomplete']);
}

async function proveGlobal(t: TestContext, lane: Lane, install: GlobalCase): Promise<void> {
  const root = makeTree(t, { elsewhere: { 'package.json': '{}' } });
  const cwd = join(root, 'elsewhere');
  const { args, env } = filled(install, { $STORE: storeOf(lane), $ROOT: root });
  await run(commands[lane.manager], args, cwd, env);
  const kept = keptBy(lane);
  const tally = kept.length > 0 ? new Tally('lost', 'storeChanged') : new Tally('lost');
  const untouched = filesBelow(kept);
  const cli = async (...words: string[]): Promise<string> => {
    // Nothing of the user's own global installs is touched.
    const { stdout, stderr } = await runCli([...words, '--global'], {
      cwd,
      env: { npm_config_prefix: join(root, 'none'), HOME: root, ...env },
    });
    assert.equal(stderr, '');
    return stdout;
  };
  const look = async (): Promise<Report> => JSON.parse(await cli('audit', '--format', 'json')) as Report;
  const states = ({ copies }: Report): unknown => copies.map(({ version, status }) => [version, status]);
  const stock = await look();
  assert.deepEqual(states(stock), [[install.version, 'affected']]);
  await cli('patch');
  assert.deepEqual(states(await look()), [[install.version, 'patched']]);
  countChanged(tally, untouched, kept, 'patched');
  await cli('restore');
  const restored = await look();
  countLost(tally, stock, restored, 'restored');
  assert.deepEqual(restored.copies, stock.copies);
  tally.report(t, 'layouts-global', { layouts: 1 });
}

async function provePlugAndPlay(t: TestContext, lane: Lane): Promise<void> {
  const root = await installProjects(t, lane, { args: ['install'], env: berryEnv, tree: berry('pnp') });
  const cwd = join(root, 'app');
  const tally = new Tally('lost', 'storeChanged');
  const packedFiles = filesBelow(keptBy(lane));
  const packed = await audit(cwd);
  assert.deepEqual(packed.copies.map((copy) => [copy.version, copy.layout, copy.status]).sort(), [
    [versions.direct, 'yarn-pnp', 'affected'],
    [versions.nested, 'yarn-pnp', 'affected'],
  ]);
  const refused = await runCli(['patch'], { cwd });
  assert.equal(refused.code, 1);
  const remedy = /next: yarn (unplug .*) && yarn holdopen patch/.exec(refused.stderr)?.[1] ?? '';
  assert.notEqual(remedy, '', refused.stderr);
  countChanged(tally, packedFiles, keptBy(lane), 'refused');

  await run(
    commands.yarn,
    remedy.split(' '),
    cwd,
    filled({ args: [], env: berryEnv }, { $STORE: storeOf(lane) }).env,
  );
  const unplugged = filesBelow(keptBy(lane));
  const stock = await audit(cwd);
  assert.equal(stock.copies.length, 3);
  const patch = await runCli(['patch'], { cwd });
  assert.deepEqual([patch.code, patch.stderr], [0, '']);
  assert.equal((await audit(cwd)).summary.patched, 3);
  assert.equal((await runCli(['restore'], { cwd })).code, 0);
  countLost(tally, stock, await audit(cwd), 'restored');
  countChanged(tally, unplugged, keptBy(lane), 'restored');
  tally.report(t, 'layouts', { layouts: 1 });
}

// Two lanes at a time, for most of it is waiting; within a lane one after the other, so that nobody but the case at
// hand could have changed its store.
describe('layouts', { concurrency: 2 }, () => {
  for (const lane of lanes) {
    describe(lane.manager, { concurrency: 1 }, () => {
      for (const layout of lane.cases) it(layout.name, (t) => proveLayout(t, lane, layout));
      const install = lane.global;
      if (install) it(`global: ${sdkName}`, (t) => proveGlobal(t, lane, install));
      if (lane.manager === 'yarn')
        it("Plug'n'Play: archives are read and never written; unplugged they are patched", (t) =>
          provePlugAndPlay(t, lane));
    });
  }
});
