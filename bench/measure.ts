// Whole processes, paired: in every round each command runs once, in turn, and ratios are taken within the round, so that
// a machine that slows down meanwhile slows down both sides.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One row of a table. */
export interface Command {
  name: string;
  args: readonly string[];
  cwd?: string;
  env?: Record<string, string>;
  /** Puts the files into the state that every run begins with; not timed. */
  before?: () => void;
  /** The exit code that says that the work was done. */
  code?: number;
}

/** Median, and the quartiles around it. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

export interface Measured {
  name: string;
  /** Wall clock of the whole process, in ms. */
  time: Spread;
  /** CPU of the whole process until its exit, in ms. */
  cpu: Spread;
  /** Against the first command, round by round. */
  timeRatio: Spread;
  cpuRatio: Spread;
  /** Peak of the resident memory, in MB. */
  memory: Spread;
  memoryRatio: Spread;
}

interface Sample {
  time: number;
  cpu: number;
  memory: number;
}

/**
 * Runs commands in turn, each once a round after one round that does not count.
 * @param commands the first is what the others are measured by
 * @throws Error where a command did not end as it should: then nothing was measured
 */
export function measure(commands: readonly Command[], rounds: number): Measured[] {
  const folder = mkdtempSync(join(tmpdir(), 'holdopen-bench-'));
  const meter = join(folder, 'meter.cjs');
  // As late as can be in the process that is measured; a system without this count gives none anyway.
  writeFileSync(
    meter,
    `process.on('exit', () => { const u = process.resourceUsage();
     require('node:fs').writeFileSync(process.env.BENCH_USAGE, JSON.stringify([u.userCPUTime + u.systemCPUTime, u.maxRSS])); });`,
  );
  try {
    const samples = commands.map((): Sample[] => []);
    for (let round = -1; round < rounds; round += 1) {
      commands.forEach((command, index) => {
        const usage = join(folder, 'usage.json');
        command.before?.();
        const time = run(command, []);
        command.before?.();
        run(command, ['-r', meter], { BENCH_USAGE: usage });
        const [cpu = 0, memory = 0] = JSON.parse(readFileSync(usage, 'utf8')) as number[];
        if (round >= 0) samples[index]?.push({ time, cpu: cpu / 1000, memory: memory / 1024 });
      });
    }
    const base = samples[0] ?? [];
    return commands.map(({ name }, index) => {
      const own = samples[index] ?? [];
      const values = (key: keyof Sample): Spread => spread(own.map((sample) => sample[key]));
      const ratios = (key: keyof Sample): Spread =>
        spread(own.map((sample, round) => sample[key] / (base[round]?.[key] ?? Number.NaN)));
      return {
        name,
        time: values('time'),
        cpu: values('cpu'),
        memory: values('memory'),
        timeRatio: ratios('time'),
        cpuRatio: ratios('cpu'),
        memoryRatio: ratios('memory'),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns ms from start to exit */
function run({ name, args, cwd, env, code = 0 }: Command, flags: string[], more = {}): number {
  const options = { cwd, env: { ...process.env, ...env, ...more }, maxBuffer: 2 ** 28 };
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, [...flags, ...args], options);
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== code) throw new Error(`${name} exited with ${status}:\n${String(stderr)}`);
  return time;
}

/** Of at least one number. */
export function spread(numbers: readonly number[]): Spread {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
