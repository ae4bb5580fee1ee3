import type { Acceptance, BundleReport, CopyReport, Report, ShapeDifference, Status } from '../types.ts';
import { statuses } from '../status.ts';
import type { RenderOptions, ReportFormat } from './format.ts';
import { nextSteps } from './findings.ts';
import { printable, reasonText, shapeText, statusTexts } from './texts.ts';

/** For people, and for the log of a CI job: a line for each copy, what is wrong with it, what to do. */
export const human: ReportFormat = {
  render(report, options) {
    const lines = [
      ...report.copies.flatMap((copy) => copyLines(copy, options)),
      ...report.differences.map(differenceLine),
      report.copies.length === 0 ? noneLine(report, options.target) : summaryLine(report, options),
    ];
    return lines.map((line) => `${line}\n`).join('');
  },
};

/**
 * There is nothing to find, which is no finding.
 * @param report what was searched
 * @param target how the user named it, see `RenderOptions`
 */
export function noneLine(report: Report, target: string): string {
  if (target === '--global') return 'No Claude Agent SDK is installed globally.';
  const others = / --global$/.test(target) ? ', nor globally' : '';
  return `No Claude Agent SDK is installed in ${printable(report.root)}${others}.`;
}

const clean: ReadonlySet<Status> = new Set(['unaffected', 'patched']);
const width = Math.max(...statuses.map((status) => status.length));

function copyLines(copy: CopyReport, { colors }: RenderOptions): string[] {
  const name = copy.version === null ? copy.package : `${copy.package} ${copy.version}`;
  const status = paint(copy.status.padEnd(width), copy.status, colors);
  const dirty = copy.bundles.filter((bundle) => !clean.has(bundle.status));
  return [
    `${status}  ${printable(name)}  ${printable(copy.path)}`,
    ...(copy.ignored ? [`${' '.repeat(width)}    ${ignoredText(copy.ignored)}`] : []),
    ...dirty.flatMap(bundleLines).map((line) => `${' '.repeat(width)}    ${line}`),
  ];
}

function ignoredText({ expires, reason }: Acceptance): string {
  return printable(`ignored until ${expires}: ${reason}`);
}

function bundleLines(bundle: BundleReport): string[] {
  const reasons = bundle.reasons.map(reasonText);
  const texts = reasons.length > 0 ? reasons : [statusTexts[bundle.status]];
  // `.`: no file in particular.
  const file = bundle.file === '.' ? 'it' : bundle.file;
  const shape = shapeText(bundle);
  return texts.map((text, index) => {
    const isLast = index === texts.length - 1;
    return printable(`${file} ${text}${isLast && shape !== '' ? `; ${shape}` : ''}`);
  });
}

/** `0.3.205 sdk.mjs and 0.3.209 sdk.mjs differ in waitForFirstResult, readMessages; same streamInput, cleanup` */
function differenceLine({ from, to, same, differ }: ShapeDifference): string {
  const rest = same.length > 0 ? `; same ${same.join(', ')}` : '';
  const parts = differ.length > 0 ? differ.join(', ') : 'other methods only';
  return printable(`${from} and ${to} differ in ${parts}${rest}`);
}

/** `3 copies: 1 affected, 2 patched. Next: npx holdopen patch` */
function summaryLine(report: Report, options: RenderOptions): string {
  const { summary } = report;
  const counts = statuses.toReversed().filter((status) => summary[status] > 0);
  const texts = counts.map((status) => `${summary[status]} ${status}`).join(', ');
  const open = report.copies.filter((copy) => copy.ignored === undefined);
  const ignored = report.copies.length - open.length;
  const steps = nextSteps({ ...report, copies: open }, options);
  const next = steps.length > 0 ? ` Next: ${steps.join('; ')}` : isUnneeded(report) ? ` ${unneeded}` : '';
  return `${summary.copies} ${summary.copies === 1 ? 'copy' : 'copies'}: ${texts}${ignored > 0 ? ` (${ignored} ignored)` : ''}.${next}`;
}

const unneeded = 'No copy needs a patch: holdopen can be removed.';

/** Upstream does the job everywhere. One file that somebody named says nothing about the project. */
function isUnneeded({ copies }: Report): boolean {
  return copies.every(({ status, layout }) => status === 'unaffected' && layout !== 'file');
}

const colours: Record<Status, number> = {
  unaffected: 32,
  patched: 32,
  partial: 33,
  stale: 33,
  affected: 31,
  modified: 31,
  unknown: 35,
  unreadable: 31,
};

function paint(text: string, status: Status, colors: boolean): string {
  return colors ? `\u001b[${colours[status]}m${text}\u001b[39m` : text;
}
