import type { CheckedRelease } from '../release/types.ts';
import type { CheckFormat } from './check-format.ts';
import { driftText, newsTexts, releaseName, summaryText, verdictText } from './check-texts.ts';
import { printable, shapeText } from './texts.ts';

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
      summaryText(report),
      '',
      ...withNews.flatMap((release) =>
        release.news.map((news) => `- **${cell(releaseName(release, name))}** ${newsTexts[news]}`),
      ),
      ...failures.map(
        ({ spec, message, hint }) => `- **${cell(spec)}** ${cell(message)}. Next: \`${cell(hint)}\``,
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
        const change = release.drift.find(({ file }) => file === bundle.file);
        const row = [
          `${releaseName(release, name)} (${verdictText(release)})`,
          bundle.file,
          bundle.status,
          bundle.family ?? '',
          shapeText(bundle),
          change ? `${driftText(change)} (${release.against ?? ''})` : '',
        ];
        return `| ${row.map(cell).join(' | ')} |`;
      }),
    ),
  ];
}

/** Names come from packages: nothing of them may become markup, end a cell or mention a user. */
function cell(text: string): string {
  return printable(text)
    .replace(/[&<>]/g, (character) => `&#${String(character.charCodeAt(0))};`)
    .replace(/[|\\`*_[\]]/g, '\\$&')
    .replace(/(?<![\w/])@(?=\w)/g, '@\u200b');
}
