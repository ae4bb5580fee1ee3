/** The page of `check --html` in a real headless Chromium, made from the catalogue alone, and with hostile names. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, type Page, chromium } from 'playwright-core';
import { shippedCatalogue } from '../../src/release/catalogue.ts';
import { checkCatalogue } from '../../src/release/check.ts';
import type { CheckReport } from '../../src/release/types.ts';
import { htmlPage } from '../../src/report/html.ts';
import { runCli } from '../support/child.ts';
import { makeTree } from '../support/tree.ts';
import { findChromium } from './chromium.ts';

const catalogue = shippedCatalogue();
const count = catalogue.releases.length;
const rendering = { colors: false, location: { uri: 'package.json', line: 1 }, version: '0.0.0' };

let browser: Browser;
before(async () => {
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
});
after(() => browser.close());

interface Opened {
  page: Page;
  /** Whatever it asked for beside itself. */
  requests: string[];
  /** Errors and warnings: of the console, of scripts, of the page's own policy. */
  complaints: string[];
}

async function open(
  t: TestContext,
  path: string,
  options: { scheme?: 'light' | 'dark'; query?: string; width?: number } = {},
): Promise<Opened> {
  const { scheme = 'light', query = '', width = 1280 } = options;
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 } });
  t.after(() => context.close());
  const page = await context.newPage();
  const [requests, complaints]: [string[], string[]] = [[], []];
  const address = `${pathToFileURL(path).href}${query}`;
  page.on('request', (request) => request.url() === address || requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  return { page, requests, complaints };
}

/** What the tests read of an element; the DOM's own types are not loaded. */
interface Row {
  dataset: Record<string, string | undefined>;
}

/** A `data-` attribute of all that a selector means. */
const data = (page: Page, selector: string, name: string): Promise<(string | undefined)[]> =>
  page
    .locator(selector)
    .evaluateAll((rows: unknown, key: string) => (rows as Row[]).map((row) => row.dataset[key]), name);

const visibleRows = (page: Page): Promise<(string | undefined)[]> =>
  data(page, 'tbody tr:visible', 'version');

