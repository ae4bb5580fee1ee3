/** What `check --format json` prints is what its schema says, of releases that are fine, strange or not to be had. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { CheckReport } from '../../src/release/types.ts';
import { runCli } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';
import { jsonFile, makeTree } from '../support/tree.ts';
import { check, main, versions } from './checked.ts';
import { release, startRegistry } from './registry.ts';

interface Schema {
  properties: Record<string, unknown>;
  $defs: Record<string, { required: string[]; properties: Record<string, unknown> }>;
}
const read = (name: string): Schema =>
  JSON.parse(readFileSync(`schema/${name}.schema.json`, 'utf8')) as Schema;
const schema = read('check');
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const validate = ajv.compile<CheckReport>(schema);

function parsed(text: string): CheckReport {
  const report: unknown = JSON.parse(text);
  assert.ok(validate(report), ajv.errorsText(validate.errors));
  return report;
}

describe('the schema of the JSON of check', { concurrency: 2 }, () => {
  it('holds for all kinds of releases, and for one that is not to be had', async (t) => {
    const gone = { ...release('0.9.6', main('run-end')), missing: true };
    const registry = await startRegistry(t, { ...versions, '0.9.6': gone });
    const run = await check(registry, '--all', '--format', 'json');
    assert.equal(run.code, 2);
    const { releases, failures } = parsed(run.stdout);
    assert.deepEqual(
      releases.map(({ version }) => version),
      Object.keys(versions),
    );
    assert.deepEqual(
      failures.map(({ spec, code }) => [spec, code]),
      [[`${sdkName}@0.9.6`, 'E404']],
    );
    const changes = releases.flatMap(({ drift }) => drift.flatMap((file) => file.changes));
    const kinds = new Set(changes.map(({ kind }) => kind));
    assert.ok(kinds.has('family') && kinds.has('status') && kinds.has('sites'), [...kinds].join());
  });

  it('holds for a directory', async (t) => {
    const cwd = makeTree(t, { 'package.json': jsonFile({ name: 'x' }), 'sdk.mjs': 'x.endInput();' });
    const run = await runCli(['check', './', '--format', 'json'], { cwd });
    const [only] = parsed(run.stdout).releases;
    assert.deepEqual([only?.version, only?.integrity, only?.against], ['0.0.0', null, null]);
  });

  it('holds for all that is recorded', async (t) => {
    const run = await runCli(['check', '--all', '--from-catalogue', '--format', 'json'], {
      cwd: makeTree(t, {}),
    });
    const { releases, catalogue } = parsed(run.stdout);
    assert.equal(releases.length, catalogue.releases);
  });

  it('holds not for another document', async (t) => {
    const registry = await startRegistry(t, versions);
    const good = parsed((await check(registry, '0.9.0', '--format', 'json')).stdout);
    const [first] = good.releases;
    assert.ok(first);
    for (const wrong of [
      { ...good, schema: 'holdopen/report@1' },
      { ...good, more: 1 },
      { ...good, summary: { ...good.summary, affected: -1 } },
      { ...good, releases: [{ ...first, news: ['weather'] }] },
      {
        ...good,
        releases: [{ ...first, drift: [{ ...first.drift[0], changes: [{ kind: 'family' }] }] }],
      },
      { ...good, releases: [{ ...first, bundles: [{ ...first.bundles[0], size: null }] }] },
    ])
      assert.equal(validate(wrong), false, JSON.stringify(wrong).slice(0, 300));
  });

  it('says of a bundle what the schema of the report says', () => {
    const { $defs: shared } = read('report');
    for (const name of ['status', 'reason', 'fingerprints'])
      assert.deepEqual(schema.$defs[name], shared[name]);
    const { size, ...properties } = schema.$defs['bundle']?.properties ?? {};
    assert.ok(size);
    assert.deepEqual(properties, shared['bundle']?.properties);
  });
});
