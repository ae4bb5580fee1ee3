// The layouts as data: which package manager makes them, how it is called, what has to be found.
import type { Layout } from '../../src/types.ts';
import { sdkName } from '../support/installs.ts';
import { jsonFile } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';
import type { Managers } from './managers.ts';

/** Releases of npm nest differently: what its lockfile says is what has to be found. */
export const asNpmSays = Symbol('as npm says');

export interface Case {
  name: string;
  manager: keyof Managers;
  layout: Layout;
  /** `$STORE` stands for the store that both projects share. */
  args: string[];
  env?: Record<string, string>;
  files?: Tree;
  /** Versions of the SDK that are found, one for each copy. */
  copies: string[] | typeof asNpmSays;
  /** Instead of the workspace of `project`. */
  tree?: Tree;
}

// Nothing of the platform packages: their `os` fits no system that is asked for.
export const berry = (linker: string): Tree => ({
  'yarn.lock': '',
  '.yarnrc.yml': `nodeLinker: ${linker}\nenableScripts: false\nenableTelemetry: false\ncompressionLevel: 0\nsupportedArchitectures:\n  os: [none]\n  cpu: [none]\n`,
});
export const berryEnv = { YARN_GLOBAL_FOLDER: '$STORE', YARN_ENABLE_IMMUTABLE_INSTALLS: '0' };
const workspace = { 'pnpm-workspace.yaml': "packages: ['packages/*']\n" };
export const npmArgs = [
  'install',
  '--ignore-scripts',
  '--omit=optional',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
];
export const pnpmArgs = [
  'install',
  '--ignore-scripts',
  '--no-optional',
  '--no-frozen-lockfile',
  '--store-dir=$STORE',
];
export const bunArgs = ['install', '--ignore-scripts', '--omit=optional'];
export const [direct, nested] = ['0.3.205', '0.3.226'];
export const hoisted = [direct, nested];
/** The workspace asks for another zod, a peer of the SDK. */
const twins = [direct, direct, nested];

/** Where the SDK has no platform packages: yarn 1 would fetch 250 MB of them. */
const oldProject: Tree = {
  'package.json': jsonFile({
    name: 'app',
    private: true,
    dependencies: { [sdkName]: '0.2.50', '@zed-industries/claude-code-acp': '0.16.2' },
  }),
};

/** An agent that pins another release than the project itself. */
const agentProject: Tree = {
  'package.json': jsonFile({
    name: 'app',
    private: true,
    dependencies: { [sdkName]: direct, '@agentclientprotocol/claude-agent-acp': '0.101.0' },
  }),
};

/** Has a test of its own: archives are not written. */
export const berryPnp: Case = {
  name: 'yarn pnp',
  manager: 'yarn',
  layout: 'yarn-pnp',
  args: ['install'],
  env: berryEnv,
  files: berry('pnp'),
  copies: hoisted,
};

export const cases: Case[] = [
  { name: 'npm hoisted', manager: 'npm', layout: 'npm', args: npmArgs, copies: hoisted },
  {
    name: 'npm nested',
    manager: 'npm',
    layout: 'npm',
    args: [...npmArgs, '--install-strategy=nested'],
    copies: asNpmSays,
  },
  {
    name: 'npm below an agent',
    manager: 'npm',
    layout: 'npm',
    args: npmArgs,
    copies: [direct, '0.3.318'],
    tree: agentProject,
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
    tree: oldProject,
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

/** A workspace with the SDK, a package that brings another version of it, and a member that has it as well. */
export function project(files: Tree = {}): Tree {
  const dependencies = { [sdkName]: direct, 'ai-sdk-provider-claude-code': '4.1.0' };
  const member = { name: 'a', version: '1.0.0', dependencies: { [sdkName]: direct, zod: '4.1.0' } };
  return {
    'package.json': jsonFile({ name: 'app', private: true, workspaces: ['packages/*'], dependencies }),
    'packages/a/package.json': jsonFile(member),
    ...files,
  };
}
