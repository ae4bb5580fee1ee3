import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { minifiers } from '../../scripts/minifiers.mjs';
import type { Analysis } from '../../src/locate/analyze.ts';
import { families } from '../../src/locate/families/index.ts';
import type { Reason } from '../../src/types.ts';
import { fixture, fixtureNames, fixturePath } from '../support/fixtures.ts';
import { analyze, fingerprintsIn } from '../support/texts.ts';

/** `run-end-prompt-hold.terser` is a variant of the family run-end; the web transport's class is a first-result. */
const familyOfName = (name: string): string =>
  name.startsWith('web-transport')
    ? 'first-result'
    : (families.find(({ family }) => name.startsWith(family))?.family ?? 'none');

function bound(name: string): Extract<Analysis, { kind: 'bound' }> {
  const analysis = analyze(fixture(name));
  assert.equal(analysis.kind, 'bound', JSON.stringify(analysis));
  return analysis;
}

describe('every fixture, readable or through a minifier', () => {
  for (const name of fixtureNames('src')) {
    const readable = bound(`src/${name}.mjs`);
    test(`${name} is of its family, and of no other`, () => {
      assert.equal(readable.rule.family, familyOfName(name));
      const matching = families.filter((rule) => rule.matches(readable.roles));
      assert.deepEqual(
        matching.map((rule) => rule.family),
        [familyOfName(name)],
      );
    });
    test(`${name} ends a real input: ${String(!name.startsWith('web'))}`, () => {
      assert.equal(readable.facts.endInput, name.startsWith('web') ? 'empty' : 'ends');
    });
    for (const minified of fixtureNames('dist').filter((other) => other.startsWith(`${name}.`)))
      test(`${minified} has the same facts, family and needs`, () => {
        const analysis = bound(`dist/${minified}.mjs`);
        assert.equal(analysis.rule.family, readable.rule.family);
        assert.deepEqual(analysis.facts, readable.facts);
        assert.equal(
          fingerprintsIn(fixture(`dist/${minified}.mjs`)).facts,
          fingerprintsIn(fixture(`src/${name}.mjs`)).facts,
        );
      });
    test(`${name} has the same normal forms through esbuild and through a bundler`, () => {
      const { methods } = fingerprintsIn(fixture(`dist/${name}.esbuild.mjs`));
      assert.deepEqual(fingerprintsIn(fixture(`dist/${name}.esbuild-bundle.mjs`)).methods, methods);
    });
  }
});

describe('what nests deep', () => {
  const control = fixture('dist/first-result.esbuild.mjs');
  const chain = `a${'.b()'.repeat(20_000)};`;
  const blocks = '{'.repeat(1_500) + '}'.repeat(1_500);
  const inside = (code: string): string => control.replace('streamInput(', `m(){${code}}async streamInput(`);

  test('outside of the class it says nothing of it', () => {
    assert.equal(analyze(`${control}\n${chain}`).kind, 'bound');
  });
  for (const [name, code] of Object.entries({ chain, blocks }))
    test(`inside of it is unknown: ${name}`, () => {
      const reasons: Reason[] = [{ code: 'class-too-deep', args: { most: 500 } }];
      assert.deepEqual(analyze(inside(code)), { kind: 'unknown', reasons });
    });
});

describe('near-misses classify as nothing else', () => {
  const expected: Record<string, Reason['code']> = {
    'destructured-loop': 'role-not-bound',
    'end-before-wait': 'role-not-bound',
    'in-comment': 'not-code',
    'no-needs-guard': 'role-not-bound',
    'no-read-loop': 'role-not-bound',
    'other-object': 'role-not-bound',
    'two-classes': 'class-ambiguous',
  };
  test('the class they are one step away from binds', () => {
    assert.equal(bound('near-miss/control.mjs').rule.family, 'first-result');
  });
  test('every near-miss is expected to be something', () => {
    const names = fixtureNames('near-miss').filter((name) => name !== 'control' && name !== 'in-template');
    assert.deepEqual(names, Object.keys(expected).sort());
  });
  for (const [name, code] of Object.entries(expected))
    test(`${name}: ${code}`, () => {
      const analysis = analyze(fixture(`near-miss/${name}.mjs`));
      assert.equal(analysis.kind, 'unknown');
      assert.deepEqual(analysis.kind === 'unknown' && analysis.reasons.map((reason) => reason.code), [code]);
    });
  for (const name of [...Object.keys(expected), 'in-template'])
    test(`${name} through minifiers is nothing else either`, async () => {
      const path = fixturePath(`near-miss/${name}.mjs`);
      for (const [minifier, minify] of Object.entries(minifiers)) {
        const analysis = analyze(await minify(readFileSync(path, 'utf8'), pathToFileURL(path)));
        assert.notEqual(analysis.kind, 'bound', minifier);
      }
    });
  test('the control binds through all of them', async () => {
    const path = fixturePath('near-miss/control.mjs');
    for (const [minifier, minify] of Object.entries(minifiers)) {
      const analysis = analyze(await minify(readFileSync(path, 'utf8'), pathToFileURL(path)));
      assert.equal(analysis.kind, 'bound', minifier);
    }
  });
  test('a class in a template literal is no class', () => {
    assert.equal(analyze(fixture('near-miss/in-template.mjs')).kind, 'none');
  });
});

describe('damaged and odd texts', () => {
  const source = fixture('dist/first-result.esbuild.mjs');
  const codes = (analysis: Analysis): unknown =>
    analysis.kind === 'unknown' ? analysis.reasons.map((reason) => reason.code) : analysis.kind;

  test('a text without the words is no bundle', () => {
    assert.equal(analyze('export const a = 1;').kind, 'none');
    assert.equal(analyze('').kind, 'none');
  });
  test('cut off: in the class, in the middle of the last statement', () => {
    const end = bound('dist/first-result.esbuild.mjs').roles.class.end;
    for (const length of [end - 10, source.lastIndexOf('export{') + 9])
      assert.deepEqual(codes(analyze(source.slice(0, length))), ['not-javascript'], String(length));
  });
  test('words without JavaScript', () => {
    assert.deepEqual(codes(analyze('# streamInput and endInput\n\nare words {')), ['not-javascript']);
  });
  test('endInput called, and no class', () => {
    assert.deepEqual(codes(analyze('const streamInput=1;transport.endInput();')), ['class-not-found']);
  });
  test('a chunk that only defines a transport is no bundle', () => {
    assert.equal(analyze('class T{endInput(){this.stdin.end()}}f.streamInput(1);').kind, 'none');
  });
  test('bytes that are no UTF-8, a byte order mark and CRLF change nothing', () => {
    const { facts } = bound('dist/first-result.esbuild.mjs');
    for (const text of [
      `\u00ef\u00bb\u00bf${source}`,
      // Node takes a hashbang behind it as well.
      `\u00ef\u00bb\u00bf#!/usr/bin/env node\n${source}`,
      `${source}//\u00ff\u00fe\u0080\n`,
      source.replaceAll('\n', '\r\n'),
    ]) {
      const analysis = analyze(text);
      assert.equal(analysis.kind, 'bound');
      assert.deepEqual(analysis.kind === 'bound' && analysis.facts, facts);
    }
  });
  test('a class nested in another, with the word class in strings before it', () => {
    const inner = 'var words="class of { its own",more=`class ${1}`;';
    const analysis = analyze(`${inner}class Outer{static Inner=(()=>{${inner}return 1})()}${source}`);
    assert.equal(analysis.kind, 'bound');
  });
});
