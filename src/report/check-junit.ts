import type { CheckedRelease } from '../release/types.ts';
import type { CheckFormat } from './check.ts';
import { driftText, newsTexts } from './check-texts.ts';
import { printable } from './texts.ts';

/** JUnit's XML: a case for each release, failed where there is news; errors where one could not be checked. */
export const checkJunit: CheckFormat = {
  render({ package: name, releases, failures }) {
    const failed = releases.filter(({ news }) => news.length > 0).length;
    const counts = `tests="${String(releases.length + failures.length)}" failures="${String(failed)}" errors="${String(failures.length)}"`;
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="holdopen check" ${counts}>`,
      `  <testsuite name="${xml(name)}" ${counts}>`,
      ...releases.flatMap(caseLines),
      ...failures.flatMap(({ spec, code, message }) => [
        `    <testcase classname="${xml(name)}" name="${xml(spec)}">`,
        `      <error type="${xml(code)}" message="${xml(message)}"/>`,
        '    </testcase>',
      ]),
      '  </testsuite>',
      '</testsuites>',
    ];
    return `${lines.join('\n')}\n`;
  },
};

function caseLines({ package: name, version, news, drift }: CheckedRelease): string[] {
  const head = `    <testcase classname="${xml(name)}" name="${xml(version)}"`;
  if (news.length === 0) return [`${head}/>`];
  const message = news.map((one) => newsTexts[one]).join('; ');
  const body = drift.map((file) => `${file.file}: ${driftText(file)}`).join('\n');
  return [
    `${head}>`,
    `      <failure type="${xml(news.join(','))}" message="${xml(message)}">${xml(body)}</failure>`,
    '    </testcase>',
  ];
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text for an attribute or an element; XML 1.0 has no place for control characters at all. */
function xml(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line).replace(/[&<>"']/g, (character) => entities[character] ?? ''))
    .join('&#10;');
}
