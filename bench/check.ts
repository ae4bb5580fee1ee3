import { spawnSync } from 'node:child_process';
import type { Bench } from './bench.ts';
import { number, table } from './table.ts';
import { spread } from './measure.ts';

/** `check` of every release from a warm cache; the first run fills it, which takes the registry and some minutes. */
export function measureCheck({ cli, quick }: Bench): string {
  const args = [
    cli,
    'check',
    ...(quick ? ['--since', '0.3.300'] : ['--all']),
    '--format',
    'json',
    '--fail-on',
    'none',
  ];
  let releases = 0;
  const run = (): number => {
    const start = process.hrtime.bigint();
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { maxBuffer: 2 ** 30 });
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    if (status !== 0) throw new Error(`check exited with ${status}:\n${String(stderr)}`);
    releases = (JSON.parse(String(stdout)) as { releases: unknown[] }).releases.length;
    return seconds;
  };
  run();
  const seconds = Array.from({ length: quick ? 2 : 10 }, run);
  const rates = spread(seconds.map((time) => releases / time));
  return `## check

${table(
  ['what', 'releases', 'seconds', 'releases per second'],
  [['warm cache', String(releases), spread(seconds).median.toFixed(1), number(rates)]],
)}`;
}
