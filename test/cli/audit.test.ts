import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Report } from '../../src/types.ts';
import { giveAway, runCli } from '../support/child.ts';
import { sdkName, sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { jsonFile, link, makeTree, mode } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';

describe('audit', { concurrency: 2 }, () => {
  it('reports an affected copy, with the next command, and exits with 1', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    const run = await runCli(['audit'], { cwd });
    assert.equal(run.stderr, '');
    assert.equal(run.code, 1);
    const [line, reason, ...rest] = run.stdout.split('\n');
    assert.equal(line, `affected    ${sdkName} 0.3.205  ${sdkPlace}`);
    assert.match(reason ?? '', /^ {14}sdk\.mjs ends the CLI's input at the first result.*; new shape$/);
    assert.deepEqual(rest, ['1 copy: 1 affected. Next: npx holdopen patch', '']);
  });

  it('prints one JSON document, whole through a pipe that is longer than its buffer', async (t) => {
    const names = Array.from({ length: 200 }, (_, index) => `node_modules/p${index}`);
    const copies: Tree = Object.fromEntries(names.map((name) => [`${name}/${sdkPlace}`, installedSdk()]));
    const cwd = makeTree(t, project(copies));
    const run = await runCli(['audit', '--format', 'json'], { cwd });
    assert.equal(run.code, 1);
    assert.ok(run.stdout.length > 3 * 65_536, `${run.stdout.length} bytes`);
    const report = JSON.parse(run.stdout) as Report;
    assert.equal(report.schema, 'holdopen/report@1');
    assert.equal(report.root, cwd);
    assert.equal(report.summary.affected, names.length);
    assert.equal(report.copies.length, names.length);
    const bundle = report.copies[0]?.bundles[0];
    assert.equal(bundle?.family, 'first-result');
    assert.equal(bundle.sha256, createHash('sha256').update(fixture('first-result')).digest('hex'));
    assert.match(bundle.fingerprints?.class ?? '', /^[0-9a-f]{16,}$/);
  });

  it('says that holdopen can be removed where upstream does the job everywhere', async (t) => {
    const files = { 'sdk.mjs': fixture('web-transport') };
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk('9.9.9', files) }));
    const run = await runCli(['audit'], { cwd });
    assert.equal(run.code, 0);
    assert.match(run.stdout, /\n1 copy: 1 unaffected\. No copy needs a patch: holdopen can be removed\.\n$/);
  });

  it('says that no SDK is installed: exit 0, or 2 if one is required', async (t) => {
    const cwd = makeTree(t, project({ 'node_modules/x/package.json': '{}' }));
    const run = await runCli(['audit'], { cwd });
    assert.deepEqual(run, {
      code: 0,
      signal: null,
      stdout: `No Claude Agent SDK is installed in ${cwd}.\n`,
      stderr: '',
    });
    const required = await runCli(['audit', '--require-sdk', '--format', 'json'], { cwd });
    assert.equal(required.code, 2);
    assert.deepEqual((JSON.parse(required.stdout) as Report).copies, []);
    assert.match(
      required.stderr,
      /^holdopen: No Claude Agent SDK .* --require-sdk was given\n {2}next: npm install/,
    );
  });

  it('says that none is installed globally, and not where it stands', async (t) => {
    const cwd = makeTree(t, project({ prefix: {} }));
    const env = { npm_config_prefix: join(cwd, 'prefix'), HOME: cwd };
    for (const command of ['audit', 'patch', 'restore']) {
      const run = await runCli([command, '--global'], { cwd, env });
      assert.match(run.stdout, /^(holdopen: )?No Claude Agent SDK is installed globally\.\n$/, command);
      const both = await runCli([command, '--global', '.'], { cwd, env });
      assert.ok(
        both.stdout.endsWith(`No Claude Agent SDK is installed in ${cwd}, nor globally.\n`),
        both.stdout,
      );
    }
  });

  it('takes the statuses to fail on from --fail-on', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk() }));
    assert.equal((await runCli(['audit', '--fail-on', 'unknown, stale'], { cwd })).code, 0);
    assert.equal((await runCli(['audit', '--fail-on', 'stale,affected'], { cwd })).code, 1);
    assert.equal((await runCli(['audit', '--fail-on', 'none'], { cwd })).code, 0);
    const wrong = await runCli(['audit', '--fail-on', 'afected'], { cwd });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /affected, modified, unknown, unreadable, or none/);
  });

  it('looks at every bundle of a copy, and at the files that those import', async (t) => {
    const cwd = makeTree(t, {
      [sdkPlace]: {
        'package.json': jsonFile({
          name: sdkName,
          version: '1.0.0',
          exports: { '.': './sdk.mjs', './core': './core.mjs' },
        }),
        'sdk.mjs': fixture('web-transport'),
        'core.mjs': 'export * from "./chunk.mjs"',
        'chunk.mjs': fixture('run-end'),
        'unused.mjs': fixture('first-result'),
      },
    });
    const run = await runCli(['audit', '--format', 'json', sdkPlace], { cwd });
    const [copy] = (JSON.parse(run.stdout) as Report).copies;
    assert.deepEqual(
      copy?.bundles.map((bundle) => [bundle.file, bundle.status]),
      [
        ['sdk.mjs', 'unaffected'],
        ['chunk.mjs', 'partial'],
      ],
    );
    assert.deepEqual([copy?.path, copy?.status], ['.', 'partial']);
  });

  it('shows a copy in which nothing is found, also beside a bundle that is fine', async (t) => {
    const exports = { '.': './sdk.mjs', './browser': './browser.mjs' };
    const cwd = makeTree(
      t,
      project({
        [sdkPlace]: {
          'package.json': jsonFile({ name: sdkName, version: '9.0.0', exports }),
          'sdk.mjs': 'export {}',
          'browser.mjs': fixture('web-transport'),
        },
        [`node_modules/a/${sdkPlace}`]: { 'package.json': jsonFile({ name: sdkName, main: 'gone.js' }) },
      }),
    );
    const run = await runCli(['audit', '--format', 'json'], { cwd });
    assert.equal(run.code, 1);
    const notFound = [{ code: 'class-not-found' }];
    assert.deepEqual(
      (JSON.parse(run.stdout) as Report).copies.map(({ path, status, bundles }) => [
        path,
        status,
        bundles
          .filter((bundle) => bundle.status === 'unknown')
          .map(({ file, sha256, reasons }) => [file, sha256?.length, reasons]),
      ]),
      [
        [sdkPlace, 'unknown', [['sdk.mjs', 64, notFound]]],
        [`node_modules/a/${sdkPlace}`, 'unknown', [['.', undefined, notFound]]],
      ],
    );
  });

  it('exits with 2 for what it cannot read, and reports all the rest', async (t) => {
    const cwd = makeTree(
      t,
      project({
        [sdkPlace]: installedSdk('0.3.205', { 'sdk.mjs': mode(0, fixture('first-result')) }),
        [`node_modules/a/${sdkPlace}`]: installedSdk('0.3.209'),
        'node_modules/@closed': mode(0, {}),
      }),
    );
    giveAway(cwd);
    const run = await runCli(['audit'], { cwd, unprivileged: true });
    assert.equal(run.stderr, '');
    assert.equal(run.code, 2);
    assert.match(
      run.stdout,
      new RegExp(
        `^unreadable {2}${sdkName} 0\\.3\\.205 {2}${sdkPlace}\\n +sdk\\.mjs cannot be read: EACCES$`,
        'm',
      ),
    );
    assert.match(
      run.stdout,
      /^unreadable {2}\(not searched\) {2}node_modules\/@closed\n +it cannot be read: EACCES$/m,
    );
    assert.match(run.stdout, new RegExp(`^affected {4}${sdkName} 0\\.3\\.209`, 'm'));
    assert.match(
      run.stdout,
      /\n3 copies: 2 unreadable, 1 affected\. Next: make .* readable and run this again; npx holdopen patch\n$/,
    );
  });

  it('reports a package.json that is none, and looks at the files beside it', async (t) => {
    const cwd = makeTree(t, project({ [sdkPlace]: installedSdk('1.0.0', { 'package.json': '{ "main": ' }) }));
    const run = await runCli(['audit'], { cwd });
    assert.equal(run.code, 2);
    assert.match(run.stdout, new RegExp(`^unreadable {2}${sdkName} {2}${sdkPlace}\\n`));
    assert.match(run.stdout, /package\.json cannot be read: not valid JSON/);
    assert.match(run.stdout, /sdk\.mjs ends the CLI's input/);
  });

  it('looks at the files and built folders that --file names, and at nothing else', async (t) => {
    const cwd = makeTree(
      t,
      project({
        [sdkPlace]: installedSdk(),
        'dist/server.js': `/* app */\n${fixture('first-result')}`,
        'dist/other.js': 'export {}',
        'link.js': link('dist/server.js'),
        'plain.js': 'export {}',
      }),
    );
    const audit = async (...args: string[]): Promise<unknown> => {
      const { code, stdout } = await runCli(['audit', '--format', 'json', ...args], { cwd });
      const { copies } = JSON.parse(stdout) as Report;
      return [
        code,
        ...copies.flatMap(({ path, layout, bundles }) =>
          bundles.map((b) => `${layout} ${path} ${b.file} ${b.status}`),
        ),
      ];
    };
    assert.deepEqual(await audit('--file', 'dist'), [1, 'file dist server.js affected']);
    assert.deepEqual(await audit('--file', 'dist/other.js', '--file', 'link.js'), [
      1,
      'file dist other.js unknown',
      'file dist server.js affected',
    ]);
    assert.deepEqual(await audit('--file', 'plain.js'), [1, 'file . plain.js unknown']);
    const missing = await runCli(['audit', '--file', 'gone.js'], { cwd });
    assert.deepEqual([missing.code, missing.stdout], [2, '']);
    assert.match(missing.stderr, /no such file or folder\n {2}next: /);
  });
});

