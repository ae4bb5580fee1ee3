import type { CheckedRelease, DriftLevel } from '../release/types.ts';
import { driftText } from './check-texts.ts';
import { anchor, escape } from './html-text.ts';

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
export function timeline(releases: readonly CheckedRelease[]): string {
  const files = [...new Set(releases.flatMap(({ bundles }) => bundles.map(({ file }) => file)))].sort();
  const lanes = ['family', ...files];
  const width = label + releases.length * step + 8;
  const height = top + lanes.length * (lane + gap) + 20;
  const y = (index: number): number => top + index * (lane + gap);
  const parts = [
    ...lanes.map(
      (name, index) =>
        `<text x="${String(label - 8)}" y="${String(y(index) + 13)}" text-anchor="end">${escape(name)}</text>`,
    ),
    ...releases.flatMap((release, index) => {
      const x = label + index * step;
      return [familyCell(release, x, y(0)), ...files.map((file, at) => cell(release, file, x, y(at + 1)))];
    }),
    ...axis(releases, y(lanes.length)),
  ];
  return `<figure>
<div class="scroll"><svg viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img" aria-label="Timeline of ${String(releases.length)} releases: family, and status of each bundle">
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
  return link(
    version,
    `<rect class="${family}" x="${String(x)}" y="${String(y)}" width="${String(step)}" height="${String(lane)}"><title>${escape(`${version}: ${family}`)}</title></rect>`,
  );
}

function cell({ version, bundles, drift }: CheckedRelease, file: string, x: number, y: number): string {
  const bundle = bundles.find((one) => one.file === file);
  if (!bundle) return '';
  const change = drift.find((one) => one.file === file);
  const title = `${version} ${file}: ${bundle.status}${change ? `; ${driftText(change)}` : ''}`;
  const rect = `<rect class="${bundle.status}" x="${String(x)}" y="${String(y)}" width="${String(step)}" height="${String(lane)}"><title>${escape(title)}</title></rect>`;
  return link(version, rect + mark(change?.level, x, y));
}

function mark(level: DriftLevel | undefined, x: number, y: number): string {
  if (level === 'normal-form')
    return `<circle class="mark" cx="${String(x + step / 2)}" cy="${String(y + 3)}" r="1.5"/>`;
  if (level !== 'facts') return '';
  return `<rect class="mark" x="${String(x)}" y="${String(y)}" width="1.5" height="${String(lane)}"/>`;
}

function link(version: string, inner: string): string {
  return `<a href="#${escape(anchor(version))}" data-version="${escape(version)}" tabindex="-1">${inner}</a>`;
}

/** Versions below the picture, as many as have room. */
function axis(releases: readonly CheckedRelease[], y: number): string[] {
  const every = Math.max(1, Math.ceil(60 / step));
  return releases.flatMap(({ version }, index) =>
    index % every === 0
      ? [
          `<text class="axis" x="${String(label + index * step)}" y="${String(y + 10)}">${escape(version)}</text>`,
        ]
      : [],
  );
}
