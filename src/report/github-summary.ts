import type { CheckedRelease } from '../release/types.ts';
import type { CheckFormat } from './format.ts';
import { driftOf, newsTexts, printable, releaseName, shapeText, summaryText, verdictText } from './texts.ts';

/** More rows than this nobody reads, and a step summary may have 1 MB. */
const most = 50;

/** Markdown, for `$GITHUB_STEP_SUMMARY` or the body of an issue. */
export const githubSummary: CheckFormat = {
  render(report) {
    const { package: name, releases, failures } = report;
    const withNews = releases.filter(({ news }) => news.length > 0);
    const shown = releases.length > most ? withNews : releases;
    const lines = [
      `## holdopen check: ${cell(name)}`,
      '',
      cell(summaryText(report)),
      '',
      ...withNews.flatMap((release) =>
        release.news.map((news) => `- **${cell(releaseName(release, name))}** ${newsTexts[news]}`),
      ),
      ...failures.map(
        ({ spec, message, hint }) => `- **${cell(spec)}** ${cell(message)}. Next: ${code(hint)}`,
      ),
      ...(withNews.length + failures.length > 0 ? [''] : []),
      ...(shown.length > 0 ? table(shown.slice(-most), name) : []),
    ];
    return `${lines.join('\n')}\n`;
  },
};

function table(releases: readonly CheckedRelease[], name: string): string[] {
  return [
    '| release | bundle | status | family | shape | against the one before |',
    '| --- | --- | --- | --- | --- | --- |',
    ...releases.flatMap((release) =>
      release.bundles.map((bundle) => {
        const change = driftOf(release, bundle.file);
        const row = [
          `${releaseName(release, name)} (${verdictText(release)})`,
          bundle.file,
          bundle.status,
          bundle.family ?? '',
          shapeText(bundle),
          change && `${change} (${release.against ?? ''})`,
        ];
        return `| ${row.map(cell).join(' | ')} |`;
      }),
    ),
  ];
}

/** Names come from packages: nothing of them may become markup, end a cell, mention a user or be a link. */
function cell(text: string): string {
  return short(text)
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[|\\`*_[\]~$]/g, '\\$&')
    .replace(/(?<![\w/])@(?=\w)|:(?=\/\/)|\bwww(?=\.)|#(?=\d)(?<!&#)/gi, '$&\u200b');
}

/** A command to be copied: what markup it holds is text between backticks, of which it must not have as many itself. */
function code(text: string): string {
  const fence = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  const blank = fence.length > 1 ? ' ' : '';
  return `${fence}${blank}${short(text)}${blank}${fence}`;
}

/** A step summary is refused as a whole where it has more than 1 MB. */
function short(text: string): string {
  const plain = printable(text);
  return plain.length > longest ? `${plain.slice(0, longest)}...` : plain;
}

const longest = 1000;
