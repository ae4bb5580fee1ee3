/**
 * Released bundles, one of each family and of each decade of versions, fetched by name into the cache: located,
 * classified, patched, restored byte for byte; and the patched file loads and exports the same names.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { findBundles } from '../../src/locate/installs/bundles.ts';
import { findInstalls } from '../../src/locate/installs/index.ts';
import { readSource, sourceBytes } from '../../src/locate/source.ts';
import type { Inspection } from '../../src/patch/examine.ts';
import type { Family, Status } from '../../src/types.ts';
import { copyRelease } from '../support/releases.ts';
import { inspectSource, patchSource, restoreSource } from '../support/texts.ts';

const run = promisify(execFile);

type Expected = Record<string, [Family, Status]>;
const ends = (family: Family): [Family, Status] => [family, family === 'run-end' ? 'partial' : 'affected'];
const web = (family: Family): [Family, Status] => [family, 'unaffected'];

/** What each release ships, and what stock code of it is. */
const releases: Record<string, Expected> = {
  '0.0.4': { 'sdk.mjs': ends('timed-race') },
  '0.1.30': { 'sdk.mjs': ends('timed-race') },
  '0.1.67': { 'sdk.mjs': ends('inactivity') },
  '0.1.72': { 'sdk.mjs': ends('inactivity') },
  '0.1.77': { 'sdk.mjs': ends('first-result') },
  '0.2.15': { 'sdk.mjs': ends('first-result') },
  '0.2.50': { 'sdk.mjs': ends('first-result') },
  '0.2.112': {
    'sdk.mjs': ends('first-result'),
    'assistant.mjs': ends('first-result'),
    'browser-sdk.js': web('first-result'),
  },
  '0.2.141': {
    'sdk.mjs': ends('first-result'),
    'assistant.mjs': ends('first-result'),
    'browser-sdk.js': web('first-result'),
  },
  '0.3.150': {
    'sdk.mjs': ends('first-result'),
    'assistant.mjs': ends('first-result'),
    'browser-sdk.js': web('first-result'),
  },
  '0.3.205': { 'sdk.mjs': ends('first-result'), 'browser-sdk.js': web('first-result') },
  '0.3.209': { 'sdk.mjs': ends('first-result'), 'browser-sdk.js': web('first-result') },
  '0.3.250': { 'sdk.mjs': ends('first-result'), 'browser-sdk.js': web('first-result') },
  '0.3.283': {
    'sdk.mjs': ends('first-result'),
    'core.mjs': ends('first-result'),
    'browser-sdk.js': web('first-result'),
  },
  '0.3.284': { 'sdk.mjs': ends('run-end'), 'core.mjs': ends('run-end'), 'browser-sdk.js': web('run-end') },
  '0.3.332': { 'sdk.mjs': ends('run-end'), 'core.mjs': ends('run-end'), 'browser-sdk.js': web('run-end') },
};

interface Bundle {
  file: string;
  path: string;
  source: string;
  inspection: Inspection;
}

async function bundlesOf(dir: string): Promise<Bundle[]> {
  const [copy, ...others] = findInstalls({ dir, cwd: dir }).copies;
  assert.ok(copy && others.length === 0, 'one copy is installed');
  const files = findBundles(copy).candidates.map(async ({ file }) => {
    const path = join(copy.dir, file);
    const source = readSource(await readFile(path));
    const inspection = inspectSource(source);
    return inspection ? [{ file, path, source, inspection }] : [];
  });
  return (await Promise.all(files)).flat();
}

/** The names that a module exports, from a process of its own: importing is what hosts do. */
async function exportsOf(path: string): Promise<string> {
  const script = `import(${JSON.stringify(pathToFileURL(path).href)}).then((m)=>console.log(Object.keys(m).sort().join()))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim();
}

describe('released bundles', { concurrency: 2 }, () => {
  for (const [version, expected] of Object.entries(releases))
    test(`${version}: located, patched, loads, restored`, async () => {
      const { dir, dispose } = await copyRelease(version, { peers: 'core.mjs' in expected });
      try {
        const bundles = await bundlesOf(dir);
        const verdicts = bundles.map(({ file, inspection: { family, status } }) => [file, [family, status]]);
        assert.deepEqual(Object.fromEntries(verdicts), expected);
        for (const { file, path, source, inspection } of bundles.filter(
          (b) => b.inspection.status !== 'unaffected',
        )) {
          assert.equal(inspection.sites, 2);
          assert.match(inspection.since ?? 'a new shape', /^0\.\d+\.\d+$/);
          const names = await exportsOf(path);
          const result = patchSource(source);
          assert.ok(result.outcome === 'patched', `${file}: ${result.outcome}`);
          assert.equal(inspectSource(result.source)?.status, 'patched');
          assert.equal(patchSource(result.source).outcome, 'unchanged');
          await writeFile(path, sourceBytes(result.source));
          assert.equal(await exportsOf(path), names);
          assert.deepEqual(restoreSource(result.source), { outcome: 'restored', source });
        }
      } finally {
        await dispose();
      }
    });
});

describe('0.3.205 and 0.3.209', () => {
  test('have equal streamInput and hasBidirectionalNeeds, and another wait method and read loop', async () => {
    const [one, other] = await Promise.all(
      ['0.3.205', '0.3.209'].map(async (version) => {
        const { dir, dispose } = await copyRelease(version);
        const bundles = await bundlesOf(dir).finally(dispose);
        return bundles.find(({ file }) => file === 'sdk.mjs')?.inspection.fingerprints;
      }),
    );
    assert.ok(one && other);
    const differ = Object.keys(one.methods).filter((name) => one.methods[name] !== other.methods[name]);
    assert.deepEqual(differ, ['waitForFirstResult', 'readMessages']);
    assert.equal(one.facts, other.facts);
    assert.notEqual(one.class, other.class);
  });
});
