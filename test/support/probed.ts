import assert from 'node:assert/strict';
import { type ProbeOptions, probe } from '../../src/probe/probe.ts';
import type { BundleProbe, RunReport } from '../../src/probe/report.ts';
import { chooseScenarios } from '../../src/probe/scenarios/index.ts';
import type { Scenario } from '../../src/probe/scenarios/scenario.ts';
import { programs } from './drive-fixture.ts';
import { fixture, fixturePath } from './fixtures.ts';
import { Bundle } from '../../src/locate/bundle.ts';

/** The scenarios with these ids, and their variants. */
export function named(...ids: string[]): readonly Scenario[] {
  const chosen = chooseScenarios(ids);
  assert.ok(typeof chosen !== 'string');
  return chosen;
}

/** Probes a fixture, with the programs from source. */
export async function probed(name: string, options: ProbeOptions = {}, version: string | null = null) {
  const subject = { path: fixturePath(name), bundle: new Bundle(fixture(name)), version };
  const outcome = await probe(subject, { ...options, programs: await programs() });
  assert.ok('runs' in outcome, JSON.stringify(outcome));
  return outcome;
}

const describeRun = ({ scenario, kind, prompt, dialect, state, patched, timeline }: RunReport): string =>
  [scenario, kind, prompt, dialect, state, ...(patched?.why ?? []), ...timeline].join('\n');

/** Nothing is lost, hung or wrong in the patched bundle. */
export function assertClean({ runs, agreement: verdict }: BundleProbe): void {
  const bad = runs.filter(({ patched }) => patched?.outcome !== 'served' && patched?.outcome !== 'refused');
  assert.deepEqual(bad.map(describeRun), []);
  assert.deepEqual(verdict, { agrees: true, why: [] });
}
