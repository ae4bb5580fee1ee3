import type { Bundle } from '../locate/bundle.ts';
import { isUntouchedPatch } from '../patch/marker.ts';
import { emptyBundle } from '../status.ts';
import type { FormatName } from '../report/index.ts';
import { noneLine } from '../report/human.ts';
import type { BundleReport, Report } from '../types.ts';
import type { Changes } from './change.ts';
import { type ExitCode, patchExitCode } from './exit-code.ts';
import { missingSdk, say } from './output.ts';
import type { ReportOutput } from './reports.ts';
import { type Inspect, type Visit, run } from './run.ts';
import { changedCopies, count, leftOvers } from './summary.ts';
import { type Target, targetWords } from './target.ts';

export interface PatchOptions extends Target {
  format: FormatName;
  /** More outputs beside the one on stdout. */
  output: ReportOutput[];
  soft: boolean;
  dryRun: boolean;
  quiet: boolean;
  requireSdk: boolean;
}

/** What it takes to report to programs. */
export interface Reporting {
  inspect: Inspect;
  /** Saves and prints what they read. */
  print: (report: Report, options: PatchOptions) => Promise<void>;
}

/**
 * `holdopen patch`: puts the gate into every bundle that needs it. Each file is patched wholly or left as it is, and
 * none keeps another from being patched. One line on stdout, what went wrong on stderr.
 * @param reporting for a format or an output that is for programs; a plain patch has none and loads neither the
 *   formats nor what makes fingerprints
 * @returns the exit code
 * @throws HoldopenError where what the user named is not there; the first bug that a file brought out
 */
export async function patch(options: PatchOptions, reporting?: Reporting): Promise<ExitCode> {
  const changes: Changes = { done: [], refused: [], failed: [] };
  // A report for programs has every fact of a bundle; a line for people needs none that takes a parser.
  const needsFacts = options.format !== 'human' || options.output.length > 0;
  const glance = needsFacts ? undefined : onSight;
  const load = async (): Promise<Visit> => {
    const { patching } = await import('./change.ts');
    return patching(options.dryRun, needsFacts ? reporting?.inspect : undefined, changes);
  };
  const { report, crashes } = await run(options, load, glance);
  const left = leftOvers(report, changes, { cwd: options.cwd, verb: 'patched', isDone });
  const prefix = options.soft ? 'holdopen: warning: ' : 'holdopen: ';
  await say('stderr', left.map(({ message, hint }) => `${prefix}${message}\n  next: ${hint}\n`).join(''));
  if (needsFacts) await reporting?.print(report, options);
  if (options.format === 'human' && !options.quiet) {
    await say('stdout', `${summary(report, changes, left.length, options)}\n`);
  }
  if (crashes.length > 0) throw crashes[0];
  if (options.requireSdk && report.copies.length === 0)
    await say('stderr', missingSdk(noneLine(report, targetWords(options))));
  return patchExitCode(report, options);
}

function isDone(bundle: BundleReport): boolean {
  return bundle.status === 'patched' || bundle.status === 'unaffected';
}

/** `holdopen: patched 2 files in 1 copy: node_modules/@anthropic-ai/claude-agent-sdk (0.3.205)` */
function summary(report: Report, changes: Changes, left: number, options: PatchOptions): string {
  if (report.copies.length === 0) return `holdopen: ${noneLine(report, targetWords(options))}`;
  const rest = left > 0 ? `; ${count(left, 'file')} not patched, see above` : '';
  if (changes.done.length === 0) {
    return `holdopen: ${count(report.copies.length, 'copy', 'copies')}, nothing ${left > 0 ? 'patched' : 'to patch'}${rest}`;
  }
  const verb = options.dryRun ? 'would patch' : 'patched';
  const files = count(changes.done.length, 'file');
  return `holdopen: ${verb} ${files} in ${changedCopies(report, changes)}${rest}`;
}

/**
 * What is told of a bundle without a parser: that it is patched and nobody has touched it since, by its hash, or that it has
 * no input to end. It is what makes `patch` on a patched tree cost next to nothing.
 * @returns a report without hash and facts, for people only; undefined where the text has to be looked at
 */
function onSight(file: string, bundle: Bundle): BundleReport | undefined {
  if (isUntouchedPatch(bundle.bytes)) return emptyBundle(file, 'patched', [{ code: 'gate-current' }]);
  return bundle.hasNoInput ? emptyBundle(file, 'unaffected', [{ code: 'end-input-empty' }]) : undefined;
}

/**
 * The options of `holdopen patch [dir] [--quiet] [--soft]`, as scripts of a package.json say it.
 * @returns undefined for any other command line: commander reads that, and knows what is wrong with it
 */
export function plainPatch(argv: readonly string[]): Omit<PatchOptions, 'cwd'> | undefined {
  const [command, ...words] = argv;
  if (command !== 'patch') return undefined;
  const flags = words.filter((word) => word.startsWith('-'));
  const [dir, ...more] = words.filter((word) => !word.startsWith('-'));
  if (dir === '' || more.length > 0 || flags.some((flag) => flag !== '--quiet' && flag !== '--soft'))
    return undefined;
  return {
    dir,
    files: [],
    global: false,
    format: 'human',
    output: [],
    soft: flags.includes('--soft'),
    quiet: flags.includes('--quiet'),
    dryRun: false,
    requireSdk: false,
  };
}
