import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, test } from 'node:test';
import { agreement } from '../../src/probe/agree.ts';
import { dialectsOf } from '../../src/probe/dialects/index.ts';
import { type BundleProbe, type ProbeOptions, type RunReport, probe } from '../../src/probe/probe.ts';
import { chooseScenarios } from '../../src/probe/scenarios/index.ts';
import type { Scenario } from '../../src/probe/scenarios/index.ts';
import { type PatchOutcome, patchSource } from '../../src/patch/apply.ts';
import { programs } from '../support/drive-fixture.ts';
import { fixture, fixturePath } from '../support/fixtures.ts';

function named(...ids: string[]): readonly Scenario[] {
  const chosen = chooseScenarios(ids);
  assert.ok(typeof chosen !== 'string');
  return chosen;
}

async function probed(name: string, options: ProbeOptions = {}, version: string | null = null) {
  const subject = { path: fixturePath(name), source: fixture(name), version };
  const outcome = await probe(subject, { ...options, programs: await programs() });
  assert.ok('runs' in outcome, JSON.stringify(outcome));
  return outcome;
}

const describeRun = ({ scenario, kind, prompt, dialect, state, patched, timeline }: RunReport): string =>
  [scenario, kind, prompt, dialect, state, ...(patched?.why ?? []), ...timeline].join('\n');

/** Nothing is lost, hung or wrong in the patched bundle. */
function assertClean({ runs, agreement: verdict }: BundleProbe): void {
  const bad = runs.filter(({ patched }) => patched?.outcome !== 'served' && patched?.outcome !== 'refused');
  assert.deepEqual(bad.map(describeRun), []);
  assert.deepEqual(verdict, { agrees: true, why: [] });
}

const leftBehind = (): string[] =>
  readdirSync(tmpdir()).filter((name) => /^holdopen-(drive|probe)-/.test(name));

/** A version of a time when SDKs of this family were released: one dialect instead of all. */
const families = [
  { name: 'timed-race', version: '0.0.4' },
  { name: 'timed-race-hooks', version: '0.1.30' },
  { name: 'inactivity', version: '0.1.67' },
  { name: 'first-result', version: '0.3.150' },
  { name: 'first-result-mirror', version: '0.3.205' },
  { name: 'run-end', version: '0.3.284' },
  { name: 'run-end-prompt-hold', version: '0.3.332' },
];

describe('every family: stock shows its fault, the patched bundle is clean', { concurrency: 1 }, () => {
  for (const { name, version } of families) {
    test(`${name}, every scenario with canUseTool and an iterable`, async () => {
      const outcome = await probed(
        `src/${name}.mjs`,
        { kinds: ['canUseTool', 'none'], prompts: ['iterable'] },
        version,
      );
      assertClean(outcome);
      assert.ok(outcome.runs.some(({ scenario, stock }) => scenario === 'S13' && stock.outcome === 'lost'));
    });

    test(`${name}, minified, with every callback and prompt`, async () => {
      const scenarios = named('S2', 'S3', 'S8', 'S9', 'S13', 'S17', 'S22', 'S28', 'P1');
      assertClean(await probed(`dist/${name}.terser.mjs`, { scenarios }, version));
    });
  }

  test('first-result in every dialect that it met', async () => {
    const options = { scenarios: named('S1', 'S9', 'S13'), kinds: ['canUseTool'] as const };
    const outcome = await probed('src/first-result.mjs', options);
    assertClean(outcome);
    assert.equal(outcome.dialects.length, 6);
  });
});

/** Patches as we do, with another gate. */
const withGate =
  (gate: string) =>
  (source: string): PatchOutcome => {
    const outcome = patchSource(source);
    assert.ok('source' in outcome);
    const spoiled = outcome.source.replace('function $holdopen(q,e){', (head) => head + gate);
    assert.notEqual(spoiled, outcome.source);
    return { ...outcome, source: spoiled };
  };

