import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LayoutFinder, nodeModulesOf } from './layout.ts';
import { optionalText } from './read.ts';
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
    if (berry || existsSync(join(nodeModules, '.yarn-state.yml')))
      walkTree(start, { layout: 'yarn' }, findings);
  },
};

/** yarn 1: lays packages out as npm does, and leaves its state in `node_modules/.yarn-integrity`. */
export const yarnClassic: LayoutFinder = {
  layout: 'yarn-classic',
  find(start, findings) {
    if (existsSync(join(nodeModulesOf(start), '.yarn-integrity')))
      walkTree(start, { layout: 'yarn-classic' }, findings);
  },
  // `yarn global dir`; later ones have none. As 1.22.22 answers: XDG_CONFIG_HOME does not count, and on Linux the
  // superuser's home is another one.
  globalRoots({ env, home, platform, superuser }) {
    const named = env.YARN_GLOBAL_FOLDER ?? env.npm_config_global_folder ?? yarnrcFolder(home);
    const windows = platform === 'win32' ? join(env.LOCALAPPDATA ?? home, 'Yarn/Data/global') : undefined;
    const own = platform === 'linux' && superuser ? '/usr/local/share' : home;
    const data = env.XDG_DATA_HOME ?? join(own, '.config');
    return [join(named ?? windows ?? join(data, 'yarn/global'), 'node_modules')];
  },
};

/** `global-folder "/path"` in ~/.yarnrc. */
function yarnrcFolder(home: string): string | undefined {
  const settings = optionalText(join(home, '.yarnrc')) ?? '';
  return /^"?global-folder"?[ \t]+"?([^"\n]+?)"?[ \t]*$/m.exec(settings)?.[1];
}
