/**
 * Every layout with the package manager that makes it and the real SDK: all copies are found, patched and restored byte
 * for byte, while the store and a second project that was installed from the same store keep every byte.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Report } from '../../src/types.ts';
import { runCli } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';
import { writeFiles } from '../support/tree.ts';
import { type Case, asNpmSays, berryPnp, cases, direct, nested, project } from './cases.ts';
import { type Managers, managers, run } from './managers.ts';

/** What all cases of one package manager share, so that each package is fetched once: its store and a second project. */
class Shop {
  readonly #command: Managers[keyof Managers];
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'holdopen-layouts-')));
  readonly store = join(this.#root, 'store');
  readonly #others = [this.store];

  constructor(command: Managers[keyof Managers]) {
    this.#command = command;
    mkdirSync(this.store);
  }

  /** Installs a case's project, and beside the first one a second. */
  async install(layout: Case): Promise<string> {
    const app = await this.#project(layout.name, layout);
    if (this.#others.length === 1) this.#others.push(await this.#project('other', layout));
    return app;
  }

  async #project(name: string, { args, env = {}, files, tree }: Case): Promise<string> {
    const dir = join(this.#root, name.replaceAll(' ', '-'));
    writeFiles(dir, tree ?? project(files));
    await this.run(args, dir, env);
    return dir;
  }

  run(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<void> {
    const put = (text: string): string => text.replace('$STORE', this.store);
    const entries = Object.entries(env).map(([name, value]) => [name, put(value)] as const);
    return run(this.#command, args.map(put), cwd, Object.fromEntries(entries));
  }

  /** One hash each of what no patch may touch. */
  untouched(): string[] {
    return this.#others.map(treeHash);
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** One hash over names and bytes of all files below a folder. */
function treeHash(dir: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true }).sort(byPlace))
    if (entry.isFile()) hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  return hash.digest('hex');
}

type Place = { parentPath: string; name: string };
const byPlace = (a: Place, b: Place): number =>
  join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1;

/** The versions of the SDK that npm has written down, one for each place. */
function lockedCopies(cwd: string): string[] {
  const lock = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const places = Object.entries(lock.packages).filter(([place]) => place.endsWith(`node_modules/${sdkName}`));
  return places.map(([, { version }]) => version).sort();
}

async function audit(cwd: string): Promise<Report> {
  const { stdout, stderr } = await runCli(['audit', '--format', 'json'], { cwd });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Report;
}

const hashes = (report: Report): string[] =>
  report.copies.flatMap((copy) =>
    copy.bundles.map((bundle) => `${copy.path}/${bundle.file} ${bundle.sha256}`),
  );

async function roundTrip(shop: Shop, layout: Case): Promise<void> {
  const cwd = await shop.install(layout);
  const untouched = shop.untouched();

  const stock = await audit(cwd);
  const copies = layout.copies === asNpmSays ? lockedCopies(cwd) : layout.copies;
  assert.ok(copies.length >= 2);
  assert.deepEqual(
    stock.copies.map((copy) => copy.version).sort(),
    copies,
    stock.copies.map((copy) => copy.path).join(),
  );
  assert.deepEqual([...new Set(stock.copies.map((copy) => copy.layout))], [layout.layout]);

  const patch = await runCli(['patch'], { cwd });
  assert.deepEqual([patch.code, patch.stderr], [0, '']);
  assert.equal((await audit(cwd)).summary.patched, copies.length);
  assert.deepEqual(shop.untouched(), untouched, 'the store and the other project keep their bytes');

  const restore = await runCli(['restore'], { cwd });
  assert.deepEqual([restore.code, restore.stderr], [0, '']);
  assert.deepEqual(hashes(await audit(cwd)), hashes(stock));
  assert.deepEqual(shop.untouched(), untouched);
}

async function plugAndPlay(shop: Shop): Promise<void> {
  const cwd = await shop.install(berryPnp);
  const untouched = shop.untouched();
  const packed = await audit(cwd);
  assert.deepEqual(packed.copies.map((copy) => [copy.version, copy.layout, copy.status]).sort(), [
    [direct, 'yarn-pnp', 'affected'],
    [nested, 'yarn-pnp', 'affected'],
  ]);
  const refused = await runCli(['patch'], { cwd });
  assert.equal(refused.code, 1);
  const remedy = /next: yarn (unplug .*) && yarn holdopen patch/.exec(refused.stderr)?.[1] ?? '';
  assert.notEqual(remedy, '', refused.stderr);
  assert.deepEqual(shop.untouched(), untouched);

  await shop.run(remedy.split(' '), cwd, berryPnp.env);
  const cache = treeHash(join(shop.store, 'cache'));
  const stock = await audit(cwd);
  assert.equal(stock.copies.length, 3);
  const patch = await runCli(['patch'], { cwd });
  assert.deepEqual([patch.code, patch.stderr], [0, '']);
  assert.equal((await audit(cwd)).summary.patched, 3);
  assert.equal((await runCli(['restore'], { cwd })).code, 0);
  assert.deepEqual(hashes(await audit(cwd)), hashes(stock));
  assert.equal(treeHash(join(shop.store, 'cache')), cache);
}

const names: (keyof Managers)[] = ['yarn', 'yarnClassic', 'npm', 'pnpm', 'bun'];

// Two package managers at a time: most of the time goes into waiting for the registry.
describe('layouts', { concurrency: 2 }, () => {
  for (const name of names)
    describe(name, { concurrency: 1 }, () => {
      let shop: Shop;
      before(async () => {
        shop = new Shop((await managers())[name]);
      });
      after(() => shop.close());
      for (const layout of cases.filter(({ manager }) => manager === name))
        it(layout.name, () => roundTrip(shop, layout));
      if (name === 'yarn')
        it("yarn Plug'n'Play: archives are read and never written; unplugged they are patched", () =>
          plugAndPlay(shop));
    });
});
