/**
 * Every layout with the package manager that makes it and the real SDK: all copies are found, patched and restored byte
 * for byte, while the store and a second project that was installed from the same store keep every byte.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Layout, Report } from '../../src/types.ts';
import { runCli } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';
import { jsonFile, makeTree } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';
import { managers, run } from './managers.ts';
import type { Managers } from './managers.ts';

/** Releases of npm nest differently: what its lockfile says is what has to be found. */
const asNpmSays = Symbol('as npm says');

interface Case {
  name: string;
  manager: keyof Managers;
  layout: Layout;
  /** `$STORE` stands for the store that both projects share. */
  args: string[];
  env?: Record<string, string>;
  files?: Tree;
  /** Versions of the SDK that are found, one for each copy. */
  copies: string[] | typeof asNpmSays;
  /** Where the SDK has no platform packages: yarn 1 would fetch 250 MB of them. */
  old?: boolean;
}

// Nothing of the platform packages: their `os` fits no system that is asked for.
const berry = (linker: string): Tree => ({
  'yarn.lock': '',
  '.yarnrc.yml': `nodeLinker: ${linker}\nenableScripts: false\nenableTelemetry: false\nsupportedArchitectures:\n  os: [none]\n  cpu: [none]\n`,
});
const berryEnv = { YARN_GLOBAL_FOLDER: '$STORE', YARN_ENABLE_IMMUTABLE_INSTALLS: '0' };
const workspace = { 'pnpm-workspace.yaml': "packages: ['packages/*']\n" };
const npmArgs = [
  'install',
  '--ignore-scripts',
  '--omit=optional',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
];
const pnpmArgs = [
  'install',
  '--ignore-scripts',
  '--no-optional',
  '--no-frozen-lockfile',
  '--store-dir=$STORE',
];
const bunArgs = ['install', '--ignore-scripts', '--omit=optional'];
const [direct, nested] = ['0.3.205', '0.3.226'];
const hoisted = [direct, nested];
/** The workspace asks for another zod, a peer of the SDK. */
const twins = [direct, direct, nested];

const cases: Case[] = [
  { name: 'npm hoisted', manager: 'npm', layout: 'npm', args: npmArgs, copies: hoisted },
  {
    name: 'npm nested',
    manager: 'npm',
    layout: 'npm',
    args: [...npmArgs, '--install-strategy=nested'],
    copies: asNpmSays,
  },
  {
    name: 'npm linked',
    manager: 'npm',
    layout: 'npm',
    args: [...npmArgs, '--install-strategy=linked'],
    copies: hoisted,
  },
  { name: 'pnpm isolated', manager: 'pnpm', layout: 'pnpm', args: pnpmArgs, files: workspace, copies: twins },
  {
    name: 'pnpm hoisted',
    manager: 'pnpm',
    layout: 'pnpm',
    args: [...pnpmArgs, '--node-linker=hoisted'],
    files: workspace,
    copies: hoisted,
  },
  {
    name: 'yarn 1',
    manager: 'yarnClassic',
    layout: 'yarn-classic',
    args: ['install', '--ignore-scripts', '--ignore-optional', '--cache-folder=$STORE'],
    copies: ['0.2.44', '0.2.50'],
    old: true,
  },
  {
    name: 'yarn node-modules',
    manager: 'yarn',
    layout: 'yarn',
    args: ['install'],
    env: berryEnv,
    files: berry('node-modules'),
    copies: hoisted,
  },
  {
    name: 'yarn pnpm',
    manager: 'yarn',
    layout: 'yarn',
    args: ['install'],
    env: berryEnv,
    files: berry('pnpm'),
    copies: twins,
  },
  {
    name: 'bun hoisted',
    manager: 'bun',
    layout: 'bun',
    args: [...bunArgs, '--linker=hoisted'],
    env: { BUN_INSTALL_CACHE_DIR: '$STORE' },
    copies: hoisted,
  },
  {
    name: 'bun isolated',
    manager: 'bun',
    layout: 'bun',
    args: [...bunArgs, '--linker=isolated'],
    env: { BUN_INSTALL_CACHE_DIR: '$STORE' },
    copies: twins,
  },
];

let commands: Managers;
before(async () => {
  commands = await managers();
});

/** A workspace with the SDK, a package that brings another version of it, and a member that has it as well. */
function project(files: Tree = {}, old = false): Tree {
  if (old) {
    const dependencies = { [sdkName]: '0.2.50', '@zed-industries/claude-code-acp': '0.16.2' };
    return { 'package.json': jsonFile({ name: 'app', private: true, dependencies }) };
  }
  const dependencies = { [sdkName]: direct, 'ai-sdk-provider-claude-code': '4.1.0' };
  const member = { name: 'a', version: '1.0.0', dependencies: { [sdkName]: direct, zod: '4.1.0' } };
  return {
    'package.json': jsonFile({ name: 'app', private: true, workspaces: ['packages/*'], dependencies }),
    'packages/a/package.json': jsonFile(member),
    ...files,
  };
}

