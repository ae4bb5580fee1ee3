import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { runCli } from '../support/child.ts';
import { sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { makeTree } from '../support/tree.ts';

const main = `${sdkPlace}/sdk.mjs`;

it('leaves a file of 100 MB alone, says why, and needs little memory for it', async (t) => {
  const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
  const bytes = Buffer.concat([Buffer.from(fixture('first-result')), Buffer.alloc(100 * 2 ** 20, 'a(b);\n')]);
  writeFileSync(join(cwd, main), bytes);
  const run = await runCli(['patch'], { cwd, env: { NODE_OPTIONS: '--max-old-space-size=256' } });
  assert.deepEqual([run.code, run.signal], [2, null], run.stderr);
  assert.match(run.stderr, /sdk\.mjs cannot be read: too big to be taken apart \(100 MB\)\n {2}next: /);
  assert.ok(readFileSync(join(cwd, main)).equals(bytes));
});

it('patches a build of 200,000 statements that has the SDK inside', async (t) => {
  const source = 'var a=[1];\n'.repeat(200_000) + fixture('first-result');
  const cwd = makeTree(t, project({ 'dist/app.mjs': source }));
  const run = await runCli(['patch', '--file', 'dist/app.mjs'], { cwd });
  assert.deepEqual([run.code, run.stderr], [0, '']);
  assert.equal((await runCli(['restore', '--file', 'dist/app.mjs'], { cwd })).code, 0);
  assert.equal(readFileSync(join(cwd, 'dist/app.mjs'), 'utf8'), source);
});
