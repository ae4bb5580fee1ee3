// What is installed for the layout tests: one lane for each package manager, whose cases share its store.
import type { Layout } from '../../src/types.ts';
import { sdkName } from '../support/installs.ts';
import { jsonFile } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';
import type { Managers } from './managers.ts';

/** Releases of npm nest differently: what its lockfile says is what has to be found. */
export const asNpmSays = Symbol('as npm says');

export interface Case {
  name: string;
  layout: Layout;
  /** `$STORE` stands for the store that all projects of the lane share. */
  args: string[];
  env?: Record<string, string>;
  /** The root of the project, which is installed twice. */
  tree: Tree;
  /** Versions of the SDK that are found, one for each copy. */
  copies: string[] | typeof asNpmSays;
}

/** An install for all projects of a user. `$ROOT` stands for a folder of its own. */
export interface GlobalCase {
  version: string;
  args: string[];
  env: Record<string, string>;
}

export interface Lane {
  manager: keyof Managers;
  lockfile: string;
  /**
   * Where the store keeps what it links into projects, which no patch may reach: relative to the store. undefined: the
   * manager copies or unpacks out of a cache, and no two projects have a file in common.
   */
  kept?: string;
  /** Whether projects are made of hard links into the store. */
  hardLinks?: boolean;
  cases: Case[];
  global?: GlobalCase;
}

const [direct, nested, old, olderStill, ofAgent] = ['0.3.205', '0.3.226', '0.2.50', '0.2.44', '0.3.318'];
const hoisted = [direct, nested];
/** The workspace asks for another zod, a peer of the SDK. */
const twins = [direct, direct, nested];
/** What the Plug'n'Play test has to find. */
export const versions = { direct, nested };

/** A workspace with the SDK, a package that brings another version of it, and a member that has it as well. */
function workspace(files: Tree = {}): Tree {
  const dependencies = { [sdkName]: direct, 'ai-sdk-provider-claude-code': '4.1.0' };
  const member = { name: 'a', version: '1.0.0', dependencies: { [sdkName]: direct, zod: '4.1.0' } };
  return {
    'package.json': jsonFile({ name: 'app', private: true, workspaces: ['packages/*'], dependencies }),
    'packages/a/package.json': jsonFile(member),
    ...files,
  };
}

/** A project of one package, whose dependency brings another version of the SDK. */
function single(sdk: string, other: string, version: string): Tree {
  const dependencies = { [sdkName]: sdk, [other]: version };
  return { 'package.json': jsonFile({ name: 'app', private: true, dependencies }) };
}

const withAgent = single(direct, '@agentclientprotocol/claude-agent-acp', '0.101.0');
const agentCopies = [direct, ofAgent];

const npmArgs = ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
const npm: Lane = {
  manager: 'npm',
  lockfile: 'package-lock.json',
  cases: [
    { name: 'hoisted', layout: 'npm', args: npmArgs, tree: workspace(), copies: hoisted },
    {
      name: 'nested',
      layout: 'npm',
      args: [...npmArgs, '--install-strategy=nested'],
      tree: workspace(),
      copies: asNpmSays,
    },
    {
      name: 'linked',
      layout: 'npm',
      args: [...npmArgs, '--install-strategy=linked'],
      tree: workspace(),
      copies: hoisted,
    },
    { name: 'below an agent', layout: 'npm', args: npmArgs, tree: withAgent, copies: agentCopies },
  ].map((one) => ({ ...one, env: { npm_config_prefer_offline: 'true' } }) as Case),
  global: {
    version: direct,
    args: [...npmArgs, '--global', `${sdkName}@${direct}`],
    env: { npm_config_prefix: '$ROOT/prefix', npm_config_prefer_offline: 'true' },
  },
};

