import { it } from 'node:test';
import { fixture } from '../support/fixtures.ts';
import { Tally } from '../support/report.ts';
import { fuzz, manyTimes, total } from './fuzz.ts';
import { patchSource } from '../support/texts.ts';

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
  const tally = new Tally('wrong', 'crashes');
  const options = { rounds: manyTimes(5), seed, tally };
  const counts = total(texts.map(([name, text]) => fuzz(name, text, options)));
  tally.report(t, 'fuzz-own', counts);
});
