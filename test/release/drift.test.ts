/** What `check` says of a release against the one before, from fixtures that were changed in one way each. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CatalogueRelease } from '../../src/release/catalogue.ts';
import { catalogueRelease } from '../../src/release/find.ts';
import { deepest, driftBetween } from '../../src/release/drift.ts';
import { formsDiff } from '../../src/release/diff.ts';
import { type Judgement, judge } from '../../src/release/judge.ts';
import { newsOf } from '../../src/release/report.ts';
import type { FileDrift } from '../../src/release/types.ts';
import { driftText } from '../../src/report/texts.ts';
import { fixture as source } from '../support/fixtures.ts';
import { sdkName } from '../support/installs.ts';
import { jsonFile, makeTree } from '../support/tree.ts';

type Test = Parameters<typeof makeTree>[0];
type Files = Record<string, string>;

const readable = source('src/first-result.mjs');

function judged(t: Test, files: Files): Judgement {
  const exports = Object.fromEntries(Object.keys(files).map((file) => [`./${file}`, `./${file}`]));
  const manifest = { name: sdkName, version: '1.0.0', exports };
  return judge(makeTree(t, { 'package.json': jsonFile(manifest), ...files }), sdkName, { forms: true });
}

function recorded(judgement: Judgement, version = '1.0.0'): CatalogueRelease {
  return catalogueRelease({ version, cli: null, integrity: '', unpackedSize: 1 }, judgement);
}

/** The drift from one set of files to another, and the news of it as a release that nobody has recorded. */
function drift(
  t: Test,
  before: Files,
  after: Files,
): { drift: FileDrift[]; news: string[]; texts: string[] } {
  const [old, now] = [recorded(judged(t, before)), recorded(judged(t, after), '1.0.1')];
  const found = driftBetween(old, now);
  return { drift: found, news: newsOf(now, undefined, found), texts: found.map(driftText) };
}

/** Replaces one piece, which has to be there once. */
function edit(text: string, from: string, to: string): string {
  assert.equal(text.split(from).length, 2, `once: ${from}`);
  return text.replace(from, () => to);
}

