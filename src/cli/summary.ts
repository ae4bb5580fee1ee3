import type { HoldopenError } from '../errors.ts';
import { displayOf } from '../report/build.ts';
import { remedy } from '../report/findings.ts';
import { printable, reasonText, statusTexts } from '../report/texts.ts';
import type { BundleReport, Report } from '../types.ts';
import type { Changes } from './change.ts';

/** One bundle that did not get what the command is for: what, why, what next. */
export interface LeftOver {
  message: string;
  hint: string;
}

interface Options {
  cwd: string;
  /** `patched`, `restored`. */
  verb: string;
  /** Whether the state that a bundle is in after the run counts as done. */
  isDone: (bundle: BundleReport) => boolean;
}

/**
 * What `patch` or `restore` left undone, with the reason that is nearest to it: the error of the write, the refusal, or
 * else what the bundle is.
 * @param report the state after the run
 * @param changes what became of the bundles
 * @param options which state is the wanted one, and how to say it
 */
export function leftOvers(report: Report, changes: Changes, options: Options): LeftOver[] {
  const failed = new Map(changes.failed.map(({ place, error }) => [place.display, error]));
  const refused = new Map(changes.refused.map((refusal) => [refusal.place.display, refusal]));
  return report.copies.flatMap((copy) =>
    copy.bundles.flatMap((bundle) => {
      const display = displayOf(copy, bundle);
      const error = failed.get(display);
      const refusal = refused.get(display);
      if (error) return [ofError(error, options)];
      if (!refusal && options.isDone(bundle)) return [];
      const state = refusal ?? bundle;
      const why = state.reasons.map(reasonText).join('; ') || statusTexts[state.status];
      return [
        {
          message: printable(`not ${options.verb}: ${display} ${why}`),
          hint: remedy(report.root, copy, state, options),
        },
      ];
    }),
  );
}

function ofError(error: HoldopenError, { verb }: Options): LeftOver {
  return { message: printable(`not ${verb}: ${error.message}`), hint: printable(error.hint) };
}

/** `1 copy: node_modules/@anthropic-ai/claude-agent-sdk (0.3.205)` */
export function changedCopies(report: Report, changes: Changes): string {
  const done = new Set(changes.done.map((place) => place.copy));
  const copies = report.copies.filter((copy) => done.has(copy.path));
  const names = copies.map((copy) => printable(`${copy.path} (${copy.version ?? 'no version'})`));
  return `${count(copies.length, 'copy', 'copies')}: ${names.join(', ')}`;
}

/** `1 file`, `2 files`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
