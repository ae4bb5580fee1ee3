// What is committed of docs/reliability.md is whole, has nothing lost or spoilt in it, and is what was counted.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { addUp, inOrder, readReliability } from './reliability/data.ts';
import { renderPage, totalSpoilt, totalTried } from './reliability/page.ts';
import { rowNames, rows } from './reliability/rows.ts';
import type { Report } from './support/report.ts';

const data = await readReliability('docs/reliability.json');

describe('docs/reliability.json', () => {
  test('has every row that the tests report, in the order and the words of today', () => {
    assert.deepEqual(
      data.map(({ row }) => row),
      rowNames,
    );
    assert.deepEqual(data, inOrder(data));
  });

  for (const { row, tried, spoilt } of data)
    test(`${row}: something was tried, and nothing lost or spoilt`, () => {
      assert.ok(Object.values(tried).some((count) => count > 0));
      const counts = Object.values(spoilt);
      assert.ok(counts.length > 0);
      assert.deepEqual(
        counts.filter((count) => count !== 0),
        [],
      );
    });

  test('has something to add up in every total', () => {
    for (const name of Object.keys(totalTried))
      assert.ok(
        data.some(({ tried }) => (tried[name] ?? 0) > 0),
        name,
      );
    for (const name of totalSpoilt)
      assert.ok(
        data.some(({ spoilt }) => spoilt[name] === 0),
        name,
      );
  });

  test('is what docs/reliability.md shows', async () => {
    assert.equal(await readFile('docs/reliability.md', 'utf8'), renderPage(data));
  });
});

describe('the rows', () => {
  for (const row of rowNames)
    test(`${row} is reported by its test file`, async () => {
      const source = await readFile(rows[row].test, 'utf8');
      // `kill-points-${name}` is two of them.
      const word = row.replace(/-(?:patch|restore)$/, '-${name}');
      assert.ok(source.includes(`'${row}'`) || source.includes(`\`${word}\``));
    });
});

describe('what is counted', () => {
  const report = (row: string, lost = 0): Report => ({ row, tried: { files: 2 }, spoilt: { lost } });

  test('is the sum of what all tests of a row reported', () => {
    const sum = addUp('big-files', [report('big-files'), report('layouts'), report('big-files', 3)]);
    assert.deepEqual(sum, { tried: { files: 4 }, spoilt: { lost: 3 } });
  });

  test('is nothing where one of them did not', () => {
    assert.equal(addUp('big-files', [report('big-files'), report('layouts')]), undefined);
  });
});
