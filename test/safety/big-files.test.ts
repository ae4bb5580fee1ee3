import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { runCli } from '../support/child.ts';
import { sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { Tally } from '../support/report.ts';
import { makeTree } from '../support/tree.ts';

const main = `${sdkPlace}/sdk.mjs`;

it('leaves a file of 100 MB alone, says why, and needs little memory for it', async (t) => {
  const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
  const bytes = Buffer.concat([Buffer.from(fixture('first-result')), Buffer.alloc(100 * 2 ** 20, 'a(b);\n')]);
  writeFileSync(join(cwd, main), bytes);
  const run = await runCli(['patch'], { cwd, env: { NODE_OPTIONS: '--max-old-space-size=256' } });
  const tally = new Tally('lost', 'crashes');
  tally.count('crashes', run.code !== 2, run.stderr);
  assert.match(run.stderr, /sdk\.mjs cannot be read: too big to be taken apart \(100 MB\)\n {2}next: /);
  tally.count('lost', !readFileSync(join(cwd, main)).equals(bytes), main);
  tally.report(t, 'big-files', { files: 1 });
});

it('patches a build of 200,000 statements that has the SDK inside', async (t) => {
  const source = 'var $a=[1];\n'.repeat(200_000) + fixture('first-result');
  const cwd = makeTree(t, project({ 'dist/app.mjs': source }));
  const tally = new Tally('lost', 'crashes');
  for (const word of ['patch', 'restore']) {
    const run = await runCli([word, '--file', 'dist/app.mjs'], { cwd });
    tally.count('crashes', run.code !== 0 || run.stderr !== '', `${word}: ${run.stderr}`);
  }
  tally.count('lost', readFileSync(join(cwd, 'dist/app.mjs'), 'utf8') !== source, 'dist/app.mjs');
  tally.report(t, 'big-files', { files: 1 });
});
