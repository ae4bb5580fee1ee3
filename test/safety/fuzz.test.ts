import { it } from 'node:test';
import { patchSource } from '../../src/patch/apply.ts';
import { fixture } from '../support/fixtures.ts';
import { fuzz, total } from './fuzz.ts';

const seed = 20_261_201;
const families = ['timed-race', 'inactivity', 'first-result', 'run-end'];

it('makes nothing wrong of a damaged bundle, stock or patched', (t) => {
  const texts = families.flatMap((family): [string, string][] => {
    const stock = fixture(`dist/${family}.esbuild.mjs`);
    const result = patchSource(stock);
    return [
      [family, stock],
      ...(result.outcome === 'patched' ? [[`${family} patched`, result.source] as [string, string]] : []),
    ];
  });
  const counts = total(texts.map(([name, text]) => fuzz(name, text, { rounds: 5, seed })));
  t.diagnostic(`seed ${seed}: ${JSON.stringify({ texts: texts.length, ...counts })}`);
});
