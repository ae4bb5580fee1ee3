/** What `check` must not be led astray by: odd words, a registry that lies, a cache that something else wrote to. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, describe, it } from 'node:test';
import { pool } from '../../src/release/check.ts';
import { buildCheckReport } from '../../src/release/report.ts';
import type { CheckReport } from '../../src/release/types.ts';
import { checkFormats } from '../../src/report/check.ts';
import { sdkName } from '../support/installs.ts';
import { jsonFile, makeTree } from '../support/tree.ts';
import { assertNothingLeft, check, main, versions } from './checked.ts';
import { packed, pax, tgz } from './pack.ts';
import { type Registry, release, startRegistry } from './registry.ts';

const json = ['--format', 'json', '--fail-on', 'none'];
const place = ({ env }: Registry, version: string): string =>
  join(env.HOLDOPEN_CACHE ?? '', 'packages', sdkName.replace('/', '+'), version);

async function report(registry: Pick<Registry, 'cwd' | 'env'>, ...words: string[]): Promise<CheckReport> {
  const run = await check(registry, ...words, ...json);
  assert.ok(run.code === 0 || run.code === 2, `${String(run.code)} ${run.stderr}`);
  assert.equal(run.stderr, '');
  return JSON.parse(run.stdout) as CheckReport;
}

describe('words that check cannot use', { concurrency: 2 }, () => {
  it('takes an empty word for wrong usage, and not for every release', async (t) => {
    const registry = await startRegistry(t, versions);
    for (const word of ['', ' ']) {
      const run = await check(registry, word);
      assert.equal(run.code, 2);
      assert.match(run.stderr, /an empty word is no version/);
    }
    assert.deepEqual(registry.asked, []);
  });

  it('takes --since of the catalogue as of the registry', async (t) => {
    const cwd = makeTree(t, {});
    const says = async (since: string, pattern: RegExp): Promise<void> => {
      const run = await check({ cwd, env: {} }, '--from-catalogue', '--since', since);
      assert.deepEqual([run.code, run.stdout], [2, '']);
      assert.match(run.stderr, pattern);
    };
    await says('yesterday', /--since takes a version/);
    await says('999.0.0', /no release after 999\.0\.0 is recorded/);
  });

  it('takes a version with a v for --against, and a place that is named twice once', async (t) => {
    const registry = await startRegistry(t, versions);
    const { releases } = await report(registry, '0.9.1', '--against', 'v0.9.0');
    assert.equal(releases[0]?.against, '0.9.0');
    const files = { 'package.json': jsonFile({ name: sdkName, version: '0.9.1', main: 'sdk.mjs' }) };
    const cwd = makeTree(t, { dir: { ...files, ...main('first-result') } });
    assert.equal((await report({ cwd, env: registry.env }, './dir', './dir/')).releases.length, 1);
  });

  it('refuses a name or a version that npm does not take, in a directory and in a tarball', async (t) => {
    for (const wrong of [
      { name: sdkName, version: 'dev' },
      { name: sdkName, version: '1.0' },
      { name: sdkName, version: '9'.repeat(300) },
      { name: '<img src=x>', version: '1.0.0' },
      { name: 'x\u001b[2J', version: '1.0.0' },
      { name: 'x'.repeat(10_000), version: '1.0.0' },
    ]) {
      const files = { 'package.json': jsonFile({ ...wrong, main: 'sdk.mjs' }), ...main('first-result') };
      const cwd = makeTree(t, { dir: files, 'a.tgz': packed(files) });
      const env = { HOLDOPEN_CACHE: join(cwd, 'cache') };
      const { failures, releases } = await report({ cwd, env }, './dir', 'a.tgz');
      assert.deepEqual(releases, []);
      assert.deepEqual(
        failures.map(({ code }) => code),
        ['no-package', 'bad-tarball'],
      );
      assert.ok(
        failures.every(({ message }) => !message.includes(wrong.name.slice(0, 5)) || wrong.name === sdkName),
      );
    }
  });
});

describe('a registry that check must not believe', { concurrency: 2 }, () => {
  it('makes neither folders nor words for npm of what is no version', async (t) => {
    const tags = { latest: '0.9.0', next: '../../../../../../tmp/x' };
    const bad = { ...release('0.9.0', main('first-result')) };
    const registry = await startRegistry(
      t,
      { '0.9.0': bad, '../../x': bad },
      { more: { 'dist-tags': tags } },
    );
    const run = await check(registry, 'next');
    assert.equal(run.code, 2);
    assert.match(run.stderr, /has no tag next/);
    const { releases, failures } = await report(registry, '--all');
    assert.deepEqual([releases.map(({ version }) => version), failures], [['0.9.0'], []]);
    assertNothingLeft(registry);
  });

  it('takes a hash of another kind, and records its own: an old registry is no news', async (t) => {
    const one = release('0.9.0', main('first-result'));
    const sha = (kind: string): string => createHash(kind).update(one.tarball).digest('base64');
    const shasum = createHash('sha1').update(one.tarball).digest('hex');
    for (const hashes of [{ shasum }, { integrity: `sha1-${sha('sha1')} sha512-${sha('sha512')}` }]) {
      const registry = await startRegistry(t, { '0.9.0': { ...one, hashes } });
      const [only] = (await report(registry, '0.9.0')).releases;
      assert.equal(only?.integrity, `sha512-${sha('sha512')}`);
    }
  });

  it('refuses a version of which no hash is known', async (t) => {
    const one = { ...release('0.9.0', main('first-result')), hashes: {} };
    const registry = await startRegistry(t, { '0.9.0': one, '0.9.1': one });
    const { failures } = await report(registry, '0.9.0', '0.9.1');
    assert.deepEqual(
      failures.map(({ code }) => code),
      ['integrity', 'integrity'],
    );
    assertNothingLeft(registry);
  });

  it('takes pre-releases of several versions, which are in no range', async (t) => {
    const some = ['1.0.0-beta.1', '2.0.0-beta.1'];
    const registry = await startRegistry(
      t,
      Object.fromEntries(some.map((version) => [version, release(version, main('first-result'))])),
    );
    const { releases } = await report(registry, ...some);
    assert.deepEqual(
      releases.map(({ version }) => version),
      some,
    );
  });

  it('checks what is in the cache where the rest cannot be had', async (t) => {
    const registry = await startRegistry(t, versions);
    await report(registry, '0.9.0');
    const missing = await report(registry, '0.9.0', '7.7.7', '8.8.8');
    await registry.close();
    const offline = await report(registry, '0.9.0', '0.9.1', '0.9.2');
    for (const [{ releases, failures }, code] of [
      [missing, 'E404'],
      [offline, 'ECONNREFUSED'],
    ] as const) {
      assert.deepEqual(
        releases.map(({ version }) => version),
        ['0.9.0'],
      );
      assert.deepEqual(
        failures.map((failure) => failure.code.replace('ETARGET', 'E404')),
        [code, code],
      );
    }
  });
});

describe('a tarball that check must not trip over', { concurrency: 2 }, () => {
  it('refuses files that cannot lie in one folder, and names that no disk has', async (t) => {
    const manifest = jsonFile({ name: 'some-tool', version: '1.0.0' });
    const { 'sdk.mjs': text = '' } = main('first-result');
    const long = `package/${'n'.repeat(300)}.js`;
    const cwd = makeTree(t, {
      'a.tgz': packed({ 'package.json': manifest, a: text, 'a/b.js': text }),
      'b.tgz': packed({ 'package.json': manifest, 'a/b.js': text, a: text }),
      'c.tgz': tgz([
        { path: 'package/package.json', text: manifest },
        { path: 'pax', type: 'x', text: pax('path', long) },
        { path: 'short', text },
      ]),
    });
    const { failures } = await report(
      { cwd, env: { HOLDOPEN_CACHE: join(cwd, 'cache') } },
      'a.tgz',
      'b.tgz',
      'c.tgz',
    );
    assert.deepEqual(
      failures.map(({ code }) => code),
      ['bad-tarball', 'bad-tarball', 'bad-tarball'],
    );
    assert.deepEqual(readdirSync(join(cwd, 'cache/tmp')), []);
  });
});

it('follows a chain of imports that is longer than a stack is deep', async (t) => {
  const files: Record<string, string> = {
    'package.json': jsonFile({ name: sdkName, version: '0.9.0', main: 'c0.mjs' }),
    ...Object.fromEntries(
      Array.from({ length: 12_000 }, (_, index) => [
        `c${String(index)}.mjs`,
        `import "./c${String(index + 1)}.mjs"`,
      ]),
    ),
    'c12000.mjs': main('first-result')['sdk.mjs'] ?? '',
  };
  const cwd = makeTree(t, { 'a.tgz': packed(files) });
  const { releases } = await report({ cwd, env: { HOLDOPEN_CACHE: join(cwd, 'cache') } }, 'a.tgz');
  assert.deepEqual(
    releases[0]?.bundles.map(({ file, status }) => [file, status]),
    [['c12000.mjs', 'affected']],
  );
});

it('says of a package without the SDK that it has none, and not to wait for a newer holdopen', async (t) => {
  const files = { 'package.json': jsonFile({ name: 'left-pad', version: '1.3.0' }), 'index.js': 'x' };
  const cwd = makeTree(t, { 'a.tgz': packed(files) });
  const run = await check({ cwd, env: { HOLDOPEN_CACHE: join(cwd, 'cache') } }, 'a.tgz');
  assert.equal(run.code, 1);
  assert.match(run.stdout, /\nNext: no script of left-pad has the SDK in it; /);
  assert.doesNotMatch(run.stdout, /holdopen@latest/);
});

describe('a summary on the page of a job', () => {
  const failure = {
    spec: '@somebody/x',
    code: 'x',
    message: 'see https://example.org, www.example.org, #12, ~~x~~ and $y$',
    hint: 'npm view @somebody/x `y`',
  };
  const document: CheckReport = {
    ...buildCheckReport(sdkName, { schema: 'holdopen/catalogue@1', package: sdkName, releases: [] }, [], []),
    failures: [failure],
  };
  const text = checkFormats['github-summary'].render(document, {
    colors: false,
    location: { uri: 'package.json', line: 1 },
    version: '0.0.0',
  });

  it('has no link, mention, strike-through or formula of somebody else', () => {
    const [prose = ''] = text.split('Next:');
    for (const markup of [/https:\/\//, /www\.e/, /#12/, /(?<!\\)~/, /(?<!\\)\$/, /@somebody/])
      assert.doesNotMatch(prose, markup);
  });

  it('has commands as they are to be typed', () => {
    assert.match(text, /Next: `` npm view @somebody\/x `y` ``\n/);
  });

  it('stays below what a page takes', () => {
    const huge = { ...document, failures: [{ ...failure, message: 'x'.repeat(2 ** 21) }] };
    const rendering = { colors: false, location: { uri: 'package.json', line: 1 }, version: '0.0.0' };
    assert.ok(checkFormats['github-summary'].render(huge, rendering).length < 10_000);
  });
});

it('a pool stops at the first error', async () => {
  const begun: number[] = [];
  const action = async (item: number): Promise<void> => {
    begun.push(item);
    await new Promise((resolve) => setTimeout(resolve, 5 * item));
    if (item === 1) throw new Error('first');
  };
  await assert.rejects(pool([1, 2, 3, 4, 5], 2, action), /first/);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(begun, [1, 2]);
});

describe('a cache that something else wrote to', { concurrency: 2 }, () => {
  const damages: Record<string, (dir: string) => void> = {
    'null for an entry': (dir) => writeFileSync(join(dir, 'release.json'), 'null'),
    'an entry without files': (dir) =>
      writeFileSync(join(dir, 'release.json'), '{"integrity":"","unpackedSize":1}'),
    'an entry cut off': (dir) => writeFileSync(join(dir, 'release.json'), '{"name":"@anthropic-ai'),
    'another byte': (dir) => {
      const path = join(dir, 'package/sdk.mjs');
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    },
    'a pipe for a script': (dir) => {
      rmSync(join(dir, 'package/sdk.mjs'));
      execFileSync('mkfifo', [join(dir, 'package/sdk.mjs')]);
    },
    'a folder for a script': (dir) => {
      rmSync(join(dir, 'package/sdk.mjs'));
      mkdirSync(join(dir, 'package/sdk.mjs'));
    },
    'a file for the folder': (dir) => {
      rmSync(dir, { recursive: true });
      writeFileSync(dir, 'x');
    },
  };
  for (const [name, damage] of Object.entries(damages))
    it(`fetches it again: ${name}`, async (t: TestContext) => {
      const registry = await startRegistry(t, versions);
      const good = await report(registry, '0.9.0');
      damage(place(registry, '0.9.0'));
      const asked = registry.asked.length;
      assert.deepEqual(await report(registry, '0.9.0'), good);
      assert.ok(registry.asked.length > asked);
      assertNothingLeft(registry);
      await registry.close();
      assert.deepEqual(await report(registry, '0.9.0'), good, 'it is whole again');
    });

  it('asks again where a note is of another kind, and does without where none can be kept', async (t) => {
    const registry = await startRegistry(t, versions, { latest: '0.9.0' });
    const good = await report(registry);
    const note = join(registry.env.HOLDOPEN_CACHE ?? '', 'registry', `${sdkName.replace('/', '+')}.json`);
    for (const value of [null, {}, [], { versions: 'x', tags: {} }, { versions: [], tags: null }]) {
      writeFileSync(note, JSON.stringify({ at: Date.now(), value }));
      assert.deepEqual(await report(registry), good);
    }
    for (const text of ['null', '"x"', '{}']) {
      writeFileSync(note, text);
      assert.deepEqual(await report(registry), good);
    }
    rmSync(note);
    mkdirSync(note);
    assert.deepEqual(await report(registry), good);
    assertNothingLeft(registry);
  });

  it('says where the cache cannot be: a file, a folder that is not writable', async (t) => {
    const registry = await startRegistry(t, versions);
    const cache = join(registry.env.HOME ?? '', 'a file');
    writeFileSync(cache, 'x');
    const { failures } = await report(
      { ...registry, env: { ...registry.env, HOLDOPEN_CACHE: cache } },
      '0.9.0',
    );
    assert.equal(failures[0]?.code, 'no-cache');
    assert.match(failures[0].message, /cannot write to the cache at .*a file \(E/);
  });

  it('takes a relative one with blanks', async (t) => {
    const registry = await startRegistry(t, versions);
    const env = { ...registry.env, HOLDOPEN_CACHE: 'a cache' };
    assert.equal((await report({ ...registry, env }, '0.9.0')).releases.length, 1);
    assert.deepEqual(readdirSync(join(registry.cwd, 'a cache/tmp')), []);
    rmSync(join(registry.cwd, 'a cache'), { recursive: true });
  });

  it('is used by several runs at once', async (t) => {
    const registry = await startRegistry(t, versions);
    const runs = await Promise.all([1, 2, 3].map(() => report(registry, '0.9.0', '0.9.1', '0.9.2')));
    for (const one of runs) assert.deepEqual(one, runs[0]);
    assert.equal(runs[0]?.releases.length, 3);
    assertNothingLeft(registry);
  });
});
