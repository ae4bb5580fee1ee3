import { existsSync } from 'node:fs';
import { join } from 'node:path';

export type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** What `setup` needs to know of a package manager. */
export interface ManagerFacts {
  name: Manager;
  /** The scripts of the root that it runs after it has changed `node_modules`. */
  scripts: readonly string[];
  /** Adds holdopen to the project. */
  install: string;
  /** What no script can do, where there is such a thing. */
  gap?: string;
  /** The same of a root with workspaces. */
  workspaceGap?: string;
}

/** Seen with npm 11, pnpm 12, yarn 1 and 4 and bun 1: which script ran on install, on install again, on add. */
const managers: Record<Manager, ManagerFacts> = {
  npm: {
    name: 'npm',
    // `npm install x` runs `dependencies` alone; `npm install` without a change runs `postinstall` alone.
    scripts: ['postinstall', 'dependencies'],
    install: 'npm install --save-dev holdopen',
  },
  pnpm: {
    name: 'pnpm',
    scripts: ['postinstall'],
    install: 'pnpm add --save-dev holdopen',
    gap: 'pnpm runs no script of the project on "pnpm add" and "pnpm update": run "pnpm exec holdopen patch" after them',
  },
  yarn: {
    name: 'yarn',
    scripts: ['postinstall'],
    install: 'yarn add --dev holdopen',
    // `yarn add` in a member with yarn 1; with yarn 4 `yarn install` as well, where only a member's packages changed.
    workspaceGap:
      'yarn runs no script of the root when only the packages of a workspace change: run "yarn holdopen patch" at the root after that',
  },
  bun: { name: 'bun', scripts: ['postinstall'], install: 'bun add --dev holdopen' },
};

const lockfiles: readonly [file: string, manager: Manager][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

/**
 * The package manager of a project: what its package.json names, else whose lockfile is there, else npm.
 * @param root of the project
 * @param named the field `packageManager`, as it is
 */
export function managerOf(root: string, named: unknown): ManagerFacts {
  const word = typeof named === 'string' ? named.split('@')[0] : undefined;
  const name =
    Object.values(managers).find((manager) => manager.name === word)?.name ??
    lockfiles.find(([file]) => existsSync(join(root, file)))?.[1] ??
    'npm';
  return managers[name];
}
