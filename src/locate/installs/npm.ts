import type { LayoutFinder } from './layout.ts';
import { walkTree } from './walk.ts';

/**
 * npm: hoisted, nested to any depth, workspaces, aliases, linked packages, and `install-strategy=linked` with its
 * `node_modules/.store`. It takes any tree that no more particular finder has walked, whoever wrote it.
 */
export const npm: LayoutFinder = {
  layout: 'npm',
  find: (start, findings) => walkTree(start, { layout: 'npm' }, findings),
};