describe('drift', () => {
  it('is none where the file is the same', (t) => {
    const { drift: found, news } = drift(t, { 'sdk.mjs': readable }, { 'sdk.mjs': readable });
    assert.deepEqual([found[0]?.level, news], ['same', []]);
  });

  it('of bytes only: something beside the class', (t) => {
    const { texts, news } = drift(t, { 'sdk.mjs': readable }, { 'sdk.mjs': `${readable}// more\n` });
    assert.deepEqual([texts, news], [['other bytes, same class'], []]);
  });

  it('renamed only: another run of a minifier', (t) => {
    const renamed = readable.replaceAll(/\bprompts\b/g, 'p');
    assert.notEqual(renamed, readable);
    const { drift: found, texts, news } = drift(t, { 'sdk.mjs': readable }, { 'sdk.mjs': renamed });
    assert.deepEqual([texts, news], [['renamed only'], []]);
    assert.deepEqual(found[0]?.roles, [{ role: 'streamInput', level: 'renamed' }]);
  });

  it('of normal form: a statement more in a method that matters, or in another', (t) => {
    const more = edit(
      readable,
      'async streamInput(prompts) {',
      'async streamInput(prompts) {\n    this.touched = 1;',
    );
    const one = drift(t, { 'sdk.mjs': readable }, { 'sdk.mjs': more });
    assert.deepEqual(one.texts, ['same facts, other code in streamInput']);
    assert.deepEqual(one.news, ['shape']);
    const beside = edit(
      readable,
      'async streamInput(prompts) {',
      'another() {\n    return 1;\n  }\n  async streamInput(prompts) {',
    );
    const other = drift(t, { 'sdk.mjs': readable }, { 'sdk.mjs': beside });
    assert.deepEqual(other.texts, ['same facts, other code in the rest']);
  });

  it('of facts: a new term in the predicate', (t) => {
    const more = edit(
      readable,
      'this.canUseTool !== undefined',
      'this.canUseTool !== undefined || this.onUserDialog !== undefined',
    );
    const { drift: found, news, texts } = drift(t, { 'sdk.mjs': readable }, { 'sdk.mjs': more });
    assert.deepEqual(found[0]?.changes, [{ kind: 'needs', added: ['onUserDialog'], removed: [] }]);
    assert.deepEqual([news, texts], [['facts'], ['needs +onUserDialog']]);
    const back = drift(t, { 'sdk.mjs': more }, { 'sdk.mjs': readable });
    assert.deepEqual(back.texts, ['needs -onUserDialog']);
  });

  it('of facts: a new site, and one that moved', (t) => {
    const before = recorded(judged(t, { 'sdk.mjs': readable }));
    const withSites = (sites: string[]): CatalogueRelease => {
      const after = structuredClone(before);
      for (const bundle of after.bundles) {
        assert.ok(bundle.facts);
        bundle.sha256 = 'another';
        bundle.facts.sites = sites;
      }
      return after;
    };
    const textsOf = (sites: string[]): string[] => driftBetween(before, withSites(sites)).map(driftText);
    assert.deepEqual(before.bundles[0]?.facts?.sites, ['readMessages', 'streamInput']);
    assert.deepEqual(textsOf(['endRun', 'readMessages', 'streamInput']), ['endInput new: +endRun']);
    assert.deepEqual(textsOf(['readMessages', 'streamInput', 'streamInput']), ['endInput new: +streamInput']);
    assert.deepEqual(textsOf(['endRun', 'streamInput']), ['endInput moved: +endRun -readMessages']);
    assert.deepEqual(newsOf(before, undefined, driftBetween(before, withSites(['endRun']))), ['facts']);
  });

  it('of a site in a place that no family has: nothing is patched', (t) => {
    const again = edit(
      readable,
      'async streamInput(prompts) {',
      'finish() {\n    this.transport.endInput();\n  }\n  async streamInput(prompts) {',
    );
    assert.ok(drift(t, { 'sdk.mjs': readable }, { 'sdk.mjs': again }).news.includes('unpatchable'));
  });

  it('of family: upstream ends input in another way', (t) => {
    const after = { 'sdk.mjs': source('src/run-end.mjs') };
    const { drift: found, news, texts } = drift(t, { 'sdk.mjs': readable }, after);
    assert.deepEqual(news, ['family']);
    assert.equal(found[0]?.level, 'facts');
    assert.match(
      texts[0] ?? '',
      /^family first-result -> run-end; status affected -> partial; .*endInput moved: \+endRun -readMessages; waits for /,
    );
  });

  it('of bundles: one comes, one goes, one changes its name', (t) => {
    const two = { 'sdk.mjs': readable, 'core.mjs': readable };
    const come = drift(t, { 'sdk.mjs': readable }, two);
    assert.deepEqual(come.drift.map(({ file, level }) => `${file} ${level}`).sort(), [
      'core.mjs added',
      'sdk.mjs same',
    ]);
    assert.deepEqual(come.news, ['bundles']);
    assert.ok(drift(t, two, { 'sdk.mjs': readable }).texts.includes('no longer there'));
    const renamed = drift(t, { 'core-2g5j09ba.mjs': readable }, { 'core-8x1k22cd.mjs': readable });
    assert.deepEqual([renamed.texts, renamed.news], [['same file'], []]);
  });

  it('says that the patch does not bind', (t) => {
    const broken = edit(readable, "frame.type === 'control_request'", 'this.isRequest(frame)');
    const { news, texts } = drift(t, { 'sdk.mjs': readable }, { 'sdk.mjs': broken });
    assert.ok(news.includes('unpatchable') && news.includes('family'));
    assert.deepEqual(texts, ['family first-result -> none; status affected -> unknown']);
    const still = drift(t, { 'sdk.mjs': broken }, { 'sdk.mjs': `${broken}// more\n` });
    assert.deepEqual(still.texts, ['other bytes, and no class that could be compared']);
    assert.equal(deepest(still.drift), 'facts');
  });

  it('shows in the diff what changed in normal form, and nothing else', (t) => {
    const more = edit(
      readable,
      'async streamInput(prompts) {',
      'async streamInput(prompts) {\n    this.touched = true;',
    );
    const [old, now] = [judged(t, { 'a.mjs': readable }), judged(t, { 'a.mjs': more })].map(
      ({ bundles }) => bundles[0]?.forms ?? new Map<string, string>(),
    );
    assert.ok(old && now);
    const text = formsDiff('title', old, now);
    assert.match(text, /^title\n@@ streamInput @@\n/);
    assert.deepEqual(text.match(/^[+-].*$/gm), ['+  this.touched = true;']);
    assert.equal(text.match(/^@@/gm)?.length, 1);
    assert.equal(formsDiff('title', old, old), '');
  });
});
