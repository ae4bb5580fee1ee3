import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Log } from 'sarif';
import type { Report } from '../../src/types.ts';
import { giveAway, runCli } from '../support/child.ts';
import { sdkName, sdkPlace } from '../support/installs.ts';
import { fixture, installedSdk, project } from '../support/project.ts';
import { jsonFile, makeTree, mode } from '../support/tree.ts';
import type { Tree } from '../support/tree.ts';

const nested = `node_modules/a/${sdkPlace}`;
const families = ['timed-race', 'inactivity', 'first-result', 'run-end', 'web-transport'];

function installs(): Tree {
  return {
    'package.json': `{\n  "name": "app",\n  "dependencies": {\n    "${sdkName}": "1.0.0"\n  }\n}\n`,
    'package-lock.json': `{\n  "packages": {\n    "${nested}": { "version": "0.3.209" }\n  }\n}\n`,
    [sdkPlace]: installedSdk(),
    [nested]: installedSdk('0.3.209'),
  };
}

const ignoring = (...ignore: object[]): Tree => ({ '.holdopen.json': jsonFile({ ignore }) });

describe('reports', { concurrency: 2 }, () => {
  it('writes several files in one run and keeps stdout for people; each finding has its place', async (t) => {
    const cwd = makeTree(t, installs());
    const outputs = ['sarif', 'github', 'junit', 'json'].flatMap((name) => [
      '--output',
      `${name}=out=${name}`,
    ]);
    const plain = await runCli(['audit'], { cwd });
    const run = await runCli(['audit', ...outputs], { cwd });
    assert.deepEqual([run.code, run.stdout, run.stderr], [1, plain.stdout, '']);
    const { runs } = JSON.parse(readFileSync(join(cwd, 'out=sarif'), 'utf8')) as Log;
    const places = runs[0]?.results?.map(({ locations }) => {
      const place = locations?.[0]?.physicalLocation;
      return `${place?.artifactLocation?.uri}:${place?.region?.startLine}`;
    });
    assert.deepEqual(places, ['package.json:4', 'package-lock.json:3']);
    const annotations = readFileSync(join(cwd, 'out=github'), 'utf8');
    assert.match(
      annotations,
      /^::error file=package\.json,line=4,.*\n::error file=package-lock\.json,line=3,.*\n$/,
    );
    assert.match(readFileSync(join(cwd, 'out=junit'), 'utf8'), /tests="2" failures="2" errors="0"/);
    assert.equal((JSON.parse(readFileSync(join(cwd, 'out=json'), 'utf8')) as Report).summary.copies, 2);
    const github = await runCli(['audit', '--format', 'github'], { cwd });
    assert.equal(github.stdout, annotations);
  });

  it('names places from the root of the checkout in a CI job', async (t) => {
    const root = makeTree(t, { 'packages/app': installs() });
    const options = { cwd: join(root, 'packages/app'), env: { GITHUB_WORKSPACE: root } };
    const run = await runCli(['audit', '--format', 'github'], options);
    assert.match(run.stdout, /^::error file=packages\/app\/package\.json,line=4,/);
  });

  it('reports after a patch what is left', async (t) => {
    const cwd = makeTree(t, installs());
    const run = await runCli(['patch', '--output', 'junit=j.xml'], { cwd });
    assert.deepEqual([run.code, run.stderr], [0, '']);
    assert.match(readFileSync(join(cwd, 'j.xml'), 'utf8'), /tests="2" failures="0" errors="0"/);
  });

  it('exits with 2 for an output that is none or cannot be written', async (t) => {
    const cwd = makeTree(t, installs());
    for (const value of ['sarif', 'xml=a', 'sarif=']) {
      const run = await runCli(['audit', '--output', value], { cwd });
      assert.deepEqual([run.code, run.stdout], [2, ''], value);
      assert.match(run.stderr, /Use FORMAT=FILE/);
    }
    const run = await runCli(['audit', '--output', 'json=gone/x.json'], { cwd });
    assert.equal(run.code, 2);
    assert.match(run.stderr, /^holdopen: cannot write gone\/x\.json \(ENOENT\)\n {2}next: /);
  });

  it('says that an output cannot be written before a file is patched or another output written', async (t) => {
    const cwd = makeTree(t, installs());
    const before = readFileSync(join(cwd, sdkPlace, 'sdk.mjs'), 'utf8');
    const cases: [RegExp, ...string[]][] = [
      [/cannot write gone\/x\.json \(ENOENT\)/, 'json=gone/x.json'],
      [/cannot write node_modules \(EISDIR\)/, 'json=node_modules'],
      [/cannot write package\.json\/x \(ENOTDIR\)/, 'json=package.json/x'],
      [/cannot write x\/ \(ENOENT\)/, 'json=x/'],
      [/two outputs go to one file: \.\/one/, 'json=one', 'sarif=./one'],
      [/- is no file/, 'json=-'],
    ];
    for (const command of ['audit', 'patch'])
      for (const [message, ...outputs] of cases) {
        const words = ['junit=j.xml', ...outputs].flatMap((output) => ['--output', output]);
        const run = await runCli([command, ...words], { cwd });
        assert.deepEqual([run.code, run.stdout], [2, ''], words.join(' '));
        assert.match(run.stderr, message);
        assert.match(run.stderr, /\n {2}next: /);
        assert.ok(!existsSync(join(cwd, 'j.xml')));
      }
    assert.equal(readFileSync(join(cwd, sdkPlace, 'sdk.mjs'), 'utf8'), before);
    const run = await runCli(['patch', '--output', 'json=/dev/null', '--output', 'sarif=/dev/null'], { cwd });
    assert.deepEqual([run.code, run.stderr], [0, ''], 'a device takes more than one');
  });

  it('prints JSON that its schema holds for, whatever is installed', async (t) => {
    const schema = JSON.parse(readFileSync('schema/report.schema.json', 'utf8')) as object;
    const ajv = new Ajv2020({ allowUnionTypes: true, formats: { date: true } });
    const copies = families.map((family, index): [string, Tree] => [
      `node_modules/p${index}/${sdkPlace}`,
      installedSdk(`1.0.${index}`, { 'sdk.mjs': fixture(family) }),
    ]);
    const cwd = makeTree(t, {
      ...project(Object.fromEntries(copies)),
      [sdkPlace]: installedSdk('9.0.0', {
        'sdk.mjs': 'class A { async streamInput(a) { this.t.endInput(a) } }',
      }),
      'node_modules/@closed': mode(0, {}),
      ...ignoring({ path: sdkPlace, reason: 'r', expires: '2999-01-01' }),
    });
    giveAway(cwd);
    for (const command of ['audit', 'patch']) {
      const run = await runCli([command, '--format', 'json'], { cwd, unprivileged: true });
      const report = JSON.parse(run.stdout) as Report;
      assert.ok(ajv.validate(schema, report), `${command}: ${ajv.errorsText()}`);
      assert.equal(report.summary.copies, families.length + 2);
    }
  });
});

