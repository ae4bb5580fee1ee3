import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LayoutFinder } from './layout.ts';
import { nodeModulesOf } from './project.ts';
import { walkTree } from './walk.ts';

/**
 * yarn 2 and later with a `node_modules`: the linker `node-modules` lays packages out as npm does and says so in
 * `.yarn-state.yml`; the linker `pnpm` links into `node_modules/.store/<name>-<hash>/package`, whose files are hard
 * links of one index for all projects, and twins of one version are hard links of each other. Without a `node_modules`
 * it is Plug'n'Play, see yarn-pnp.ts.
 */
export const yarn: LayoutFinder = {
  layout: 'yarn',
  find(start, findings) {
    const nodeModules = nodeModulesOf(start);
    const berry = existsSync(join(dirname(nodeModules), '.yarnrc.yml')) && existsSync(nodeModules);
    if (!berry && !existsSync(join(nodeModules, '.yarn-state.yml'))) return;
    walkTree(start, { layout: 'yarn' }, findings);
  },
};
