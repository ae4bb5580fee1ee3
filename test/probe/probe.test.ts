import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { dialectsOf } from '../../src/probe/dialects.ts';
import { probe } from '../../src/probe/probe.ts';
import { agreement } from '../../src/probe/report.ts';
import { type PatchOutcome, patchBundle } from '../../src/patch/apply.ts';
import { fixture, fixturePath } from '../support/fixtures.ts';
import { assertClean, named, probed } from '../support/probed.ts';
import { makeTree } from '../support/tree.ts';
import { Bundle } from '../../src/locate/bundle.ts';

/** Patches as we do, with another gate. */
const withGate =
  (gate: string) =>
  (bundle: Bundle): PatchOutcome => {
    const outcome = patchBundle(bundle);
    assert.ok('source' in outcome);
    const spoiled = outcome.source.replace('function $holdopen(q,e){', (head) => head + gate);
    assert.notEqual(spoiled, outcome.source);
    return { ...outcome, source: spoiled };
  };

describe('the patched bundle is clean', { concurrency: 1 }, () => {
  for (const [name, version] of [
    ['first-result', '0.3.205'],
    ['run-end', '0.3.332'],
  ] as const)
    test(`${name}, where a shell or a subagent outlives the turn, and where nothing does`, async () => {
      const options = { scenarios: named('S1', 'S13', 'P1'), kinds: ['canUseTool'] as const };
      assertClean(await probed(`src/${name}.mjs`, options, version));
    });
});

describe('the verdict', { concurrency: 1 }, () => {
  const s13 = { scenarios: named('S13'), kinds: ['canUseTool'] as const };

  test('a gate that holds nothing is red', async () => {
    const nothing =
      'if(!e)return{frame(){},open(){return()=>{}},input(){},request(f,h){return h},stop(){},end(s,r){r()},close(){}};';
    const options = { ...s13, patch: withGate(nothing) };
    const { runs } = await probed('src/first-result.mjs', options, '0.3.205');
    assert.deepEqual(new Set(runs.map(({ patched }) => patched?.outcome)), new Set(['lost']));
    const shell = runs.filter(({ scenario }) => scenario === 'S13');
    assert.ok(shell.length > 0);
    assert.ok(shell.every(({ timeline }) => timeline.some((line) => line.includes('LOST can_use_tool(r1)'))));
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
    const web = await probe({ path: fixturePath(name), bundle: new Bundle(fixture(name)), version: null });
    assert.ok('notDriven' in web && web.status === 'unaffected');
    const none = await probe({ path: fixturePath(name), bundle: new Bundle('export {};'), version: null });
    assert.ok('notDriven' in none && none.status === null);
  });

  test('nothing is left behind', async (t) => {
    // Other tests use the system's own folder at the same time.
    const own = makeTree(t, {});
    const { TMPDIR } = process.env;
    process.env.TMPDIR = own;
    try {
      await probed('src/first-result.mjs', { ...s13, concurrency: 2 }, '0.3.205');
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
    assert.deepEqual(
      readdirSync(own).filter((name) => /^holdopen-(drive|probe)-/.test(name)),
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
