import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemCode } from '../../errors.ts';
import { readRegular } from './read.ts';

/** What decides where package managers install globally; tests hand in their own. */
export interface GlobalSurroundings {
  env: NodeJS.ProcessEnv;
  home: string;
  platform: NodeJS.Platform;
  /** Path of the node binary: npm's prefix follows from it. */
  node: string;
}

/**
 * The directories that packages are installed in globally, as far as they are there. Nothing is asked of the package
 * managers: their rules are short, and `--global` must not run anything.
 * @returns `node_modules` directories
 */
export function globalRoots(where: GlobalSurroundings = surroundings()): string[] {
  const roots = [...npmRoots(where), ...pnpmRoots(where), ...yarnRoots(where), ...bunRoots(where)];
  return [...new Set(roots)].filter((path) => existsSync(path));
}

function surroundings(): GlobalSurroundings {
  return { env: process.env, home: homedir(), platform: process.platform, node: process.execPath };
}

/** `npm root --global`: below the prefix, which the environment, a .npmrc or the place of node says. */
function npmRoots({ env, home, platform, node }: GlobalSurroundings): string[] {
  const windows = platform === 'win32';
  const named = env.npm_config_prefix ?? env.NPM_CONFIG_PREFIX ?? npmrcPrefix(home, env);
  const prefixes =
    named !== undefined ? [named] : [windows ? join(env.APPDATA ?? home, 'npm') : dirname(dirname(node))];
  return prefixes.map((prefix) =>
    windows ? join(prefix, 'node_modules') : join(prefix, 'lib/node_modules'),
  );
}

function npmrcPrefix(home: string, env: NodeJS.ProcessEnv): string | undefined {
  const line = /^[ \t]*prefix[ \t]*=[ \t]*(.+?)[ \t]*$/m.exec(read(join(home, '.npmrc')) ?? '')?.[1];
  return line
    ?.replace(/^(["'])(.*)\1$/, '$2')
    .replace(/^~(?=\/|$)/, home)
    .replace(/\$\{([^}]+)\}/g, (_, name: string) => env[name] ?? '');
}

/** `<home of pnpm>/global/5/node_modules`; since pnpm 11 a folder for each install below `global/v11`. */
function pnpmRoots({ env, home, platform }: GlobalSurroundings): string[] {
  const data = env.XDG_DATA_HOME ?? join(home, '.local/share');
  const byPlatform: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library/pnpm'),
    win32: join(env.LOCALAPPDATA ?? home, 'pnpm'),
  };
  const global = join(env.PNPM_HOME ?? byPlatform[platform] ?? join(data, 'pnpm'), 'global');
  return folders(global).flatMap((layout) => [
    join(layout, 'node_modules'),
    ...folders(layout).map((install) => join(install, 'node_modules')),
  ]);
}

/** `yarn global dir` of yarn 1; later ones have none. As root it does not use the home folder. */
function yarnRoots({ env, home, platform }: GlobalSurroundings): string[] {
  const homes = [home, '/usr/local/share'].map((path) => join(path, '.config'));
  const unix = (env.XDG_DATA_HOME === undefined ? homes : [env.XDG_DATA_HOME]).map((data) =>
    join(data, 'yarn/global'),
  );
  const windows = [join(env.LOCALAPPDATA ?? home, 'Yarn/Data/global')];
  return (platform === 'win32' ? windows : unix).map((dir) => join(dir, 'node_modules'));
}

function bunRoots({ env, home }: GlobalSurroundings): string[] {
  const dir = env.BUN_INSTALL_GLOBAL_DIR ?? join(env.BUN_INSTALL ?? join(home, '.bun'), 'install/global');
  return [join(dir, 'node_modules')];
}

function folders(path: string): string[] {
  try {
    return readdirSync(path)
      .filter((name) => name !== 'node_modules')
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readRegular(path).toString('utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