describe('the page from the catalogue', () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdopen-page-'));
  const path = join(dir, 'page.html');
  before(async () => {
    const run = await runCli(['check', '--all', '--from-catalogue', '--html', path], { cwd: dir });
    assert.equal(run.code, 0, run.stderr);
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  test('has a row for each release, newest first, and a timeline with a link to each', async (t) => {
    const { page, requests, complaints } = await open(t, path);
    const versions = catalogue.releases.map(({ version }) => version).reverse();
    assert.ok(count >= 341);
    assert.deepEqual(await visibleRows(page), versions);
    assert.equal(await page.locator('#count').textContent(), `${String(count)} of ${String(count)}`);
    const links = new Set(await data(page, 'svg a', 'version'));
    assert.deepEqual([...links].sort(), versions.sort());
    assert.deepEqual([requests, complaints], [[], []]);
  });

  test('filters by version and by status, together, and says how many are left', async (t) => {
    const { page, complaints } = await open(t, path);
    const expected = (test: (release: (typeof catalogue.releases)[number]) => boolean): string[] =>
      catalogue.releases
        .filter(test)
        .map(({ version }) => version)
        .reverse();
    await page.fill('#version', '0.3.28');
    assert.deepEqual(
      await visibleRows(page),
      expected(({ version }) => version.startsWith('0.3.28')),
    );
    await page.selectOption('#status', 'partial');
    const both = expected(({ version, status }) => version.startsWith('0.3.28') && status === 'partial');
    assert.ok(both.length > 0 && both.length < 10);
    assert.deepEqual(await visibleRows(page), both);
    assert.equal(await page.locator('#count').textContent(), `${String(both.length)} of ${String(count)}`);
    assert.match(page.url(), /\?version=0\.3\.28&status=partial$/, 'the filter can be sent as an address');
    await page.fill('#version', '');
    assert.deepEqual(
      await visibleRows(page),
      expected(({ status }) => status === 'partial'),
    );
    const dimmed = new Set(await data(page, 'svg a.off', 'version'));
    assert.equal(dimmed.size, count - expected(({ status }) => status === 'partial').length);
    await page.fill('#version', '9');
    assert.deepEqual(await visibleRows(page), []);
    assert.ok(await page.locator('#none').isVisible());
    assert.deepEqual(complaints, []);
  });

  test('filters by family, by change, by what cannot be patched, and from its address', async (t) => {
    const query = '?family=inactivity';
    const { page, complaints } = await open(t, path, { query });
    assert.equal((await visibleRows(page)).length, 7);
    await page.selectOption('#change', 'facts');
    const changed = await visibleRows(page);
    assert.ok(changed.includes('0.1.63') && changed.length < 7, changed.join());
    await page.check('#unpatchable');
    assert.deepEqual(await visibleRows(page), []);
    assert.deepEqual(complaints, []);
  });

  test('leads from the timeline to the row', async (t) => {
    const { page } = await open(t, path);
    await page.locator('svg a[data-version="0.2.50"]').first().dispatchEvent('click');
    assert.match(page.url(), /#v0\.2\.50$/);
    assert.ok(await page.locator('tr:target').isVisible());
  });

  for (const scheme of ['light', 'dark'] as const)
    test(`is readable in ${scheme}: every word stands out from its background`, async (t) => {
      const { page, complaints } = await open(t, path, { scheme });
      const background = await colour(page, 'body', 'background-color');
      assert.equal(luminance(background) > 0.5, scheme === 'light');
      for (const selector of [
        'h1',
        '#summary',
        'tbody th',
        'tbody td',
        'label',
        '.status.affected',
        '.status.partial',
      ]) {
        const ratio = contrast(await colour(page, selector, 'color'), background);
        assert.ok(
          ratio >= 4.5 || (selector.startsWith('.status') && ratio >= 3),
          `${selector}: ${ratio.toFixed(1)}`,
        );
      }
      assert.deepEqual(complaints, []);
    });

  test('does not scroll sideways on a small screen, but for the timeline in its own box', async (t) => {
    const { page } = await open(t, path, { width: 1024 });
    const [inner, outer] = await page.evaluate<number[]>(
      `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`,
    );
    assert.ok((inner ?? 0) <= (outer ?? 0), `${String(inner)} in ${String(outer)}`);
  });

  test('would load nothing, whatever gets into it', async (t) => {
    const text = readFileSync(path, 'utf8').replace('<main>', '<main><img src="https://example.com/x.png">');
    writeFileSync(join(dir, 'image.html'), text);
    const { complaints } = await open(t, join(dir, 'image.html'));
    assert.equal(complaints.length, 1);
    assert.match(complaints[0] ?? '', /Content Security Policy/);
  });
});

test('names of packages and files become no markup', async (t) => {
  const report = structuredClone<CheckReport>(checkCatalogue(catalogue, {}));
  const hostile = `"><img src=x onerror=alert(1)></script><script>document.title='owned'</script>`;
  report.package = hostile;
  const [release] = report.releases;
  assert.ok(release?.bundles[0]);
  release.version = hostile;
  release.cli = hostile;
  release.bundles[0].file = hostile;
  const dir = makeTree(t, {});
  writeFileSync(`${dir}/page.html`, htmlPage.render(report, rendering));
  const { page, requests, complaints } = await open(t, `${dir}/page.html`);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('script').count(), 1);
  assert.match(await page.title(), /^holdopen: "><img/);
  assert.ok((await visibleRows(page)).includes(hostile));
  assert.deepEqual([requests, complaints], [[], []]);
});

type Rgb = [number, number, number];

async function colour(page: Page, selector: string, property: string): Promise<Rgb> {
  const node = `document.querySelector(${JSON.stringify(selector)})`;
  const text = await page.evaluate<string>(`getComputedStyle(${node}).getPropertyValue('${property}')`);
  const [red = 0, green = 0, blue = 0] = [...text.matchAll(/\d+/g)].map(Number);
  return [red, green, blue];
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
