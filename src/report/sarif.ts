import type { Log, PhysicalLocation, Result } from 'sarif';
import { displayOf } from './build.ts';
import { type FindingStatus, findings, findingRemedy, findingText } from './findings.ts';
import type { Location, ReportFormat } from './format.ts';
import { printable, statusTexts } from './texts.ts';

/** What all results of one kind have in common. */
export interface Rule {
  level: 'error' | 'warning' | 'note';
  text: string;
}

export interface SarifResult<R extends string> {
  rule: R;
  text: string;
  place: Location;
  /** Makes of two results in two runs one alert. Not the line: it moves with every install. */
  key: string;
  /** Why it is accepted as it is. */
  accepted?: string | undefined;
}

/**
 * SARIF 2.1.0, for code scanning: a file of one run. Every result has a location, without which GitHub refuses the whole
 * file.
 * @param version of holdopen
 */
export function sarifLog<R extends string>(
  command: string,
  version: string,
  rules: Record<R, Rule>,
  results: readonly SarifResult<R>[],
): string {
  const id = (rule: string): string => `holdopen/${command}/${rule}`;
  const entries = Object.entries<Rule>(rules);
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'holdopen',
            version,
            rules: entries.map(([rule, { level, text }]) => ({
              id: id(rule),
              shortDescription: { text },
              defaultConfiguration: { level },
            })),
          },
        },
        results: results.map(({ rule, text, place, key, accepted }): Result => ({
          ruleId: id(rule),
          ruleIndex: entries.findIndex(([name]) => name === rule),
          level: rules[rule].level,
          message: { text: printable(text) },
          locations: [{ physicalLocation: physical(place) }],
          partialFingerprints: { [`holdopen/${command}`]: printable(key) },
          ...(accepted !== undefined && {
            suppressions: [{ kind: 'external', justification: printable(accepted) }],
          }),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function physical({ path, line }: Location): PhysicalLocation {
  const absolute = /^([A-Za-z]:)?\//.test(path);
  // `encodeURI` leaves the two that end a path.
  const uri = encodeURI(path).replace(/[?#]/g, encodeURIComponent);
  return {
    artifactLocation: absolute
      ? { uri: `file://${path.startsWith('/') ? '' : '/'}${uri}` }
      : { uri, uriBaseId: '%SRCROOT%' },
    region: { startLine: line },
  };
}

const levels: Record<FindingStatus, Rule['level']> = {
  partial: 'warning',
  stale: 'warning',
  affected: 'error',
  modified: 'error',
  unknown: 'error',
  unreadable: 'error',
};

const rules = Object.fromEntries(
  Object.entries(levels).map(([status, level]) => [
    status,
    { level, text: `A bundle of the Claude Agent SDK ${statusTexts[status as FindingStatus]}.` },
  ]),
) as Record<FindingStatus, Rule>;

/** What `audit` found: a result for each bundle that is not fine. */
export const sarif: ReportFormat = {
  render(report, options) {
    const results = findings(report).map((finding) => ({
      rule: finding.status,
      text: `${findingText(finding)}. Next: ${findingRemedy(finding, report, options)}`,
      place: options.locate(finding.copy, finding.bundle),
      key: `${displayOf(finding.copy, finding.bundle)}:${finding.status}`,
      accepted: finding.copy.ignored?.reason,
    }));
    return sarifLog('audit', options.version, rules, results);
  },
};