// Hard links are what can go wrong; where the file system can clone, pnpm would do that.
const pnpmStore = ['--store-dir=$STORE', '--package-import-method=hardlink', '--prefer-offline'];
const pnpmArgs = ['install', '--ignore-scripts', '--no-optional', '--no-frozen-lockfile', ...pnpmStore];
const pnpmTree = workspace({ 'pnpm-workspace.yaml': "packages: ['packages/*']\n" });
const pnpm: Lane = {
  manager: 'pnpm',
  lockfile: 'pnpm-lock.yaml',
  kept: 'v11/files',
  hardLinks: true,
  cases: [
    { name: 'isolated, with peer twins', layout: 'pnpm', args: pnpmArgs, tree: pnpmTree, copies: twins },
    {
      name: 'hoisted',
      layout: 'pnpm',
      args: [...pnpmArgs, '--node-linker=hoisted'],
      tree: pnpmTree,
      copies: hoisted,
    },
    { name: 'below an agent', layout: 'pnpm', args: pnpmArgs, tree: withAgent, copies: agentCopies },
  ],
  global: {
    version: direct,
    args: ['add', '--global', '--ignore-scripts', '--no-optional', ...pnpmStore, `${sdkName}@${direct}`],
    env: { PNPM_HOME: '$ROOT/pnpm', PATH: `$ROOT/pnpm/bin:${process.env.PATH ?? ''}` },
  },
};

// yarn 1 would fetch 250 MB of platform packages: these releases have none.
const classicFlags = ['--ignore-scripts', '--ignore-optional', '--cache-folder=$STORE'];
const yarnClassic: Lane = {
  manager: 'yarnClassic',
  lockfile: 'yarn.lock',
  cases: [
    {
      name: 'hoisted and nested',
      layout: 'yarn-classic',
      args: ['install', ...classicFlags],
      tree: single(old, '@zed-industries/claude-code-acp', '0.16.2'),
      copies: [olderStill, old],
    },
  ],
  global: {
    version: old,
    args: ['global', 'add', ...classicFlags, '--prefix=$ROOT/prefix', `${sdkName}@${old}`],
    env: { XDG_DATA_HOME: '$ROOT/data' },
  },
};

/** Nothing of the platform packages: their `os` fits no system that is asked for. */
export function berry(linker: string): Tree {
  return workspace({
    'yarn.lock': '',
    '.yarnrc.yml': `nodeLinker: ${linker}\nenableScripts: false\nenableTelemetry: false\nsupportedArchitectures:\n  os: [none]\n  cpu: [none]\n`,
  });
}

export const berryEnv = { YARN_GLOBAL_FOLDER: '$STORE', YARN_ENABLE_IMMUTABLE_INSTALLS: '0' };
const yarn: Lane = {
  manager: 'yarn',
  lockfile: 'yarn.lock',
  kept: 'cache',
  cases: [
    { name: 'node-modules', layout: 'yarn', tree: berry('node-modules'), copies: hoisted },
    { name: 'pnpm', layout: 'yarn', tree: berry('pnpm'), copies: twins },
  ].map((one) => ({ ...one, args: ['install'], env: berryEnv }) as Case),
};

const bunFlags = ['--ignore-scripts', '--omit=optional', '--backend=hardlink'];
const bunEnv = { BUN_INSTALL_CACHE_DIR: '$STORE' };
const bun: Lane = {
  manager: 'bun',
  lockfile: 'bun.lock',
  kept: '',
  hardLinks: true,
  cases: [
    { name: 'hoisted', linker: 'hoisted', copies: hoisted },
    { name: 'isolated', linker: 'isolated', copies: twins },
  ].map(({ name, linker, copies }) => ({
    name,
    layout: 'bun',
    args: ['install', ...bunFlags, `--linker=${linker}`],
    env: bunEnv,
    tree: workspace(),
    copies,
  })),
  global: {
    version: direct,
    args: ['add', '--global', ...bunFlags, `${sdkName}@${direct}`],
    env: { ...bunEnv, BUN_INSTALL: '$ROOT/bun' },
  },
};

/** The longest first: two run at a time. */
export const lanes: readonly Lane[] = [npm, pnpm, yarn, bun, yarnClassic];
