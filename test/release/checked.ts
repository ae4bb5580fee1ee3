// What the tests of the command `check` share: the releases of their registry, and the way to run it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { type Ended, runCli } from '../support/child.ts';
import { fixture } from '../support/project.ts';
import { type Published, type Registry, release } from './registry.ts';

export const main = (family: string, comment = ''): Record<string, string> => ({
  'sdk.mjs': `${fixture(family)}${comment}`,
});

export const versions: Record<string, Published> = {
  '0.9.0': release('0.9.0', main('first-result')),
  '0.9.1': release('0.9.1', main('first-result', '// other bytes\n')),
  '0.9.2': release('0.9.2', main('run-end')),
  '0.9.3': release(
    '0.9.3',
    { 'sdk.mjs': fixture('run-end'), 'core.mjs': fixture('run-end') },
    { exports: { '.': './sdk.mjs', './core': './core.mjs' } },
  ),
  '0.9.4': release('0.9.4', { 'sdk.mjs': 'export const streamInput = 1; x.endInput();' }),
  '0.9.5': release('0.9.5', main('web-transport')),
};

/** A slow machine gets lines of progress on stderr. */
export async function check(registry: Pick<Registry, 'cwd' | 'env'>, ...words: string[]): Promise<Ended> {
  const run = await runCli(['check', ...words], registry);
  return { ...run, stderr: run.stderr.replace(/^holdopen: checked \d+ of .*\n/gm, '') };
}

/** Nothing but what is kept for good lies in the cache. */
export function assertNothingLeft({ env, cwd }: Registry): void {
  const scratch = `${env.HOLDOPEN_CACHE ?? ''}/tmp`;
  assert.deepEqual(existsSync(scratch) ? readdirSync(scratch) : [], []);
  assert.deepEqual(readdirSync(cwd).sort(), ['.npmrc', 'package.json']);
}
