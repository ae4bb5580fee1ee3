// The command `check` where it cannot do its work.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CheckReport } from '../../src/release/types.ts';
import { giveAway, runCli } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';
import { installedSdk } from '../support/project.ts';
import { jsonFile, makeTree } from '../support/tree.ts';
import { packed, tgz } from './pack.ts';
import { type Published, release, startRegistry } from './registry.ts';

import { assertNothingLeft, check, main, versions } from './checked.ts';

describe('check says what went wrong, exits with 2 and leaves nothing behind', { concurrency: 2 }, () => {
  const whole = versions['0.9.0']?.tarball ?? Buffer.alloc(0);
  const cases: Record<string, [Published, RegExp]> = {
    'a tarball that is not there': [
      { tarball: whole, missing: true },
      /has no .*0\.9\.0|could not get .*0\.9\.0/,
    ],
    'a registry that wants to be asked less often': [
      { tarball: whole, answer: 429 },
      /wants to be asked less often: .*\(E429\)[^]*\nNext: wait a while: the same command goes on/,
    ],
    'a registry with a fault of its own': [
      { tarball: whole, answer: 503 },
      /has a fault of its own: .*\(E503\)[^]*\nNext: wait a while: the same command goes on/,
    ],
    'another tarball than the registry says': [
      { tarball: whole, integrity: `sha512-${'A'.repeat(86)}==` },
      /is not what the registry says it is/,
    ],
    'a tarball that is cut off': [
      { tarball: whole.subarray(0, whole.length - 100) },
      /cut off|could not get/,
    ],
    'a path that leads out': [
      { tarball: packed({ 'package.json': '{}', '../../../evil.js': 'x' }) },
      /leads out/,
    ],
    'a file as large as no script is': [
      {
        tarball: tgz([
          { path: 'package/package.json', text: jsonFile({ name: sdkName, version: '0.9.0' }) },
          { path: 'package/sdk.mjs', text: 'x', size: 2 ** 29 },
        ]),
      },
      /more than a script can have/,
    ],
    'no package.json': [{ tarball: packed({ 'sdk.mjs': '' }) }, /no package\.json|could not get/],
    'a package that says it is another': [
      release('6.6.6', main('first-result')),
      /says that it is .*6\.6\.6/,
    ],
  };
  for (const [name, [published, message]] of Object.entries(cases))
    it(name, async (t) => {
      const registry = await startRegistry(t, {
        '0.9.0': published,
        '0.9.1': release('0.9.1', main('first-result')),
      });
      const run = await check(registry, '0.9.0', '0.9.1');
      assert.match(run.stdout, message);
      assert.match(run.stdout, /\nNext: /);
      assert.match(run.stdout, /^0\.9\.1 {2}affected/, 'the other one is checked all the same');
      assert.equal(run.code, 2);
      assertNothingLeft(registry);
      const kept = `${registry.env.HOLDOPEN_CACHE ?? ''}/packages/${sdkName.replace('/', '+')}`;
      assert.deepEqual(readdirSync(kept), ['0.9.1']);
    });

  it('no network', async (t) => {
    const registry = await startRegistry(t, versions);
    await registry.close();
    for (const words of [[], ['0.9.0'], ['--all']]) {
      const run = await check(registry, ...words);
      assert.equal(run.code, 2);
      assert.match(run.stdout + run.stderr, /cannot reach the registry for .*ECONNREFUSED/);
    }
    assertNothingLeft(registry);
  });

  it('a registry that answers with something else, or never: what to do next can be typed', async (t) => {
    for (const [answer, said] of [
      ['<html>', /npm could not get .*\n[^]*\nNext: npm view "@[^"]*@>=0\.9\.0 <=0\.9\.1"\n/],
      [undefined, /cannot reach the registry for .*\n[^]*\nNext: npm ping; /],
    ] as const) {
      const registry = await startRegistry(t, versions, {
        answer: (response) => void (answer && response.end(answer)),
      });
      const env = { ...registry.env, npm_config_fetch_timeout: '1000' };
      const run = await check({ ...registry, env }, '0.9.0', '0.9.1');
      assert.equal(run.code, 2);
      assert.match(run.stdout, said);
      assertNothingLeft(registry);
    }
  });

  it('a registry that npm is told not to ask', async (t) => {
    const registry = await startRegistry(t, versions);
    const run = await check({ ...registry, env: { ...registry.env, npm_config_offline: 'true' } });
    assert.equal(run.code, 2);
    assert.match(run.stderr, /cannot reach the registry for .*ENOTCACHED.*\n {2}next: .*--from-catalogue/s);
    assert.equal(registry.asked.length, 0);
    assertNothingLeft(registry);
  });

  it('an interrupt: what was downloaded is kept, and the same command goes on', async (t) => {
    let stalled = (): void => undefined;
    const interrupt = new Promise<void>((resolve) => (stalled = resolve));
    const slow: Published = { ...release('0.9.2', main('run-end')), stall: () => stalled() };
    const some = { '0.9.0': versions['0.9.0'], '0.9.1': versions['0.9.1'], '0.9.2': slow };
    const registry = await startRegistry(t, some as Record<string, Published>);
    const run = await runCli(['check', '--all'], { ...registry, interrupt });
    assert.equal(run.code, 2);
    assert.match(run.stderr, /interrupted; what was downloaded is kept\n {2}next: the same command goes on/);
    assertNothingLeft(registry);

    slow.stall = undefined;
    const before = registry.asked.length;
    const again = await check(registry, '--all', '--format', 'json', '--fail-on', 'none');
    assert.equal(again.code, 0, again.stderr);
    assert.equal((JSON.parse(again.stdout) as CheckReport).releases.length, 3);
    const fetched = registry.asked.slice(before).filter((path) => path.endsWith('.tgz'));
    assert.ok(fetched.some((path) => path.includes('0.9.2')));
    assert.ok(!fetched.some((path) => path.includes('0.9.0')), 'it is not downloaded again');
  });

  it('an interrupt while the last one is judged', async (t) => {
    const cwd = makeTree(t, { dir: installedSdk(), cache: {} });
    for (const signal of ['SIGINT', 'SIGTERM']) {
      // Progress is told in the same turn in which a release was judged.
      const code = `let sent = false;
        const get = () => { if (!sent) process.kill(process.pid, '${signal}'); sent = true; return false; };
        Object.defineProperty(process.stderr, 'isTTY', { get });`;
      const env = {
        HOLDOPEN_CACHE: join(cwd, 'cache'),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
      };
      const run = await runCli(['check', './dir', '--output', 'json=a.json'], { cwd, env });
      assert.deepEqual([run.code, run.signal, run.stdout], [2, null, '']);
      assert.match(
        run.stderr,
        /interrupted; what was downloaded is kept\n {2}next: the same command goes on/,
      );
      assert.deepEqual(readdirSync(cwd).sort(), ['cache', 'dir']);
    }
  });

  it('a package, a tag, a range and a version that are not there', async (t) => {
    const registry = await startRegistry(t, versions);
    const says = async (pattern: RegExp, ...words: string[]): Promise<void> => {
      const run = await check(registry, ...words);
      assert.equal(run.code, 2, words.join(' '));
      assert.match(run.stdout + run.stderr, pattern);
    };
    await says(/the registry has no .*other/, '--package', '@somebody/other');
    await says(/has no tag nightly/, 'nightly');
    await says(/no release in \^7/, '^7.0.0');
    await says(/registry has no .*7\.7\.7/, '7.7.7');
    await says(/no release after 0\.9\.5/, '--since', '0.9.5');
    await says(/--since takes a version/, '--since', 'yesterday');
    await says(/no name of a package/, '--package', '../x');
    await says(/--against takes a version/, '--against', 'x');
    assertNothingLeft(registry);
  });

  for (const [name, mode, code] of [
    ['a file in the place of the cache', 'file', 'ENOTDIR'],
    ['a cache that cannot be written', 'folder', 'EACCES'],
  ] as const)
    it(name, async (t) => {
      const registry = await startRegistry(t, versions);
      const home = makeTree(t, { file: '', folder: {} });
      giveAway(home);
      chmodSync(join(home, 'folder'), 0o555);
      const env = { ...registry.env, HOLDOPEN_CACHE: join(home, mode), npm_config_cache: join(home, 'npm') };
      for (const words of [[], ['0.9.0']]) {
        const run = await runCli(['check', ...words], {
          cwd: registry.cwd,
          env,
          unprivileged: true,
        });
        assert.equal(run.code, 2, run.stderr);
        const said = new RegExp(`cannot write to the cache at ${env.HOLDOPEN_CACHE} \\(${code}\\)`);
        assert.match(run.stdout + run.stderr, said);
        assert.match(run.stdout + run.stderr, /name a folder that can be written: HOLDOPEN_CACHE=/);
      }
    });

  it('a cache below a file system that takes no folders', { skip: !existsSync('/proc/self') }, async (t) => {
    const registry = await startRegistry(t, versions);
    const env = { ...registry.env, HOLDOPEN_CACHE: '/proc/holdopen' };
    for (const words of [['latest'], ['0.9.0']]) {
      const run = await runCli(['check', ...words], { ...registry, env, timeout: 60_000 });
      assert.deepEqual([run.code, run.signal], [2, null], words.join(' '));
      assert.match(run.stdout + run.stderr, /cannot write to the cache at \/proc\/holdopen \(ENOENT\)/);
      assert.match(run.stdout + run.stderr, /name a folder that can be written: HOLDOPEN_CACHE=/);
    }
  });

  it('an output that cannot be written, before anything is fetched', async (t) => {
    const registry = await startRegistry(t, versions);
    for (const [message, ...words] of [
      [/cannot write gone\/page\.html \(ENOENT\)/, '--html', 'gone/page.html'],
      [/cannot write \.\. \(EISDIR\)/, '--output', 'json=..'],
      [/two outputs go to one file: page/, '--output', 'json=./page', '--html', 'page'],
      [/- is no file/, '--html', '-'],
      [/It is empty/, '--html', ''],
    ] as const) {
      const run = await runCli(['check', '--all', ...words], registry);
      assert.deepEqual([run.code, run.stdout], [2, ''], words.join(' '));
      assert.match(run.stderr, message);
    }
    assert.deepEqual(registry.asked, []);
    assertNothingLeft(registry);
  });

  it('without npm', async (t) => {
    const registry = await startRegistry(t, versions);
    const run = await check({ ...registry, env: { ...registry.env, PATH: '/nowhere' } }, 'latest');
    assert.equal(run.code, 2);
    assert.match(run.stderr, /npm is not installed here/);
  });
});
