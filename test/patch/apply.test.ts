import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Marker, markerLine, readMarker } from '../../src/patch/marker.ts';
import { fixture, fixtureNames } from '../support/fixtures.ts';
import { inspectSource, isUntouchedPatch, patchSource, restoreSource } from '../support/texts.ts';
import { REVISION } from '../../src/patch/marker.ts';

function patched(source: string): string {
  const result = patchSource(source);
  assert.equal(result.outcome, 'patched');
  return result.outcome === 'patched' ? result.source : '';
}

const stock = fixture('dist/first-result.esbuild.mjs');
const gated = patched(stock);

/** The marker of a patched text, and the text before it. */
function split(source: string): { marker: Marker; body: string } {
  const search = readMarker(source);
  assert.equal(search.kind, 'found');
  return search.kind === 'found'
    ? { marker: search.marker, body: source.slice(0, search.at) }
    : assert.fail('no marker');
}

const verdict = (source: string): [string | undefined, string | undefined] => {
  const inspection = inspectSource(source);
  return [inspection?.status, inspection?.reasons[0]?.code];
};

describe('patch and restore', () => {
  const affected = [
    ...fixtureNames('src').map((n) => `src/${n}`),
    ...fixtureNames('dist').map((n) => `dist/${n}`),
  ];
  for (const name of affected.filter((other) => !other.includes('web-transport')))
    test(`${name}: patched, proved, restored byte for byte`, () => {
      const source = fixture(`${name}.mjs`);
      const result = patched(source);
      assert.deepEqual(verdict(result), ['patched', 'gate-current']);
      assert.equal(patchSource(result).outcome, 'unchanged');
      assert.deepEqual(restoreSource(result), { outcome: 'restored', source });
      const before = inspectSource(source);
      const after = inspectSource(result);
      assert.deepEqual({ ...after, status: '', reasons: [] }, { ...before, status: '', reasons: [] });
    });

  test('only inserts: the original is what is left without the insertions', () => {
    let from = 0;
    for (const character of stock) {
      const at = gated.indexOf(character, from);
      assert.ok(at >= 0);
      from = at + 1;
    }
  });
  test('an unaffected bundle and a text without the class stay as they are', () => {
    assert.deepEqual(patchSource(fixture('dist/web-transport.esbuild.mjs')), { outcome: 'unchanged' });
    assert.deepEqual(patchSource('export const a=1'), { outcome: 'unchanged' });
    assert.deepEqual(restoreSource(stock), { outcome: 'unchanged' });
  });
  for (const name of fixtureNames('near-miss').filter((n) => n !== 'control' && n !== 'in-template'))
    test(`refuses ${name}`, () => {
      const result = patchSource(fixture(`near-miss/${name}.mjs`));
      assert.equal(result.outcome, 'refused');
    });
});

