import type { BundleReport, CopyReport, Report, Status } from '../types.ts';
import { displayOf } from './build.ts';
import { remedy } from './remedies.ts';
import type { RenderOptions } from './format.ts';
import { printable, reasonText, statusTexts } from './texts.ts';

/** The statuses that somebody has to do something about. */
export type FindingStatus = Exclude<Status, 'patched' | 'unaffected'>;

/** One bundle that is not fine. */
export interface Finding {
  copy: CopyReport;
  bundle: BundleReport;
  status: FindingStatus;
}

/** Every bundle that is not fine, in the report's order, those of ignored copies as well. */
export function findings(report: Report): Finding[] {
  return report.copies.flatMap((copy) =>
    copy.bundles.flatMap((bundle): Finding[] =>
      bundle.status === 'patched' || bundle.status === 'unaffected'
        ? []
        : [{ copy, bundle, status: bundle.status }],
    ),
  );
}

/** `node_modules/x/sdk.mjs (x 1.0.0) ends the CLI's input ...`: one line, safe to print. */
export function findingText({ copy, bundle }: Finding): string {
  const why = bundle.reasons.map(reasonText).join('; ') || statusTexts[bundle.status];
  return printable(`${displayOf(copy, bundle)} (${copyName(copy)}) ${why}`);
}

/** What to do about it: a command. */
export function findingRemedy(
  { copy, bundle, status }: Finding,
  report: Report,
  options: RenderOptions,
): string {
  const patchable = status === 'affected' || status === 'partial' || status === 'stale';
  if (patchable && !copy.path.includes('.zip/'))
    return `npx holdopen patch${options.target === '' ? '' : ` ${options.target}`}`;
  return printable(remedy(report.root, copy, bundle, options));
}

/** `@anthropic-ai/claude-agent-sdk 0.3.205` */
export function copyName({ package: name, version }: CopyReport): string {
  return version === null ? name : `${name} ${version}`;
}