describe('the command line', { concurrency: 2 }, () => {
  it('exits with 2 where there is no directory to search', async (t) => {
    const cwd = makeTree(t, { 'x.txt': '' });
    for (const command of ['audit', 'patch', 'restore']) {
      const gone = await runCli([command, 'gone'], { cwd });
      assert.deepEqual([gone.code, gone.stdout], [2, ''], command);
      assert.match(
        gone.stderr,
        /^holdopen: cannot search .*gone: there is no such directory\n {2}next: .*\n$/,
      );
    }
    const file = await runCli(['audit', 'x.txt'], { cwd });
    assert.deepEqual([file.code, file.stdout], [2, '']);
    assert.match(file.stderr, /it is a file\n {2}next: .*--file/);
  });

  it('exits with 2 for wrong usage', async () => {
    for (const args of [
      [],
      ['adit'],
      ['audit', '--formt', 'json'],
      ['audit', '--format', 'xml'],
      ['audit', 'a', 'b'],
    ]) {
      const run = await runCli(args);
      assert.deepEqual([run.code, run.stdout], [2, ''], args.join(' '));
      assert.notEqual(run.stderr, '');
    }
  });

  it('exits with 3 and a stack for a bug of ours', async (t) => {
    const cwd = makeTree(t, project());
    const bug = `const { stringify } = JSON;
      JSON.stringify = (value, ...rest) => {
        if (value?.schema) throw new TypeError('a bug');
        return stringify(value, ...rest);
      };`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}` };
    const run = await runCli(['audit', '--format', 'json'], { cwd, env });
    assert.deepEqual([run.code, run.stdout], [3, '']);
    assert.match(run.stderr, /^holdopen: this is a bug in holdopen.*\nTypeError: a bug\n {4}at /);
  });

  it('has a version and a help with examples', async () => {
    const version = await runCli(['--version']);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal(version.code, 0);
    const help = await runCli(['--help']);
    assert.equal(help.code, 0);
    for (const words of ['audit', 'patch', 'restore', '$ holdopen audit --format json', 'Exit codes:']) {
      assert.ok(help.stdout.includes(words), words);
    }
  });
});
