import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ProbeReport } from '../../src/report/probe.ts';
import { runBuiltCli } from '../support/built-cli.ts';
import { fixturePath } from '../support/fixtures.ts';

const few = ['--scenario', 'S13,P1', '--kind', 'canUseTool', '--prompt', 'iterable'];
const probe = (name: string, ...args: string[]) =>
  runBuiltCli(['probe', fixturePath(`src/${name}.mjs`), ...args]);

describe('holdopen probe', { concurrency: 2 }, () => {
  test('prints a matrix and exits with 0 where the patch holds', async () => {
    const { code, stdout, stderr } = await probe('first-result', ...few, '--dialect', 'set-first');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /affected \(first-result\), CLI speaks set-first\n/);
    assert.match(stdout, /^S13 {2,}lost 3 {2,}served 3 {2,}\d+ ms {2,}the end of a shell wakes the model/m);
    assert.match(stdout, /^P1 {3,}served 3 {2,}served 3 {2,}\d+ ms/m);
    assert.match(stdout, /nothing lost, nothing hung; the static verdict agrees/);
  });

  test('prints JSON', async () => {
    const { code, stdout } = await probe('run-end', ...few, '--format', 'json');
    assert.equal(code, 0);
    const report = JSON.parse(stdout) as ProbeReport;
    assert.equal(report.schema, 'holdopen/probe@1');
    const [bundle] = report.bundles;
    assert.ok(bundle && 'runs' in bundle);
    assert.deepEqual([bundle.status, bundle.family, bundle.dialects], ['partial', 'run-end', ['set-last']]);
    const shell = bundle.runs.find(({ scenario }) => scenario === 'S13');
    assert.deepEqual([shell?.stock.outcome, shell?.patched?.outcome], ['lost', 'served']);
  });

  test('exits with 1 where stock does not do what its status says', async () => {
    // There idle waits for shells too, so that this family is fine.
    const only = ['--scenario', 'S13', '--kind', 'canUseTool', '--stock-only', '--dialect', 'edges'];
    const { code, stdout } = await probe('run-end', ...only);
    assert.equal(code, 1);
    assert.match(stdout, /stock only; the static verdict does not agree/);
    assert.match(stdout, /partial, but stock served S13/);
  });

  test('exits with 2 where there is nothing to drive, or no such scenario', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdopen-empty-'));
    try {
      const none = await runBuiltCli(['probe', folder]);
      assert.equal(none.code, 2);
      assert.match(none.stderr, /nothing in .* could be driven/);
      const wrong = await probe('first-result', '--scenario', 'S99');
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /there is no scenario S99\n {2}next: use some of S1, /);
      const web = await probe('web-transport');
      assert.equal(web.code, 2);
      assert.match(web.stdout, /not driven, it has no transport/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
