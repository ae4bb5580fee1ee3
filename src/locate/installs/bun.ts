import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { directory, real } from './disk.ts';
import type { LayoutFinder } from './layout.ts';
import { nodeModulesOf } from './project.ts';
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
    if (store === undefined) return;
    const mayHold = (entry: string): boolean => entry.startsWith('@anthropic-ai+claude-');
    walkStore(store, mayHold, { layout: 'bun', store }, findings);
  },
};
