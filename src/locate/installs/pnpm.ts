import { dirname, join, resolve } from 'node:path';
import { type LayoutFinder, nodeModulesOf } from './layout.ts';
import { yamlValue } from './library.ts';
import { parseManifest, text } from './manifest.ts';
import { directory, isInside, list, look, readRegular, real } from './read.ts';
import { walkStore, walkTree } from './walk.ts';

/**
 * pnpm. Isolated: links into the virtual store `node_modules/.pnpm`, one directory for each combination of peers, so
 * that one version may be there several times (peer twins). Hoisted: as npm. In both the files are hard links (or
 * clones) of the shared content store, which nothing here goes to. `.modules.yaml` says that pnpm wrote the tree and
 * where its virtual store is, which may be outside of the project (`virtualStoreDir`, `enableGlobalVirtualStore`).
 */
export const pnpm: LayoutFinder = {
  layout: 'pnpm',
  find(start, findings) {
    const nodeModules = nodeModulesOf(start);
    const statePath = join(nodeModules, '.modules.yaml');
    const state = look(statePath, findings, () => readRegular(statePath).toString('utf8'));
    const named = resolve(nodeModules, (state && virtualStoreDir(state)) ?? '.pnpm');
    const place = directory(named, findings) && real(named, findings);
    if (state === undefined && place === undefined) return;
    // What the project lies in itself, `/` or a home, is no store of pnpm's, whatever the file says: a copy in a store may
    // be written.
    const store = place !== undefined && isInside(place, nodeModules) ? undefined : place;
    const options = { layout: 'pnpm', store } as const;
    walkTree(start, options, findings);
    // A store outside of the project may be that of many: only what this one links to is its own business.
    if (store !== undefined && isInside(dirname(nodeModules), store)) walkStore(store, options, findings);
  },
  // `<home of pnpm>/global/5/node_modules`; since pnpm 11 a folder for each install below `global/v11`.
  globalRoots({ env, home, platform }) {
    const data = env.XDG_DATA_HOME ?? join(home, '.local/share');
    const byPlatform: Partial<Record<NodeJS.Platform, string>> = {
      darwin: join(home, 'Library/pnpm'),
      win32: join(env.LOCALAPPDATA ?? home, 'pnpm'),
    };
    const global = join(env.PNPM_HOME ?? byPlatform[platform] ?? join(data, 'pnpm'), 'global');
    return folders(global)
      .flatMap((layout) => [layout, ...folders(layout)])
      .map((install) => join(install, 'node_modules'));
  },
};

/** New releases write JSON, older ones the block style of YAML. */
function virtualStoreDir(state: string): string | undefined {
  const json = parseManifest(state);
  const dir = json.state === 'ok' ? json.manifest['virtualStoreDir'] : yamlValue(state, 'virtualStoreDir');
  return text(dir);
}

/** What cannot be listed is no place that pnpm installs into. */
function folders(path: string): string[] {
  const entries = list(path, { addUnreadable: () => undefined });
  return entries.filter(({ name }) => name !== 'node_modules').map(({ name }) => join(path, name));
}
