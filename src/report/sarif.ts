import type { PhysicalLocation, ReportingDescriptor, Result } from 'sarif';
import type { Location, ReportFormat } from './format.ts';
import { displayOf, statuses } from './build.ts';
import { findingRemedy, findings, findingText } from './findings.ts';
import type { Finding, FindingStatus } from './findings.ts';
import { sarifLog } from './sarif-log.ts';
import { printable, statusTexts } from './texts.ts';

const levels: Record<FindingStatus, 'error' | 'warning'> = {
  affected: 'error',
  partial: 'warning',
  stale: 'warning',
  modified: 'error',
  unknown: 'error',
  unreadable: 'error',
};

/** SARIF 2.1.0, for code scanning. Every result has a location, without which GitHub refuses the whole file. */
export const sarif: ReportFormat = {
  render(report, options) {
    const result = (finding: Finding): Result => {
      const { copy, bundle, status } = finding;
      return {
        ruleId: ruleId(status),
        ruleIndex: rules.findIndex((rule) => rule.id === ruleId(status)),
        level: levels[status],
        message: { text: `${findingText(finding)}. Next: ${findingRemedy(finding, report, options)}` },
        locations: [{ physicalLocation: physical(options.locate(copy, bundle)) }],
        // Not the line: it moves with every install.
        partialFingerprints: { 'holdopen/audit': printable(`${displayOf(copy, bundle)}:${status}`) },
        ...(copy.ignored && {
          suppressions: [{ kind: 'external', justification: printable(copy.ignored.reason) }],
        }),
      };
    };
    return sarifLog(options.version, rules, findings(report).map(result));
  },
};

function ruleId(status: FindingStatus): string {
  return `holdopen/audit/${status}`;
}

const rules: ReportingDescriptor[] = statuses.flatMap((status) =>
  status === 'patched' || status === 'unaffected'
    ? []
    : [
        {
          id: ruleId(status),
          shortDescription: { text: `A bundle of the Claude Agent SDK ${statusTexts[status]}.` },
          defaultConfiguration: { level: levels[status] },
        },
      ],
);

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
