// docs/reliability.json: what the tests counted, row by row.
import { readFile, writeFile } from 'node:fs/promises';
import type { Report, Spoil, Tried } from '../support/report.ts';
import { type RowName, rowNames, rows } from './rows.ts';

export interface RowData {
  row: RowName;
  what: string;
  test: string;
  tried: Tried;
  spoilt: Partial<Record<Spoil, number>>;
}

/** What one row's tests reported, added up; undefined where one of them did not. */
export function addUp(
  row: RowName,
  reports: readonly Report[],
): Pick<RowData, 'tried' | 'spoilt'> | undefined {
  const own = reports.filter((report) => report.row === row);
  if (own.length !== rows[row].reports) return undefined;
  return { tried: sum(own.map(({ tried }) => tried)), spoilt: sum(own.map(({ spoilt }) => spoilt)) };
}

function sum(all: readonly Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [name, count] of all.flatMap((one) => Object.entries(one)))
    total[name] = (total[name] ?? 0) + count;
  return total;
}

/** None where there is no file yet. */
export async function readReliability(path: string): Promise<RowData[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '[]';
  });
  return JSON.parse(text) as RowData[];
}

/** In the order of the page, with the words of today. */
export function inOrder(data: readonly RowData[]): RowData[] {
  return rowNames.flatMap((row) => {
    const { what, test } = rows[row];
    return data
      .filter((one) => one.row === row)
      .map(({ tried, spoilt }) => ({ row, what, test, tried, spoilt }));
  });
}

export async function writeReliability(path: string, data: readonly RowData[]): Promise<void> {
  await writeFile(path, `${JSON.stringify(data, null, 2)}\n`);
}
