import type { Measured, Spread } from './measure.ts';

/** A table of Markdown, as prettier writes one. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((cell, column) =>
    Math.max(3, cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** `1.23 (1.10-1.40)` */
export function ratio({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`;
}

/** `12 (11-14)` */
export function number({ median, low, high }: Spread): string {
  return `${median.toFixed(0)} (${low.toFixed(0)}-${high.toFixed(0)})`;
}

/** All that was measured of some commands. */
export function measuredTable(rows: readonly Measured[]): string {
  return table(
    ['what', 'time, ms', 'time, ratio', 'CPU, ratio', 'peak memory, MB', 'memory, ratio'],
    rows.map((row) => [
      row.name,
      number(row.time),
      ratio(row.timeRatio),
      ratio(row.cpuRatio),
      number(row.memory),
      ratio(row.memoryRatio),
    ]),
  );
}