describe('the verdict', { concurrency: 1 }, () => {
  const s13 = { scenarios: named('S13'), kinds: ['canUseTool'] as const };

  test('a gate that holds nothing is red', async () => {
    const nothing =
      'if(!e)return{frame(){},open(){return()=>{}},input(){},request(f,h){return h},stop(){},end(s,r){r()},close(){}};';
    const options = { ...s13, patch: withGate(nothing) };
    const { runs } = await probed('src/first-result.mjs', options, '0.3.205');
    assert.deepEqual(new Set(runs.map(({ patched }) => patched?.outcome)), new Set(['lost']));
    assert.ok(runs.every(({ timeline }) => timeline.some((line) => line.includes('LOST can_use_tool(r1)'))));
  });

  test('a gate that never releases is red', async () => {
    const never =
      'if(!e)return{frame(){},open(){return()=>{}},input(){},request(f,h){return h},stop(){},end(){},close(){}};';
    const scenarios = named('P1');
    const options = {
      scenarios,
      kinds: ['canUseTool'] as const,
      prompts: ['iterable'] as const,
      patch: withGate(never),
    };
    const { runs } = await probed('src/run-end.mjs', options, '0.3.332');
    assert.deepEqual(new Set(runs.map(({ patched }) => patched?.outcome)), new Set(['hung']));
  });

  test('what was not played proves nothing', async () => {
    const stockOnly = { ...s13, scenarios: named('P1'), stockOnly: true };
    const outcome = await probed('src/first-result.mjs', stockOnly, '0.3.205');
    assert.deepEqual(outcome.agreement, { agrees: null, why: [] });
    assert.ok(outcome.runs.every(({ patched }) => patched === null));
  });

  test('stock that does not do what its status says is a disagreement', async () => {
    const { runs } = await probed('src/first-result.mjs', { ...s13, stockOnly: true }, '0.3.205');
    assert.equal(agreement('affected', 'first-result', runs).agrees, true);
    const { agrees, why } = agreement('unaffected', 'first-result', runs);
    assert.equal(agrees, false);
    assert.match(
      why[0] ?? '',
      /^unaffected, but stock lost S13 \(canUseTool, iterable, set-first, unasked\)$/,
    );
  });

  test('a bundle that cannot end input, or holds no class, is not driven', async () => {
    const name = 'src/web-transport.mjs';
    const web = await probe({ path: fixturePath(name), source: fixture(name), version: null });
    assert.ok('notDriven' in web && web.status === 'unaffected');
    const none = await probe({ path: fixturePath(name), source: 'export {};', version: null });
    assert.ok('notDriven' in none && none.status === null);
  });

  test('nothing is left behind', async () => {
    const before = leftBehind();
    await probed('src/first-result.mjs', { ...s13, concurrency: 2 }, '0.3.205');
    assert.deepEqual(
      leftBehind().filter((name) => !before.includes(name)),
      [],
    );
  });
});

describe('dialects', () => {
  const ids = (...args: Parameters<typeof dialectsOf>): string[] => dialectsOf(...args).map(({ id }) => id);

  test('the version tells which one, where it fits the code', () => {
    assert.deepEqual(ids('timed-race', '0.0.4'), ['launch-marks']);
    assert.deepEqual(ids('first-result', '0.2.50'), ['flushed']);
    assert.deepEqual(ids('first-result', '0.3.150'), ['edges-kept']);
    assert.deepEqual(ids('first-result', '0.3.205'), ['set-first']);
    assert.deepEqual(ids('first-result', '0.3.283'), ['set-first-flagged']);
    assert.deepEqual(ids('run-end', '0.3.332'), ['set-last']);
  });

  test('all that the family met, where it does not', () => {
    assert.equal(ids('first-result', null).length, 6);
    assert.equal(ids('first-result', '7.0.0').length, 6);
    assert.deepEqual(ids('timed-race', '0.3.332'), ['launch-marks']);
  });
});
