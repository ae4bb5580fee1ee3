import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LayoutFinder } from './layout.ts';
import { nodeModulesOf } from './project.ts';
import { walkTree } from './walk.ts';

/** yarn 1: lays packages out as npm does, and leaves its state in `node_modules/.yarn-integrity`. */
export const yarnClassic: LayoutFinder = {
  layout: 'yarn-classic',
  find(start, findings) {
    if (!existsSync(join(nodeModulesOf(start), '.yarn-integrity'))) return;
    walkTree(start, { layout: 'yarn-classic' }, findings);
  },
};
