import type { CheckedRelease } from '../release/types.ts';
import type { CheckFormat } from './check-format.ts';
import { driftText, newsTexts } from './check-texts.ts';
import { xml } from './xml.ts';

/** JUnit's XML: a case for each release, failed where there is news; errors where one could not be checked. */
export const checkJunit: CheckFormat = {
  render({ package: name, releases, failures }) {
    const failed = releases.filter(({ news }) => news.length > 0).length;
    const counts = `tests="${String(releases.length + failures.length)}" failures="${String(failed)}" errors="${String(failures.length)}"`;
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="holdopen check" ${counts}>`,
      `  <testsuite name="${xmlLines(name)}" ${counts}>`,
      ...releases.flatMap(caseLines),
      ...failures.flatMap(({ spec, code, message }) => [
        `    <testcase classname="${xmlLines(name)}" name="${xmlLines(spec)}">`,
        `      <error type="${xmlLines(code)}" message="${xmlLines(message)}"/>`,
        '    </testcase>',
      ]),
      '  </testsuite>',
      '</testsuites>',
    ];
    return `${lines.join('\n')}\n`;
  },
};

function caseLines({ package: name, version, news, drift }: CheckedRelease): string[] {
  const head = `    <testcase classname="${xmlLines(name)}" name="${xmlLines(version)}"`;
  if (news.length === 0) return [`${head}/>`];
  const message = news.map((one) => newsTexts[one]).join('; ');
  const body = drift.map((file) => `${file.file}: ${driftText(file)}`).join('\n');
  return [
    `${head}>`,
    `      <failure type="${xmlLines(news.join(','))}" message="${xmlLines(message)}">${xmlLines(body)}</failure>`,
    '    </testcase>',
  ];
}

/** Text of several lines. */
const xmlLines = (text: string): string => text.split('\n').map(xml).join('&#10;');
