import { dirname, join, resolve } from 'node:path';
import { directory, isInside, look, real } from './disk.ts';
import type { Findings, LayoutFinder } from './layout.ts';
import { parseManifest, text } from './manifest.ts';
import { nodeModulesOf } from './project.ts';
import { walkStore, walkTree } from './walk.ts';
import { yamlValue } from './yaml.ts';
import { readRegular } from './read.ts';

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
    const state = read(join(nodeModules, '.modules.yaml'), findings);
    const named = resolve(nodeModules, (state && virtualStoreDir(state)) ?? '.pnpm');
    const place = directory(named, findings) && real(named, findings);
    if (state === undefined && place === undefined) return;
    // What the project lies in itself, `/` or a home, is no store of pnpm's, whatever the file says: a copy in a store may
    // be written.
    const store = place !== undefined && isInside(place, nodeModules) ? undefined : place;
    const options = { layout: 'pnpm', store } as const;
    walkTree(start, options, findings);
    // A store outside of the project may be that of many: only what this one links to is its own business.
    if (store !== undefined && isInside(dirname(nodeModules), store))
      walkStore(store, mayHoldCopy, options, findings);
  },
};

/** `@anthropic-ai+claude-agent-sdk@1.0.0_peers`; a long list of peers is cut and hashed, the name never is. */
function mayHoldCopy(entry: string): boolean {
  return entry.startsWith('@anthropic-ai+claude-');
}

/** New releases write JSON, which is YAML; older ones block style. */
function virtualStoreDir(state: string): string | undefined {
  const json = parseManifest(state);
  const dir = json.state === 'ok' ? json.manifest['virtualStoreDir'] : yamlValue(state, 'virtualStoreDir');
  return text(dir);
}

function read(path: string, findings: Findings): string | undefined {
  return look(path, findings, () => readRegular(path).toString('utf8'));
}
