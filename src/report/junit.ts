import type { CopyReport } from '../types.ts';
import type { ReportFormat } from './format.ts';
import { copyName, findings, findingText } from './findings.ts';
import { xml } from './xml.ts';

/** JUnit's XML: a case for each copy. What could not be read is an error, what is ignored is skipped. */
export const junit: ReportFormat = {
  render(report) {
    const all = findings(report);
    const texts = (copy: CopyReport): string[] => all.filter((one) => one.copy === copy).map(findingText);
    const kinds = report.copies.map(kindOf);
    const count = (kind: Kind): string => String(kinds.filter((one) => one === kind).length);
    const counts = `tests="${kinds.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="holdopen audit" ${counts}>`,
      `  <testsuite name="${xml(report.root)}" ${counts}>`,
      ...report.copies.flatMap((copy) => caseLines(copy, texts(copy))),
      '  </testsuite>',
      '</testsuites>',
    ];
    return `${lines.join('\n')}\n`;
  },
};

type Kind = 'passed' | 'failure' | 'error' | 'skipped';

function kindOf(copy: CopyReport): Kind {
  if (copy.status === 'patched' || copy.status === 'unaffected') return 'passed';
  if (copy.ignored) return 'skipped';
  return copy.status === 'unreadable' ? 'error' : 'failure';
}

function caseLines(copy: CopyReport, texts: string[]): string[] {
  const head = `    <testcase classname="${xml(copyName(copy))}" name="${xml(copy.path)}"`;
  const kind = kindOf(copy);
  if (kind === 'passed') return [`${head}/>`];
  const message = copy.ignored ? `${copy.ignored.reason} (until ${copy.ignored.expires})` : texts[0];
  const type = kind === 'skipped' ? '' : ` type="${copy.status}"`;
  return [
    `${head}>`,
    `      <${kind}${type} message="${xml(message ?? copy.status)}">${texts.map(xml).join('&#10;')}</${kind}>`,
    '    </testcase>',
  ];
}
