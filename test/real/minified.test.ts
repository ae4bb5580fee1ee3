/**
 * Releases with readable code, through every minifier and through a bundler: the same family, facts and patchability as
 * before; and through both ways of one minifier the same normal forms.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { minifiers } from '../../scripts/minifiers.mjs';
import type { Analysis } from '../../src/locate/analyze.ts';
import { type Source, readSource } from '../../src/locate/source.ts';
import { installRelease } from '../support/releases.ts';
import { analyze, fingerprintsIn, inspectSource, patchSource, restoreSource } from '../support/texts.ts';

/** The last of each family with readable code, and the first of all. */
const readable = ['0.0.4', '0.1.62', '0.1.72', '0.2.14'];

function bound(source: Source, name: string): Extract<Analysis, { kind: 'bound' }> {
  const analysis = analyze(source);
  assert.ok(analysis.kind === 'bound', `${name}: ${JSON.stringify(analysis)}`);
  return analysis;
}

describe('readable releases through minifiers', () => {
  for (const version of readable)
    test(version, async () => {
      const path = join(await installRelease(version), 'sdk.mjs');
      const text = readFileSync(path, 'utf8');
      const stock = bound(readSource(readFileSync(path)), version);
      const { facts, rule } = stock;
      const forms = new Map<string, Record<string, string>>();
      for (const [minifier, minify] of Object.entries(minifiers)) {
        const name = `${version} through ${minifier}`;
        const source = readSource(Buffer.from(await minify(text, pathToFileURL(path))));
        assert.notEqual(source.length, text.length, name);
        const analysis = bound(source, name);
        assert.equal(analysis.rule.family, rule.family, name);
        assert.deepEqual(analysis.facts, facts, name);
        forms.set(minifier, fingerprintsIn(source).methods);
        const patched = patchSource(source);
        assert.ok(patched.outcome === 'patched', name);
        assert.equal(inspectSource(patched.source)?.status, 'patched', name);
        const restored = restoreSource(patched.source);
        assert.ok(restored.outcome === 'restored' && restored.source === source, name);
      }
      assert.deepEqual(forms.get('esbuild-bundle'), forms.get('esbuild'));
    });
});