describe('the ignore file', { concurrency: 2 }, () => {
  it('accepts copies by path or by package and version, says so, and exits with 0', async (t) => {
    const entries = [
      { path: `./${sdkPlace}/`, reason: 'shipped by the vendor', expires: '2999-12-31' },
      { package: sdkName, version: '>=0.3.209 <0.4', reason: 'no shells here', expires: '2999-12-31' },
    ];
    const cwd = makeTree(t, { ...installs(), ...ignoring(...entries) });
    const run = await runCli(['audit'], { cwd });
    assert.deepEqual([run.code, run.stderr], [0, '']);
    assert.match(run.stdout, /ignored until 2999-12-31: shipped by the vendor\n/);
    assert.match(run.stdout, /\n2 copies: 2 affected \(2 ignored\)\.\n$/);
    const json = await runCli(['audit', '--format', 'json'], { cwd });
    const { copies, ignores } = JSON.parse(json.stdout) as Report;
    assert.deepEqual(
      copies.map((copy) => copy.ignored?.reason),
      ['shipped by the vendor', 'no shells here'],
    );
    assert.deepEqual(
      ignores?.map((entry) => entry.state),
      ['used', 'used'],
    );
    assert.equal((await runCli(['patch'], { cwd })).code, 0);
  });

  it('accepts only what it names', async (t) => {
    const entry = { package: sdkName, version: '0.3.209', reason: 'r', expires: '2999-12-31' };
    const cwd = makeTree(t, { ...installs(), ...ignoring(entry) });
    const run = await runCli(['audit'], { cwd });
    assert.equal(run.code, 1);
    assert.match(run.stdout, /\n2 copies: 2 affected \(1 ignored\)\. Next: npx holdopen patch\n$/);
  });

  it('says which entries expired or match nothing, and fails again', async (t) => {
    const cwd = makeTree(t, {
      ...installs(),
      ...ignoring(
        { package: sdkName, reason: 'r', expires: '2001-02-03' },
        { path: 'node_modules/gone', reason: 'r', expires: '2999-12-31' },
      ),
    });
    const run = await runCli(['audit'], { cwd });
    assert.equal(run.code, 1);
    assert.match(
      run.stderr,
      /the entry for \S+ in \S+ expired on 2001-02-03 and ignores nothing any more\n {2}next: /,
    );
    assert.match(run.stderr, /the entry for node_modules\/gone in \S+ matches no finding\n {2}next: /);
    assert.doesNotMatch(run.stdout, /ignored/);
  });

  it('accepts nothing that could not be read', async (t) => {
    const cwd = makeTree(t, {
      [sdkPlace]: installedSdk('1.0.0', { 'package.json': '{' }),
      ...project(ignoring({ path: 'node_modules', reason: 'r', expires: '2999-12-31' })),
    });
    assert.equal((await runCli(['audit'], { cwd })).code, 2);
  });

  const good = { package: 'x', reason: 'r', expires: '2999-12-31' };
  const bad: Record<string, [unknown, RegExp]> = {
    'no JSON': [undefined, /it is not valid JSON/],
    'no list': [{ ignores: [] }, /it has no list "ignore"/],
    'a word more': [{ ignore: [], fail: 1 }, /"fail" means nothing in it/],
    'no object': [{ ignore: ['x'] }, /entry 1 is no object/],
    'no reason': [{ ignore: [good, { ...good, reason: ' ' }] }, /entry 2 has no "reason"/],
    'no date': [{ ignore: [{ ...good, expires: undefined }] }, /entry 1 has no date "expires"/],
    'no such day': [{ ignore: [{ ...good, expires: '2999-02-30' }] }, /entry 1 has no date "expires"/],
    'no copy': [{ ignore: [{ ...good, package: undefined }] }, /neither "path" nor "package"/],
    'no version': [{ ignore: [{ ...good, version: 'new' }] }, /"version" of entry 1 is no version/],
    'no text': [{ ignore: [{ ...good, package: 7 }] }, /"package" of entry 1 is no text/],
    'a wrong word': [{ ignore: [{ ...good, until: '2999-01-01' }] }, /"until" means nothing in entry 1/],
  };
  it('exits with 2 for a file that is not understood, and ignores nothing', async (t) => {
    for (const [name, [value, why]] of Object.entries(bad)) {
      const text = value === undefined ? '{' : JSON.stringify(value);
      const cwd = makeTree(t, project({ '.holdopen.json': text }));
      const run = await runCli(['audit'], { cwd });
      assert.deepEqual([run.code, run.stdout], [2, ''], name);
      assert.match(run.stderr, why, name);
      assert.match(run.stderr, /^holdopen: cannot use .*\.holdopen\.json: .*\n {2}next: .*\n$/);
    }
    const cwd = makeTree(t, project());
    const gone = await runCli(['audit', '--ignore-file', 'gone.json'], { cwd });
    assert.deepEqual([gone.code, gone.stdout, existsSync(join(cwd, 'gone.json'))], [2, '', false]);
    assert.match(gone.stderr, /cannot read \S+\/gone\.json: there is no such file/);
  });
});
