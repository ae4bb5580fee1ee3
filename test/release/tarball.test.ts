import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HoldopenError } from '../../src/errors.ts';
import { checkIntegrity, integrityOf } from '../../src/release/fetch.ts';
import { readTarball } from '../../src/release/tarball.ts';
import { sdkName } from '../support/installs.ts';
import { jsonFile, makeTree } from '../support/tree.ts';
import { packed, tgz } from './pack.ts';

const manifest = (more: object = {}, name = sdkName): string => jsonFile({ name, version: '1.2.3', ...more });

describe('readTarball', () => {
  const names = async (
    t: Parameters<typeof makeTree>[0],
    files: Record<string, string>,
  ): Promise<string[]> => {
    const root = makeTree(t, { 'a.tgz': packed(files) });
    return [...(await readTarball(`${root}/a.tgz`)).files.keys()].sort();
  };

  test('keeps of the SDK what a host can load: exports, main, and all that those import', async (t) => {
    const files = {
      'package.json': manifest({ exports: { '.': './sdk.mjs', './x/*': './x/*.js' }, main: 'old' }),
      'sdk.mjs': 'import "./chunks/a.mjs"',
      'chunks/a.mjs': 'import("../chunks/b.mjs")',
      'chunks/b.mjs': '',
      'x/one.js': '',
      'old.js': '',
      'cli.js': 'streamInput endInput',
      'sdk.d.ts': '',
      LICENSE: '',
    };
    const expected = ['chunks/a.mjs', 'chunks/b.mjs', 'old.js', 'package.json', 'sdk.mjs', 'x/one.js'];
    assert.deepEqual(await names(t, files), expected);
  });

  test('keeps of any other package every script that may hold the class', async (t) => {
    const files = {
      'package.json': manifest({ main: 'main.js' }, 'other'),
      'main.js': '',
      'dist/deep/bundle.js': 'streamInput endInput',
      'bin/tool': 'streamInput endInput',
      'data.json': 'streamInput endInput',
    };
    assert.deepEqual(await names(t, files), ['bin/tool', 'dist/deep/bundle.js', 'package.json']);
  });

  test('counts all files, and leaves out what lies beside the package', async (t) => {
    const members = [
      { path: 'any-name/package.json', text: manifest() },
      { path: 'any-name/index.js', text: 'x'.repeat(1000) },
      { path: 'any-name/big.wasm', text: 'x'.repeat(5000) },
      { path: 'index.js', text: 'beside' },
    ];
    const root = makeTree(t, { 'a.tgz': tgz(members) });
    const { name, version, files, unpackedSize } = await readTarball(`${root}/a.tgz`);
    assert.deepEqual([name, version], [sdkName, '1.2.3']);
    assert.equal(files.get('index.js')?.length, 1000);
    assert.equal(unpackedSize, 1000 + 5000 + 6 + manifest().length);
  });

  const whole = packed({ 'package.json': manifest(), 'index.js': 'x'.repeat(10_000) });
  const bad: Record<string, [Buffer, RegExp]> = {
    'no package.json': [packed({ 'index.js': '' }), /no package\.json/],
    'a package.json in another place': [packed({ 'lib/package.json': manifest() }), /no package\.json/],
    'a package.json that is none': [packed({ 'package.json': '[]' }), /not a JSON object/],
    'no version': [packed({ 'package.json': '{"name":"a"}' }), /no name or no version/],
    'cut off': [whole.subarray(0, whole.length - 20), /cut off/],
    'not gzipped': [Buffer.from('words'), /not gzipped/],
    'damaged inside': [
      Buffer.concat([whole.subarray(0, 60), Buffer.alloc(20), whole.subarray(80)]),
      /not whole|checksum/,
    ],
    // Of which one is installed depends on who unpacks it.
    'a script twice': [
      tgz(['a', 'b', 'a'].map((folder) => ({ path: `${folder}/x.js`, text: folder }))),
      /x\.js is in it twice/,
    ],
    empty: [Buffer.alloc(0), /cut off|no package\.json/],
  };
  for (const [name, [bytes, why]] of Object.entries(bad))
    test(`refuses ${name}`, async (t) => {
      const root = makeTree(t, { 'a.tgz': bytes });
      await assert.rejects(readTarball(`${root}/a.tgz`), (error) => {
        assert.ok(error instanceof HoldopenError, String(error));
        assert.equal(error.code, 'bad-tarball');
        assert.match(error.message, why);
        return true;
      });
    });

  test('says that there is no such file', () =>
    assert.rejects(readTarball('/nowhere/a.tgz'), { name: 'HoldopenError', code: 'no-file' }));
});

describe('checkIntegrity', () => {
  const sha512 =
    'sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==';
  const sha1 = 'sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0=';

  test('is of the bytes', async (t) => {
    const root = makeTree(t, { a: 'abc' });
    assert.equal(await integrityOf(`${root}/a`), sha512);
    await checkIntegrity(`${root}/a`, sha512, 'a');
    await checkIntegrity(`${root}/a`, `sha1-AAAA ${sha512}`, 'a');
    await checkIntegrity(`${root}/a`, sha1, 'a');
  });

  test('refuses another file, a weaker hash that fits beside a stronger one that does not, and nothing', async (t) => {
    const root = makeTree(t, { a: 'abd', b: 'abc' });
    const fails = { name: 'HoldopenError', code: 'integrity' };
    await assert.rejects(checkIntegrity(`${root}/a`, sha512, 'a'), fails);
    await assert.rejects(checkIntegrity(`${root}/b`, `${sha1} sha512-AAAA`, 'b'), fails);
    for (const nothing of ['', 'md5-AAAA', 'words'])
      await assert.rejects(checkIntegrity(`${root}/b`, nothing, 'b'), fails);
  });
});
