import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('fixtures/dist holds the bytes that `npm run fixtures` makes, and nothing else', () => {
  const script = fileURLToPath(new URL('../scripts/fixtures.mjs', import.meta.url));
  const run = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8', timeout: 60_000 });
  assert.equal(run.stderr, '');
  assert.match(run.stdout, /^[1-9]\d* files, 0 not as generated\n$/);
  assert.equal(run.status, 0);
});
