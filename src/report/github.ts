import type { CopyReport, Report } from '../types.ts';
import type { ReportFormat, RenderOptions } from './format.ts';
import { copyName, findingRemedy, findings, findingText } from './findings.ts';
import type { Finding } from './findings.ts';
import { printable } from './texts.ts';

/**
 * Annotations of GitHub Actions: one for each copy, since a step may show ten of a kind only. Nothing but commands is
 * printed, so that no name in the inspected tree can become one.
 */
export const github: ReportFormat = {
  render(report, options) {
    const all = findings(report);
    return report.copies
      .map((copy) => ({ copy, found: all.filter((one) => one.copy === copy) }))
      .filter(({ found }) => found.length > 0)
      .map(({ copy, found }) => `${annotation(copy, found, report, options)}\n`)
      .join('');
  },
};

function annotation(copy: CopyReport, found: Finding[], report: Report, options: RenderOptions): string {
  const worst = found.find((one) => one.status === copy.status) as Finding;
  const level = copy.ignored
    ? 'notice'
    : copy.status === 'partial' || copy.status === 'stale'
      ? 'warning'
      : 'error';
  const { path, line } = options.locate(copy, worst.bundle);
  const title = `holdopen: ${copyName(copy)} is ${copy.status}${copy.ignored ? ' (ignored)' : ''}`;
  const text = [
    ...found.map(findingText),
    copy.ignored
      ? `ignored until ${copy.ignored.expires}: ${printable(copy.ignored.reason)}`
      : `Next: ${findingRemedy(worst, report, options)}`,
  ].join('\n');
  return `::${level} file=${property(path)},line=${line},title=${property(title)}::${data(text)}`;
}

/** As the runner takes them apart again. Its own line breaks stay; all other control characters are gone before. */
function data(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line).replaceAll('%', '%25'))
    .join('%0A');
}

function property(text: string): string {
  return data(text.replaceAll('\n', ' ')).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
