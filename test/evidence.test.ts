// The evidence that is committed says what the README and docs/behaviour.md promise, and the page is its rendering.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { readEvidence, versions, versionsFor } from './live/matrix/evidence.ts';
import { scenarios } from './live/matrix/scenarios/index.ts';
import { later, limitOf, renderTable } from './live/matrix/table.ts';

const evidence = await readEvidence('docs/evidence.json');

describe('docs/evidence.json', () => {
  test('has every situation on every release, and nothing wrong in any', () => {
    const name = (version: string, scenario: string, kind: string): string =>
      `${version} ${scenario} ${kind}`;
    const expected = scenarios.flatMap((scenario) =>
      versionsFor(scenario).flatMap((version) =>
        scenario.kinds.map((kind) => name(version, scenario.id, kind)),
      ),
    );
    const found = evidence.pairs.map(({ version, scenario, kind }) => name(version, scenario, kind));
    assert.deepEqual(found.sort(), expected.sort());
    assert.deepEqual(
      evidence.pairs.filter(({ problems }) => problems.length > 0),
      [],
    );
  });

  test('has no end that is later than promised', () => {
    assert.equal(evidence.tails.length, 4 * versions.length);
    assert.deepEqual(
      evidence.tails.filter((tail) => later(tail) > limitOf(tail)),
      [],
    );
  });

  for (const part of ['pairs', 'tails'] as const)
    test(`has ${part} of one gate`, () => {
      assert.equal(new Set(evidence[part].map(({ gate }) => gate)).size, 1);
    });

  test('is what docs/evidence.md shows', async () => {
    const page = await readFile('docs/evidence.md', 'utf8');
    assert.equal(page, renderTable(evidence));
  });
});
