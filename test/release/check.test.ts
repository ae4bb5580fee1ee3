/** `check` in a process of its own, with the real npm client against a registry on loopback. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CheckReport } from '../../src/release/types.ts';
import { runCli } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';
import { fixture } from '../support/project.ts';
import { jsonFile, makeTree } from '../support/tree.ts';
import { assertNothingLeft, check, main, versions } from './checked.ts';
import { packed } from './pack.ts';
import { startRegistry } from './registry.ts';

describe('check', { concurrency: 2 }, () => {
  it('takes the newest release, and fetches it once', async (t) => {
    const registry = await startRegistry(t, versions, { latest: '0.9.0' });
    const first = await check(registry, '--format', 'json', '--fail-on', 'unpatchable');
    assert.equal(first.stderr, '');
    assert.equal(first.code, 0);
    const report = JSON.parse(first.stdout) as CheckReport;
    assert.deepEqual([report.schema, report.package], ['holdopen/check@1', sdkName]);
    const [one, ...others] = report.releases;
    assert.equal(others.length, 0);
    assert.deepEqual(
      [one?.version, one?.status, one?.patchable, one?.recorded],
      ['0.9.0', 'affected', true, false],
    );
    assert.equal(one?.cli, '2.0.9.0');
    assert.match(one.integrity ?? '', /^sha512-/);
    assert.ok((one.unpackedSize ?? 0) > fixture('first-result').length);
    assert.deepEqual(
      one.bundles.map(({ file, known, since }) => [file, known, since]),
      [['sdk.mjs', false, null]],
    );
    // The newest recorded release is the one before it: another family, and it has more bundles.
    assert.equal(one.against, report.catalogue.newest);
    assertNothingLeft(registry);

    const asked = registry.asked.length;
    assert.equal((await check(registry, '--format', 'json', '--fail-on', 'none')).stdout, first.stdout);
    assert.equal(registry.asked.length, asked, 'a warm cache asks nothing');
  });

  it('takes exact versions, ranges, tags, --since and --all; each once, oldest first', async (t) => {
    const registry = await startRegistry(t, versions, { latest: '0.9.3' });
    const checked = async (...words: string[]): Promise<string[]> => {
      const run = await check(registry, '--format', 'json', '--fail-on', 'none', ...words);
      assert.equal(run.stderr, '');
      return (JSON.parse(run.stdout) as CheckReport).releases.map(({ version }) => version);
    };
    assert.deepEqual(await checked('0.9.1', 'next', '0.9.0', 'v0.9.1'), ['0.9.0', '0.9.1', '0.9.3']);
    assert.deepEqual(await checked('<0.9.2'), ['0.9.0', '0.9.1']);
    assert.deepEqual(await checked('--since', '0.9.3'), ['0.9.4', '0.9.5']);
    assert.deepEqual(await checked('--all'), Object.keys(versions));
  });

  it('needs no registry for an exact version that it has', async (t) => {
    const registry = await startRegistry(t, versions);
    await check(registry, '0.9.0', '0.9.1');
    await registry.close();
    const run = await check(registry, '0.9.0', '--format', 'json', '--fail-on', 'none');
    assert.equal(run.code, 0, run.stderr);
  });

  it('says what moved from release to release, and exits with 1 for what matters', async (t) => {
    const registry = await startRegistry(t, versions);
    const run = await check(registry, '--all', '--format', 'json', '--against', '0.9.0');
    assert.equal(run.code, 1);
    const levels = await check(registry, '0.9.0', '0.9.1', '0.9.2', '0.9.3', '--format', 'json');
    const drifts = (JSON.parse(levels.stdout) as CheckReport).releases.map(({ against, drift, news }) => [
      against,
      drift.map(({ file, level }) => `${file} ${level}`).join(),
      news.join(),
    ]);
    assert.deepEqual(drifts.slice(1), [
      ['0.9.0', 'sdk.mjs bytes', ''],
      ['0.9.1', 'sdk.mjs facts', 'family'],
      ['0.9.2', 'core.mjs added,sdk.mjs same', 'bundles'],
    ]);
  });

  it('fails on a release that the patch does not hold on, and says the next step', async (t) => {
    const registry = await startRegistry(t, versions);
    const run = await check(registry, '0.9.4');
    assert.equal(run.code, 1);
    assert.match(run.stdout, /^0\.9\.4 {2}unknown {2}the patch does not hold/);
    assert.match(run.stdout, /! 0\.9\.4 cannot be patched/);
    assert.match(
      run.stdout,
      /the patch does not hold on 0\.9\.4\.\nNext: npm install --save-dev holdopen@latest/,
    );
    assert.equal((await check(registry, '0.9.4', '--fail-on', 'shape, unneeded')).code, 0);
  });

  it('says that holdopen can go where no bundle needs it', async (t) => {
    const registry = await startRegistry(t, versions);
    const run = await check(registry, '0.9.5', '--against', '0.9.5');
    assert.match(run.stdout, /no patch is needed: holdopen can be removed/);
    assert.equal(run.code, 1);
    assert.equal((await check(registry, '0.9.5', '--against', '0.9.5', '--fail-on', 'unpatchable')).code, 0);
  });

  it('takes a tarball and a directory, without any registry', async (t) => {
    const registry = await startRegistry(t, {});
    await registry.close();
    const manifest = jsonFile({ name: sdkName, version: '1.2.3', main: 'sdk.mjs' });
    const files = { 'package.json': manifest, ...main('first-result') };
    const cwd = makeTree(t, { 'a.tgz': packed(files), dir: files, empty: {} });
    for (const [spec, source] of [
      ['a.tgz', 'tarball'],
      ['./dir', 'directory'],
    ] as const) {
      const run = await check({ cwd, env: registry.env }, spec, '--format', 'json', '--fail-on', 'none');
      assert.equal(run.stderr, '', spec);
      const [one] = (JSON.parse(run.stdout) as CheckReport).releases;
      assert.deepEqual(
        [one?.version, one?.source, one?.status, one?.patchable],
        ['1.2.3', source, 'affected', true],
      );
    }
    for (const [spec, message] of [
      ['./empty', /no package\.json/],
      ['./none.tgz', /no such file/],
    ] as const) {
      const run = await runCli(['check', spec], { cwd, env: registry.env });
      assert.equal(run.code, 2);
      assert.match(run.stdout + run.stderr, message);
    }
  });

  it('takes another package that has the class in any script', async (t) => {
    const name = '@somebody/tool';
    const manifest = jsonFile({ name, version: '1.0.0', bin: 'bin/tool.js' });
    const tarball = packed({
      'package.json': manifest,
      'bin/tool.js': 'import "../lib/x.js"',
      'lib/x.js': fixture('first-result'),
    });
    const registry = await startRegistry(t, { '1.0.0': { tarball } }, { name });
    const run = await check(registry, '--package', name, '--format', 'json');
    assert.equal(run.stderr, '');
    const [one] = (JSON.parse(run.stdout) as CheckReport).releases;
    assert.deepEqual(
      one?.bundles.map(({ file, status }) => [file, status]),
      [['lib/x.js', 'affected']],
    );
    assert.equal(one.against, null);
    assert.equal(run.code, 0);
  });

  it('prints what changed in normal form with --diff, and in no other format', async (t) => {
    const registry = await startRegistry(t, versions);
    const run = await check(registry, '0.9.2', '--against', '0.9.1', '--diff');
    assert.match(
      run.stdout,
      new RegExp(`^--- ${sdkName}@0\\.9\\.1 sdk\\.mjs\n\\+\\+\\+ ${sdkName}@0\\.9\\.2 sdk\\.mjs\n@@ `),
    );
    assert.match(run.stdout, /\n@@ waitForRunEnd @@\n\+/);
    assert.match(run.stdout, /\n@@ waitForFirstResult @@\n-/);
    assert.equal((await check(registry, '0.9.2', '--diff', '--format', 'json')).code, 2);
  });

  it('writes several outputs in one run', async (t) => {
    const registry = await startRegistry(t, versions);
    const out = makeTree(t, {});
    const outputs = ['json', 'sarif', 'junit', 'github-summary'].flatMap((format) => [
      '--output',
      `${format}=${out}/${format}`,
    ]);
    const run = await check(registry, '0.9.2', ...outputs, '--html', `${out}/page.html`);
    assert.match(run.stdout, /^0\.9\.2 /);
    assert.equal((JSON.parse(readFileSync(`${out}/json`, 'utf8')) as CheckReport).releases.length, 1);
    assert.match(readFileSync(`${out}/sarif`, 'utf8'), /"startLine": 4/, 'the line of the dependency');
    assert.match(readFileSync(`${out}/junit`, 'utf8'), /<testcase /);
    assert.match(readFileSync(`${out}/github-summary`, 'utf8'), /^## holdopen check/);
    assert.match(readFileSync(`${out}/page.html`, 'utf8'), /^<!doctype html>/);
    const wrong = await check(registry, '0.9.2', '--output', `json=${out}/none/x`);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /cannot write .*ENOENT/);
    assert.equal((await check(registry, '--output', 'yaml=x')).code, 2);
  });

  it('adds a summary to the page of a GitHub job, and to nothing else', async (t) => {
    const { cwd, env: own, close } = await startRegistry(t, {});
    await close();
    const words = ['--from-catalogue', '--since', '0.3.331'];
    const summary = join(cwd, 'summary.md');
    const env = { ...own, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    writeFileSync(summary, 'from a step before\n');
    const run = await check({ cwd, env }, ...words);
    assert.deepEqual([run.code, run.stderr], [0, '']);
    const text = readFileSync(summary, 'utf8');
    assert.match(
      text,
      /^from a step before\n## holdopen check: .*\n[^]*\| 0\.3\.332 \(the patch holds\) \| sdk\.mjs \|/,
    );

    for (const others of [
      ['--format', 'github-summary'],
      ['--output', 'github-summary=other.md'],
    ])
      await check({ cwd, env }, ...words, ...others);
    await check({ cwd, env: { ...env, GITHUB_ACTIONS: 'false' } }, ...words);
    assert.equal(readFileSync(summary, 'utf8'), text, 'once only, and in a job of GitHub only');
    assert.match(readFileSync(join(cwd, 'other.md'), 'utf8'), /^## holdopen check/);

    const lost = await check({ cwd, env: { ...env, GITHUB_STEP_SUMMARY: join(cwd, 'none/x') } }, ...words);
    assert.deepEqual([lost.code, lost.stdout], [0, run.stdout]);
    assert.match(lost.stderr, /^holdopen: warning: cannot write the step summary \(ENOENT\)\n$/);
  });

  it('shows the catalogue alone, without any registry', async (t) => {
    const registry = await startRegistry(t, {});
    await registry.close();
    const run = await check(registry, '--all', '--from-catalogue', '--format', 'json');
    assert.equal(run.code, 0);
    const { releases, summary } = JSON.parse(run.stdout) as CheckReport;
    assert.equal(releases.length, summary.releases);
    assert.ok(releases.length >= 341 && releases.every(({ patchable, recorded }) => patchable && recorded));
    assert.equal((await check(registry, '0.3.205', '--from-catalogue')).code, 2);
  });
});
