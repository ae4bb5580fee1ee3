import type { BundleProbe, NotDriven, RunReport } from '../probe/report.ts';
import { printable } from './texts.ts';

/** The document that `probe --format json` prints. */
export interface ProbeReport {
  schema: 'holdopen/probe@1';
  bundles: ({ path: string; version: string | null } & (BundleProbe | NotDriven))[];
}

export function probeJson(report: ProbeReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** A matrix for each bundle, and under it what happened where the patched bundle, or the verdict, did not hold. */
export function probeText(report: ProbeReport): string {
  return `${report.bundles.map((bundle) => bundleLines(bundle).map(printable).join('\n')).join('\n\n')}\n`;
}

function bundleLines(bundle: ProbeReport['bundles'][number]): string[] {
  const name = [bundle.path, bundle.version ?? ''].join(' ').trim();
  if ('notDriven' in bundle) return [`${name}: not driven, ${bundle.notDriven}`];
  const { status, family, dialects, runs, agreement } = bundle;
  const head = [...new Set(runs.map(({ scenario }) => scenario))];
  const rows = head.map((id) => row(runs.filter(({ scenario }) => scenario === id)));
  const table = [['', 'stock', 'patched', 'ends later', ''], ...rows];
  const widths = [0, 1, 2, 3].map((n) => Math.max(...table.map((cells) => cells[n]?.length ?? 0)));
  const lines = table.map((cells) => cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  '));
  return [
    `${name}: ${status} (${family}), CLI speaks ${dialects.join(', ')}`,
    ...lines.map((line) => line.trimEnd()),
    ...verdictLines(runs, agreement),
    ...runs.filter(isBad).flatMap(badLines),
  ];
}

/** `S13  lost 8 of 8  served 8  3 ms  the end of a shell wakes the model, which asks` */
function row(runs: RunReport[]): string[] {
  const patched = runs.flatMap((run) => (run.patched ? [run.patched.outcome] : []));
  const later = runs.flatMap(({ laterMs }) => (laterMs === null ? [] : [laterMs]));
  const late = runs.some((run) => run.late) ? ', too late' : '';
  return [
    runs[0]?.scenario ?? '',
    tally(runs.map(({ stock }) => stock.outcome)),
    tally(patched),
    later.length === 0 ? '' : `${Math.max(...later, 0)} ms${late}`,
    runs[0]?.title ?? '',
  ];
}

/** `served 3`, or `lost 2, served 1`; the worst first. */
function tally(found: readonly string[]): string {
  const order = ['hung', 'lost', 'wrong', 'served', 'refused'];
  return order
    .flatMap((outcome) => {
      const count = found.filter((each) => each === outcome).length;
      return count > 0 ? [`${outcome} ${count}`] : [];
    })
    .join(', ');
}

function verdictLines(runs: RunReport[], { agrees, why }: BundleProbe['agreement']): string[] {
  const bad = runs.filter(({ patched }) => patched && isFailure(patched.outcome)).length;
  const driven = runs.some(({ patched }) => patched);
  const verdict =
    agrees === null
      ? 'the scenarios that would prove the static verdict were not played'
      : `the static verdict ${agrees ? 'agrees' : 'does not agree'} with what stock did`;
  const outcome = driven
    ? `patched: ${bad === 0 ? 'nothing lost, nothing hung' : `${bad} not right`}`
    : 'stock only';
  return [`${runs.length} runs; ${outcome}; ${verdict}`, ...why.map((line) => `  ${line}`)];
}

export const isFailure = (outcome: string): boolean => outcome !== 'served' && outcome !== 'refused';

const isBad = ({ patched, late }: RunReport): boolean =>
  (patched !== null && isFailure(patched.outcome)) || late;

function badLines({
  scenario,
  kind,
  prompt,
  dialect,
  state,
  patched,
  late,
  laterMs,
  timeline,
}: RunReport): string[] {
  const what = late ? `too late (${laterMs} ms)` : (patched?.outcome ?? '');
  return [
    '',
    `${scenario}, ${kind}, ${prompt} prompt, ${dialect}, session state ${state}: patched ${what}`,
    ...(patched?.why ?? []).map((line) => `  ${line}`),
    ...timeline.map((line) => `  ${line}`),
  ];
}
