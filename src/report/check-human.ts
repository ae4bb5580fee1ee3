import { sdkPackage } from '../locate/installs/layout.ts';
import type { CheckReport, CheckedRelease } from '../release/types.ts';
import type { CheckFormat } from './format.ts';
import {
  clauses,
  driftOf,
  driftText,
  newsTexts,
  printable,
  reasonText,
  releaseName,
  shapeText,
  summaryText,
  verdictText,
} from './texts.ts';

/** Up to so many releases are told one by one. */
const few = 8;

/** For people, to be read in ten seconds: what is new first to see, what it means in the last line. */
export const checkHuman: CheckFormat = {
  render(report, { colors }) {
    const { releases } = report;
    const lines = releases.length <= few ? releases.flatMap((one) => details(one, report)) : eras(releases);
    const news = releases.length <= few ? [] : releases.flatMap((release) => newsLines(release, report));
    const text = [...lines, ...news, summaryText(report), ...nextLines(report)];
    return text.map((line) => `${paint(printable(line), colors)}\n`).join('');
  },
};

/**
 * 0.3.333  partial  the patch holds, new release; against 0.3.332
 *   sdk.mjs   partial, run-end: same facts, other code in readMessages; new shape
 */
function details(release: CheckedRelease, report: CheckReport): string[] {
  const { bundles, drift, against, recorded } = release;
  const width = Math.max(...bundles.map(({ file }) => file.length), 0);
  const gone = drift.filter(({ level }) => level === 'removed');
  const name = releaseName(release, report.package);
  const parts = [verdictText(release), ...(recorded ? [] : ['not in the catalogue'])];
  const versus = against === null ? '' : `; against ${against}`;
  return [
    `${name}  ${release.status}  ${parts.join(', ')}${versus}`,
    ...bundles.map((bundle) => {
      const family = bundle.family === null ? '' : `, ${bundle.family}`;
      const reasons = bundle.family === null ? bundle.reasons.map(reasonText).join('; ') : '';
      const texts = clauses(driftOf(release, bundle.file), shapeText(bundle), reasons);
      return `  ${bundle.file.padEnd(width)}  ${bundle.status}${family}: ${texts}`;
    }),
    ...gone.map((one) => `  ${one.file.padEnd(width)}  ${driftText(one)}`),
    ...newsLines(release, report),
  ];
}

function newsLines(release: CheckedRelease, report: CheckReport): string[] {
  return release.news.map((news) => `! ${releaseName(release, report.package)} ${newsTexts[news]}`);
}

/**
 * 0.1.63 - 0.1.72    inactivity  affected  the patch holds  10 releases
 *   0.1.71  sdk.mjs needs +onElicitation
 */
function eras(releases: readonly CheckedRelease[]): string[] {
  const groups: CheckedRelease[][] = [];
  for (const release of releases) {
    const last = groups.at(-1);
    if (last?.[0] && era(last[0]) === era(release)) last.push(release);
    else groups.push([release]);
  }
  return groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return [];
    const span = first === last ? first.version : `${first.version} - ${last.version}`;
    const count = `${group.length} ${group.length === 1 ? 'release' : 'releases'}`;
    return [`${span.padEnd(18)}  ${era(first)}  ${count}`, ...group.flatMap(factLines)];
  });
}

function era(release: CheckedRelease): string {
  const families = [...new Set(release.bundles.map(({ family }) => family ?? 'unknown'))];
  return `${families.join(', ').padEnd(12)}  ${release.status.padEnd(10)}  ${verdictText(release)}`;
}

function factLines({ version, drift }: CheckedRelease): string[] {
  const shown = drift.filter(({ level }) => level === 'facts' || level === 'added' || level === 'removed');
  const texts = new Map<string, string[]>();
  for (const one of shown) texts.set(driftText(one), [...(texts.get(driftText(one)) ?? []), one.file]);
  return [...texts].map(([text, files]) => `  ${version.padEnd(9)} ${files.join(', ')}: ${text}`);
}

function nextLines({ package: name, releases, failures }: CheckReport): string[] {
  const unpatchable = releases.filter((release) => !release.patchable).slice(0, 1);
  const steps = unpatchable.map((bad) =>
    isWithoutSdk(bad)
      ? `no script of ${bad.package} has the SDK in it; where it is a dependency, check that: holdopen check`
      : `npm install --save-dev holdopen@latest; stay on an older ${name} until it knows ${bad.version}`,
  );
  const hints = [...steps, ...new Set(failures.map(({ hint }) => hint))];
  return [
    ...failures.map(({ spec, message }) => `! ${spec}: ${message}`),
    ...hints.map((hint) => `Next: ${hint}`),
  ];
}

/** Most packages depend on the SDK and do not bundle it: then there is nothing of it that holdopen could come to know. */
function isWithoutSdk({ package: name, bundles }: CheckedRelease): boolean {
  return name !== sdkPackage && bundles.every(({ file }) => file === '.');
}

function paint(line: string, colors: boolean): string {
  if (!colors) return line;
  return line.startsWith('!') ? `\u001b[33m${line}\u001b[39m` : line;
}
