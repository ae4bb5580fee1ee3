import type { Result } from 'sarif';
import { allNews } from '../release/news.ts';
import type { News } from '../release/types.ts';
import type { CheckFormat } from './check-format.ts';
import { newsTexts, releaseName } from './check-texts.ts';
import { sarifLog } from './sarif-log.ts';
import { printable } from './texts.ts';

const levels: Record<News | 'not-checked', 'error' | 'warning' | 'note'> = {
  unpatchable: 'error',
  changed: 'error',
  family: 'warning',
  facts: 'warning',
  bundles: 'warning',
  unneeded: 'note',
  shape: 'note',
  'not-checked': 'error',
};

/** SARIF 2.1.0, for code scanning. Every result has a location, without which GitHub refuses the whole file. */
export const checkSarif: CheckFormat = {
  render(report, { location, version }) {
    const result = (rule: News | 'not-checked', text: string, key: string): Result => ({
      ruleId: `holdopen/check/${rule}`,
      level: levels[rule],
      message: { text: printable(text) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(location.uri), uriBaseId: '%SRCROOT%' },
            region: { startLine: location.line },
          },
        },
      ],
      partialFingerprints: { 'holdopen/check': key },
    });
    const results = [
      ...report.releases.flatMap((release) =>
        release.news.map((news) => {
          const name = `${release.package}@${release.version}`;
          return result(news, `${releaseName(release, '')}: ${newsTexts[news]}`, `${name}:${news}`);
        }),
      ),
      ...report.failures.map(({ spec, code, message }) => result('not-checked', message, `${spec}:${code}`)),
    ];
    const rules = [...allNews, 'not-checked' as const].map((rule) => ({
      id: `holdopen/check/${rule}`,
      shortDescription: {
        text: rule === 'not-checked' ? 'A release could not be checked.' : `A release ${newsTexts[rule]}.`,
      },
      defaultConfiguration: { level: levels[rule] },
    }));
    return sarifLog(version, rules, results);
  },
};