describe('what somebody did to a patched text', () => {
  const { marker, body } = split(gated);

  test('every single insertion taken out by hand: stale, mended, restorable', () => {
    let taken = 0;
    marker.edits.forEach(([at, text]) => {
      const position = at + taken;
      assert.ok(gated.startsWith(text, position));
      taken += text.length;
      const half = gated.slice(0, position) + gated.slice(position + text.length);
      assert.deepEqual(verdict(half), ['stale', 'gate-incomplete'], text);
      assert.deepEqual(patchSource(half), { outcome: 'upgraded', source: gated });
      assert.deepEqual(restoreSource(half), { outcome: 'restored', source: stock });
    });
    assert.ok(marker.edits.length >= 12);
  });
  test('a patch of an older revision: stale, upgraded', () => {
    const older = body + markerLine({ ...marker, revision: REVISION - 1 });
    assert.deepEqual(verdict(older), ['stale', 'gate-older']);
    assert.deepEqual(patchSource(older), { outcome: 'upgraded', source: gated });
  });
  test('a patch that knew fewer sites: stale, upgraded', () => {
    const edits = marker.edits.filter(
      ([, text]) => !/\.end\(|^,|^\/\*holdopen\*\/\)$/.test(text) || /request/.test(text),
    );
    let text = stock;
    for (const [at, piece] of [...edits].reverse()) text = text.slice(0, at) + piece + text.slice(at);
    const gate = body.slice(body.lastIndexOf('\n;function $holdopen'));
    const fewer = text + gate + markerLine({ ...marker, revision: REVISION - 1, edits });
    assert.deepEqual(verdict(fewer), ['stale', 'gate-older']);
    assert.deepEqual(patchSource(fewer), { outcome: 'upgraded', source: gated });
  });
  test('a patch of a newer holdopen is not touched, and can be taken out', () => {
    const newer = body + markerLine({ ...marker, revision: REVISION + 1 });
    assert.deepEqual(verdict(newer), ['modified', 'gate-newer']);
    assert.equal(patchSource(newer).outcome, 'refused');
    assert.deepEqual(restoreSource(newer), { outcome: 'restored', source: stock });
  });
  test('the gate edited: modified, not overwritten, restorable', () => {
    const edited = gated.replace('HOLDOPEN_CEILING_MS', 'HOLDOPEN_CEILING_XX');
    assert.deepEqual(verdict(edited), ['modified', 'edited-after-patch']);
    assert.equal(patchSource(edited).outcome, 'refused');
    assert.deepEqual(restoreSource(edited), { outcome: 'restored', source: stock });
  });
  test('the code around it edited: modified, neither patched nor restored', () => {
    const edited = gated.replace('isSingleUserTurn', 'isSingleUserTurm');
    assert.deepEqual(verdict(edited), ['modified', 'edited-after-patch']);
    assert.equal(patchSource(edited).outcome, 'refused');
    assert.equal(restoreSource(edited).outcome, 'refused');
  });
  test('something appended: modified, restorable', () => {
    const edited = `${gated}console.log(1)\n`;
    assert.deepEqual(verdict(edited), ['modified', 'edited-after-patch']);
    assert.equal(patchSource(edited).outcome, 'refused');
    assert.deepEqual(restoreSource(edited), { outcome: 'restored', source: stock });
  });
  test('the marker cut off, damaged or forged: modified, nothing is written', () => {
    for (const [text, code] of [
      [body, 'marker-missing'],
      [gated.slice(0, -40), 'marker-damaged'],
      [`${body}\n//# holdopen nonsense\n`, 'marker-damaged'],
      [`${body}\n//# holdopen {"revision":1}\n`, 'marker-damaged'],
      [body + markerLine({ ...marker, sha256: '0'.repeat(64) }), 'edited-after-patch'],
      [body + markerLine({ ...marker, size: 1e15 }), 'edited-after-patch'],
      [body + markerLine({ ...marker, edits: [[1e15, 'x']] }), 'edited-after-patch'],
      [stock + markerLine({ ...marker, gate: 'x' }), 'edited-after-patch'],
    ] as const) {
      assert.deepEqual(verdict(text), ['modified', code]);
      assert.equal(patchSource(text).outcome, 'refused');
    }
  });
  test('a marker on a stock text that claims a patch is no patch', () => {
    const forged = stock + markerLine({ ...marker, edits: [] });
    assert.notEqual(inspectSource(forged)?.status, 'patched');
  });
  test('our name in a text that we never patched', () => {
    assert.deepEqual(verdict(`${stock}\nvar $holdopen=1;\n`), ['modified', 'marker-missing']);
  });
});

describe('isUntouchedPatch', () => {
  test('knows a patch of ours by its hashes, and nothing else', () => {
    assert.equal(isUntouchedPatch(gated), true);
    const { marker, body } = split(gated);
    for (const text of [
      stock,
      body,
      `${gated} `,
      gated.replace('isSingleUserTurn', 'isSingleUserTurm'),
      gated.replace('HOLDOPEN_CEILING_MS', 'HOLDOPEN_CEILING_XX'),
      body + markerLine({ ...marker, revision: REVISION - 1 }),
      body + markerLine({ ...marker, gate: '0' }),
      body + markerLine({ ...marker, seal: '0' }),
      body + markerLine({ ...marker, size: marker.size + 1 }),
    ])
      assert.equal(isUntouchedPatch(text), false);
  });
});

describe('bytes', () => {
  for (const [name, around] of [
    ['no line break at the end', (text: string) => text.trimEnd()],
    ['a comment without a line break at the end', (text: string) => `${text}// end`],
    ['a source map comment', (text: string) => `${text}\n//# sourceMappingURL=x.js.map\n`],
    ['a byte order mark', (text: string) => `\u00ef\u00bb\u00bf${text}`],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a hashbang', (text: string) => `#!/usr/bin/env node\n${text.replace(/^#!.*\n/, '')}`],
    ['invalid UTF-8', (text: string) => `/*\u00ff\u00fe*/${text}`],
  ] as const)
    test(`${name}: patched, and restored as it was`, () => {
      const source = around(stock);
      assert.deepEqual(restoreSource(patched(source)), { outcome: 'restored', source });
    });
});
