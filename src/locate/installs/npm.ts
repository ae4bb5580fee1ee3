import { dirname, join } from 'node:path';
import type { LayoutFinder, Surroundings } from './layout.ts';
import { optionalText } from './read.ts';
import { walkTree } from './walk.ts';

/**
 * npm: hoisted, nested to any depth, workspaces, aliases, linked packages, and `install-strategy=linked` with its
 * `node_modules/.store`. It takes any tree that no more particular finder has walked, whoever wrote it.
 */
export const npm: LayoutFinder = {
  layout: 'npm',
  find: (start, findings) => walkTree(start, { layout: 'npm' }, findings),
  // `npm root --global`: below the prefix, which the environment, a .npmrc or the place of node says.
  globalRoots({ env, home, platform, node }) {
    const windows = platform === 'win32';
    const named = env.npm_config_prefix ?? env.NPM_CONFIG_PREFIX ?? npmrcPrefix({ home, env });
    const prefix = named ?? (windows ? join(env.APPDATA ?? home, 'npm') : dirname(dirname(node)));
    return [join(prefix, windows ? 'node_modules' : 'lib/node_modules')];
  },
};

function npmrcPrefix({ home, env }: Pick<Surroundings, 'home' | 'env'>): string | undefined {
  const line = /^[ \t]*prefix[ \t]*=[ \t]*(.+?)[ \t]*$/m.exec(optionalText(join(home, '.npmrc')) ?? '')?.[1];
  return line
    ?.replace(/^(["'])(.*)\1$/, '$2')
    .replace(/^~(?=\/|$)/, home)
    .replace(/\$\{([^}]+)\}/g, (_, name: string) => env[name] ?? '');
}
