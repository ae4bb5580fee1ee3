import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LayoutFinder, nodeModulesOf } from './layout.ts';
import { directory, real } from './read.ts';
import { walkStore, walkTree } from './walk.ts';

/**
 * bun. Hoisted: as npm. Isolated: links into `node_modules/.bun/<name>@<version>+<hash of the peers>`. On Linux and
 * Windows the files of both are hard links of the cache that all projects share.
 */
export const bun: LayoutFinder = {
  layout: 'bun',
  find(start, findings) {
    const nodeModules = nodeModulesOf(start);
    const named = join(nodeModules, '.bun');
    const store = directory(named, findings) && real(named, findings);
    const locks = ['bun.lock', 'bun.lockb'].map((name) => join(dirname(nodeModules), name));
    if (store === undefined && !locks.some((path) => existsSync(path))) return;
    walkTree(start, { layout: 'bun', store }, findings);
    if (store !== undefined) walkStore(store, { layout: 'bun', store }, findings);
  },
  globalRoots({ env, home }) {
    const dir = env.BUN_INSTALL_GLOBAL_DIR ?? join(env.BUN_INSTALL ?? join(home, '.bun'), 'install/global');
    return [join(dir, 'node_modules')];
  },
};
