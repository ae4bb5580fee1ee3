import type { CheckReport, CheckedBundle, CheckedRelease } from '../release/types.ts';
import type { CheckFormat } from './check-format.ts';
import { driftText, newsTexts, releaseName, summaryText, verdictText } from './check-texts.ts';
import { script, style } from './html-assets.ts';
import { timeline } from './html-timeline.ts';
import { anchor, escape } from './html-text.ts';
import { shapeText } from './texts.ts';

/** One page that needs nothing else: no request leaves it, and its policy would let none. */
export const htmlPage: CheckFormat = {
  render(report) {
    const { package: name, releases } = report;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>holdopen: ${escape(name)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>When ${escape(name)} ends the CLI's input</h1>
<p id="summary">${escape(summaryText(report))}</p>
</header>
<main>
${timeline(releases)}
${controls(report)}
<table>
<thead><tr><th scope="col">release</th><th scope="col">CLI</th><th scope="col">status</th><th scope="col">patch</th><th scope="col">bundles: status, shape, change against the release before</th></tr></thead>
<tbody>
${releases
  .toReversed()
  .map((release) => row(release, name))
  .join('\n')}
</tbody>
</table>
<p id="none" hidden>No release is as asked for.</p>
</main>
<script>${script}</script>
</body>
</html>
`;
  },
};

function controls({ releases }: CheckReport): string {
  const options = (values: readonly string[]): string =>
    [...new Set(values)].map((value) => `<option>${escape(value)}</option>`).join('');
  const families = releases.flatMap((release) => release.bundles.map(({ family }) => family ?? 'unknown'));
  return `<form id="filter">
<label>Version <input id="version" type="search" placeholder="0.3.2" autocomplete="off"></label>
<label>Status <select id="status"><option value="">any</option>${options(releases.map(({ status }) => status))}</select></label>
<label>Family <select id="family"><option value="">any</option>${options(families)}</select></label>
<label>Change <select id="change"><option value="">any</option><option value="facts">what it does</option><option value="shape">another form</option><option value="news">news</option></select></label>
<label><input id="unpatchable" type="checkbox"> not patchable only</label>
<output id="count">${String(releases.length)} of ${String(releases.length)}</output>
</form>`;
}

function row(release: CheckedRelease, ofPackage: string): string {
  const { version, cli, status, patchable, bundles, news, drift } = release;
  const families = [...new Set(bundles.map(({ family }) => family ?? 'unknown'))].join(' ');
  const data = [
    ['version', version],
    ['status', status],
    ['family', families],
    ['change', changesOf(release)],
    ['patchable', String(patchable)],
  ].map(([name, value]) => `data-${name ?? ''}="${escape(value ?? '')}"`);
  const gone = drift.filter(({ level }) => level === 'removed');
  const items = [
    ...news.map((one) => `<li class="news">${escape(newsTexts[one])}</li>`),
    ...bundles.map((bundle) => item(bundle, release)),
    ...gone.map((one) => `<li><code>${escape(one.file)}</code> ${escape(driftText(one))}</li>`),
  ];
  return `<tr id="${escape(anchor(version))}" ${data.join(' ')}><th scope="row">${escape(releaseName(release, ofPackage))}</th><td>${escape(cli ?? '')}</td><td><span class="status ${status}">${status}</span></td><td>${escape(verdictText(release))}</td><td><ul>${items.join('')}</ul></td></tr>`;
}

function item(bundle: CheckedBundle, { drift }: CheckedRelease): string {
  const { file, status, family } = bundle;
  const change = drift.find((one) => one.file === file);
  const rest = [family ?? '', shapeText(bundle), change ? driftText(change) : ''].filter(
    (text) => text !== '',
  );
  return `<li><code>${escape(file)}</code> <span class="status ${status}">${status}</span> ${escape(rest.join('; '))}</li>`;
}

/** The words that the filter for changes knows. */
function changesOf({ drift, news }: CheckedRelease): string {
  const levels = drift.map(({ level }) => level);
  const words = [
    ...(levels.some((level) => level === 'facts' || level === 'added' || level === 'removed')
      ? ['facts']
      : []),
    ...(levels.includes('normal-form') || levels.includes('facts') ? ['shape'] : []),
    ...(news.length > 0 ? ['news'] : []),
  ];
  return words.join(' ');
}