/** Installs `app` and `other` from one store and gives the functions to look at them. */
async function install(root: string, { manager, args, env = {} }: Case): Promise<void> {
  const store = join(root, 'store');
  mkdirSync(store, { recursive: true });
  const put = (text: string): string => text.replace('$STORE', store);
  const environment = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, put(value)]));
  for (const name of ['app', 'other'])
    await run(commands[manager], args.map(put), join(root, name), environment);
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

// Most of the time goes into waiting for the registry.
describe('layouts', { concurrency: 2 }, () => {
  for (const layout of cases) {
    it(layout.name, async (t) => {
      const tree = project(layout.files, layout.old);
      const root = makeTree(t, { app: tree, other: tree });
      await install(root, layout);
      const [cwd, others] = [join(root, 'app'), [join(root, 'store'), join(root, 'other')]];
      const untouched = others.map(treeHash);

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
      assert.deepEqual(others.map(treeHash), untouched, 'the store and the other project keep their bytes');

      const restore = await runCli(['restore'], { cwd });
      assert.deepEqual([restore.code, restore.stderr], [0, '']);
      assert.deepEqual(hashes(await audit(cwd)), hashes(stock));
      assert.deepEqual(others.map(treeHash), untouched);
    });
  }

  it('npm global: found, patched and restored below the prefix', async (t) => {
    const root = makeTree(t, { prefix: {}, elsewhere: { 'package.json': '{}' } });
    const env = { npm_config_prefix: join(root, 'prefix') };
    const args = [...npmArgs, '--global', `${sdkName}@${direct}`];
    await run(commands.npm, args, join(root, 'elsewhere'), env);
    const cli = async (...words: string[]): Promise<string> => {
      const { stdout, stderr } = await runCli([...words, '--global'], {
        cwd: join(root, 'elsewhere'),
        // Nothing of the user's own global installs is touched.
        env: { ...env, HOME: root },
      });
      assert.equal(stderr, '');
      return stdout;
    };
    const look = async (): Promise<Report> => JSON.parse(await cli('audit', '--format', 'json')) as Report;
    const stock = (await look()).copies.filter((copy) => copy.path.startsWith(join(root, 'prefix')));
    assert.deepEqual(
      stock.map(({ version, status }) => [version, status]),
      [[direct, 'affected']],
    );
    await cli('patch');
    assert.equal((await look()).copies.find((copy) => copy.path === stock[0]?.path)?.status, 'patched');
    await cli('restore');
    assert.deepEqual(
      (await look()).copies.filter((copy) => copy.path === stock[0]?.path),
      stock,
    );
  });

  it("yarn Plug'n'Play: archives are read and never written; unplugged they are patched", async (t) => {
    const pnp: Case = {
      name: 'pnp',
      manager: 'yarn',
      layout: 'yarn-pnp',
      args: ['install'],
      env: berryEnv,
      copies: hoisted,
    };
    const root = makeTree(t, { app: project(berry('pnp')), other: project(berry('pnp')) });
    await install(root, pnp);
    const [cwd, store] = [join(root, 'app'), join(root, 'store')];
    const untouched = treeHash(store);
    const packed = await audit(cwd);
    assert.deepEqual(packed.copies.map((copy) => [copy.version, copy.layout, copy.status]).sort(), [
      [direct, 'yarn-pnp', 'affected'],
      [nested, 'yarn-pnp', 'affected'],
    ]);
    const refused = await runCli(['patch'], { cwd });
    assert.equal(refused.code, 1);
    const remedy = /next: yarn (unplug .*) && yarn holdopen patch/.exec(refused.stderr)?.[1] ?? '';
    assert.notEqual(remedy, '', refused.stderr);
    assert.equal(treeHash(store), untouched);

    await run(commands.yarn, remedy.split(' '), cwd, { YARN_GLOBAL_FOLDER: store });
    const cache = treeHash(join(store, 'cache'));
    const stock = await audit(cwd);
    assert.equal(stock.copies.length, 3);
    const patch = await runCli(['patch'], { cwd });
    assert.deepEqual([patch.code, patch.stderr], [0, '']);
    assert.equal((await audit(cwd)).summary.patched, 3);
    assert.equal((await runCli(['restore'], { cwd })).code, 0);
    assert.deepEqual(hashes(await audit(cwd)), hashes(stock));
    assert.equal(treeHash(join(store, 'cache')), cache);
  });
});
