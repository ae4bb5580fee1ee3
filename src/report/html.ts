import type { CheckReport, CheckedBundle, CheckedRelease, DriftLevel } from '../release/types.ts';
import type { CheckFormat } from './format.ts';
import { script, style } from './html-assets.ts';
import {
  clauses,
  driftOf,
  driftText,
  newsTexts,
  releaseName,
  shapeText,
  summaryText,
  verdictText,
  xml as escape,
} from './texts.ts';

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
<output id="count">${releases.length} of ${releases.length}</output>
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

function item(bundle: CheckedBundle, release: CheckedRelease): string {
  const { file, status, family } = bundle;
  const rest = clauses(family ?? '', shapeText(bundle), driftOf(release, file));
  return `<li><code>${escape(file)}</code> <span class="status ${status}">${status}</span> ${escape(rest)}</li>`;
}

/** The words that the filter for changes knows. */
function changesOf({ drift, news }: CheckedRelease): string {
  const levels = drift.map(({ level }) => level);
  const has = (...some: DriftLevel[]): boolean => levels.some((level) => some.includes(level));
  const words = { facts: has('facts', 'added', 'removed'), shape: has('normal-form', 'facts') };
  const holding = Object.entries({ ...words, news: news.length > 0 }).filter(([, holds]) => holds);
  return holding.map(([word]) => word).join(' ');
}

/** Sizes in the units of the drawing, which is stretched to the page. */
const step = 4;
const lane = 18;
const gap = 6;
const top = 16;
const label = 120;

/**
 * A picture of all releases from left to right: a lane of families, and one for each bundle, in the colour of its
 * status. A mark on top tells that the code has another form there, a bar across that it does something else.
 */
function timeline(releases: readonly CheckedRelease[]): string {
  const files = [...new Set(releases.flatMap(({ bundles }) => bundles.map(({ file }) => file)))].sort();
  const lanes = ['family', ...files];
  const width = label + releases.length * step + 8;
  const height = top + lanes.length * (lane + gap) + 20;
  const y = (index: number): number => top + index * (lane + gap);
  const parts = [
    ...lanes.map(
      (name, index) => `<text x="${label - 8}" y="${y(index) + 13}" text-anchor="end">${escape(name)}</text>`,
    ),
    ...releases.flatMap((release, index) => {
      const x = label + index * step;
      return [familyCell(release, x, y(0)), ...files.map((file, at) => cell(release, file, x, y(at + 1)))];
    }),
    ...axis(releases, y(lanes.length)),
  ];
  return `<figure>
<div class="scroll"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Timeline of ${releases.length} releases: family, and status of each bundle">
${parts.filter((part) => part !== '').join('\n')}
</svg></div>
<figcaption>
<span class="key timed-race">timed-race</span> <span class="key inactivity">inactivity</span> <span class="key first-result">first-result</span> <span class="key run-end">run-end</span>
<span class="key affected">affected</span> <span class="key partial">partial</span> <span class="key unaffected">unaffected</span> <span class="key unknown">unknown</span>
A dot: another form. A bar: it does something else. Older is left.
</figcaption>
</figure>`;
}

function familyCell({ version, bundles }: CheckedRelease, x: number, y: number): string {
  const family = bundles.find((bundle) => bundle.family !== null)?.family ?? 'unknown';
  return box(version, family, `${version}: ${family}`, x, y);
}

function cell({ version, bundles, drift }: CheckedRelease, file: string, x: number, y: number): string {
  const bundle = bundles.find((one) => one.file === file);
  if (!bundle) return '';
  const change = drift.find((one) => one.file === file);
  const title = clauses(`${version} ${file}: ${bundle.status}`, change ? driftText(change) : '');
  return box(version, bundle.status, title, x, y, mark(change?.level, x, y));
}

/** In the colour of a status or a family; it leads to the release's row. */
function box(version: string, colour: string, title: string, x: number, y: number, mark = ''): string {
  const rect = `<rect class="${colour}" x="${x}" y="${y}" width="${step}" height="${lane}"><title>${escape(title)}</title></rect>`;
  return `<a href="#${escape(anchor(version))}" data-version="${escape(version)}" tabindex="-1">${rect}${mark}</a>`;
}

function mark(level: DriftLevel | undefined, x: number, y: number): string {
  if (level === 'normal-form') return `<circle class="mark" cx="${x + step / 2}" cy="${y + 3}" r="1.5"/>`;
  if (level !== 'facts') return '';
  return `<rect class="mark" x="${x}" y="${y}" width="1.5" height="${lane}"/>`;
}

/** Versions below the picture, as many as have room. */
function axis(releases: readonly CheckedRelease[], y: number): string[] {
  const texts = releases.map(
    ({ version }, index) =>
      `<text class="axis" x="${label + index * step}" y="${y + 10}">${escape(version)}</text>`,
  );
  return texts.filter((_, index) => index % Math.ceil(60 / step) === 0);
}

/** The id of a release's row, which the timeline links to. */
function anchor(version: string): string {
  return `v${version.replace(/[^\w.-]/g, '_')}`;
}
