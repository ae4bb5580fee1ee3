import { type CheckedRelease, type News, allNews } from '../release/types.ts';
import { checkHuman } from './check-human.ts';
import { driftText, newsTexts } from './texts.ts';
import { type CheckFormat, json } from './format.ts';
import { githubSummary } from './github-summary.ts';
import { type Case, junitXml } from './junit.ts';
import { type Rule, type SarifResult, sarifLog } from './sarif.ts';

/** A case for each release, failed where there is news; errors where one could not be checked. */
const junit: CheckFormat = {
  render({ package: name, releases, failures }) {
    const errors = failures.map(({ spec, code, message }): Case => {
      return { classname: name, name: spec, result: { kind: 'error', type: code, message, lines: [] } };
    });
    return junitXml('holdopen check', name, [...releases.map(caseOf), ...errors]);
  },
};

function caseOf({ package: classname, version: name, news, drift }: CheckedRelease): Case {
  if (news.length === 0) return { classname, name };
  const message = news.map((one) => newsTexts[one]).join('; ');
  const lines = drift.map((file) => `${file.file}: ${driftText(file)}`);
  return { classname, name, result: { kind: 'failure', type: news.join(','), message, lines } };
}

const levels: Record<News, Rule['level']> = {
  unpatchable: 'error',
  changed: 'error',
  family: 'warning',
  facts: 'warning',
  bundles: 'warning',
  unneeded: 'note',
  shape: 'note',
};

const rules = Object.fromEntries([
  ...allNews.map((news) => [news, { level: levels[news], text: `A release ${newsTexts[news]}.` }]),
  ['not-checked', { level: 'error', text: 'A release could not be checked.' }],
]) as Record<News | 'not-checked', Rule>;

const sarif: CheckFormat = {
  render({ releases, failures }, { location, version }) {
    const place = { path: location.uri, line: location.line };
    const news = releases.flatMap((release) =>
      release.news.map((rule): SarifResult<keyof typeof rules> => {
        const name = `${release.package}@${release.version}`;
        return { rule, text: `${name}: ${newsTexts[rule]}`, place, key: `${name}:${rule}` };
      }),
    );
    const errors = failures.map(({ spec, code, message }): SarifResult<keyof typeof rules> => {
      return { rule: 'not-checked', text: message, place, key: `${spec}:${code}` };
    });
    return sarifLog('check', version, rules, [...news, ...errors]);
  },
};

/** By the name that `check --format` takes. */
export const checkFormats = {
  human: checkHuman,
  json,
  'github-summary': githubSummary,
  sarif,
  junit,
} satisfies Record<string, CheckFormat>;

export type CheckFormatName = keyof typeof checkFormats;

export const checkFormatNames = Object.keys(checkFormats) as CheckFormatName[];
