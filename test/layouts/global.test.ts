/** What package managers install globally: found below their own roots, patched and restored. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Report } from '../../src/types.ts';
import { runCli } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';
import { makeTree } from '../support/tree.ts';
import { direct } from './cases.ts';
import { type Managers, managers, run } from './managers.ts';

interface GlobalCase {
  manager: keyof Managers;
  args: string[];
  /** `$ROOT` stands for a temporary folder, which the whole install has to be in. */
  env: Record<string, string>;
  version: string;
}

const cases: GlobalCase[] = [
  {
    manager: 'npm',
    args: ['install', '--global', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'],
    env: { npm_config_prefix: '$ROOT/prefix' },
    version: direct,
  },
  {
    manager: 'pnpm',
    args: ['add', '--global', '--ignore-scripts', '--no-optional', '--store-dir=$ROOT/store'],
    env: { PNPM_HOME: '$ROOT/pnpm', PATH: `$ROOT/pnpm/bin:${process.env.PATH}` },
    version: direct,
  },
  {
    manager: 'yarnClassic',
    args: ['global', 'add', '--ignore-scripts', '--ignore-optional', '--cache-folder=$ROOT/store'],
    env: { XDG_DATA_HOME: '$ROOT/data', npm_config_prefix: '$ROOT/prefix' },
    // Where the SDK has no platform packages: yarn 1 would fetch 250 MB of them.
    version: '0.2.50',
  },
  {
    manager: 'bun',
    args: ['add', '--global', '--ignore-scripts', '--omit=optional'],
    env: { BUN_INSTALL: '$ROOT/bun', BUN_INSTALL_CACHE_DIR: '$ROOT/store' },
    version: direct,
  },
];

describe('global installs', () => {
  for (const { manager, args, env, version } of cases)
    it(manager, async (t) => {
      const root = makeTree(t, { elsewhere: { 'package.json': '{}' } });
      const put = (text: string): string => text.replaceAll('$ROOT', root);
      const entries = Object.entries(env).map(([name, value]) => [name, put(value)] as const);
      const environment = Object.fromEntries(entries);
      const cwd = join(root, 'elsewhere');
      mkdirSync(join(root, 'pnpm/bin'), { recursive: true });
      await run((await managers())[manager], [...args.map(put), `${sdkName}@${version}`], cwd, environment);

      const cli = async (...words: string[]): Promise<string> => {
        // Nothing of the user's own global installs is touched.
        const surroundings = { npm_config_prefix: join(root, 'none'), ...environment, HOME: root };
        const { stdout, stderr } = await runCli([...words, '--global'], { cwd, env: surroundings });
        assert.equal(stderr, '');
        return stdout;
      };
      const look = async (): Promise<Report['copies']> =>
        (JSON.parse(await cli('audit', '--format', 'json')) as Report).copies;
      const stock = await look();
      assert.deepEqual(
        stock.map((copy) => [copy.version, copy.status]),
        [[version, 'affected']],
      );
      const path = stock[0]?.path ?? '';
      assert.ok(path.startsWith(root), path);
      await cli('patch');
      assert.deepEqual(
        (await look()).map((copy) => [copy.path, copy.status]),
        [[path, 'patched']],
      );
      await cli('restore');
      assert.deepEqual(await look(), stock);
    });
});
