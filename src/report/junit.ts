import type { CopyReport } from '../types.ts';
import { copyName, findings, findingText } from './findings.ts';
import type { ReportFormat } from './format.ts';
import { xml } from './texts.ts';

/** One test case; without a result it has passed. */
export interface Case {
  classname: string;
  name: string;
  result?: { kind: 'failure' | 'error' | 'skipped'; type?: string; message: string; lines: string[] };
}

/** JUnit's XML. */
export function junitXml(name: string, suite: string, cases: readonly Case[]): string {
  const count = (kind: string): string => String(cases.filter(({ result }) => result?.kind === kind).length);
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}" ${counts}>
  <testsuite name="${xml(suite)}" ${counts}>
${cases.map((one) => `${caseXml(one)}\n`).join('')}  </testsuite>
</testsuites>
`;
}

function caseXml({ classname, name, result }: Case): string {
  const head = `    <testcase classname="${xml(classname)}" name="${xml(name)}"`;
  if (!result) return `${head}/>`;
  const { kind, message, lines } = result;
  const type = result.type === undefined ? '' : ` type="${xml(result.type)}"`;
  return `${head}>
      <${kind}${type} message="${xml(message)}">${lines.map(xml).join('&#10;')}</${kind}>
    </testcase>`;
}

/** A case for each copy. What could not be read is an error, what is ignored is skipped. */
export const junit: ReportFormat = {
  render(report) {
    const all = findings(report);
    const texts = (copy: CopyReport): string[] => all.filter((one) => one.copy === copy).map(findingText);
    const cases = report.copies.map((copy) => caseOf(copy, texts(copy)));
    return junitXml('holdopen audit', report.root, cases);
  },
};

function caseOf(copy: CopyReport, lines: string[]): Case {
  const { status, ignored, path } = copy;
  const head = { classname: copyName(copy), name: path };
  if (status === 'patched' || status === 'unaffected') return head;
  if (ignored) {
    const message = `${ignored.reason} (until ${ignored.expires})`;
    return { ...head, result: { kind: 'skipped', message, lines } };
  }
  const kind = status === 'unreadable' ? 'error' : 'failure';
  return { ...head, result: { kind, type: status, message: lines[0] ?? status, lines } };
}
