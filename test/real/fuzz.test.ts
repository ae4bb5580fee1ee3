import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readSource } from '../../src/locate/source.ts';
import { fuzz, manyTimes, total } from '../safety/fuzz.ts';
import { installRelease } from '../support/releases.ts';
import { Tally } from '../support/report.ts';
import { patchSource } from '../support/texts.ts';

const seed = 20_261_202;

for (const version of ['0.2.50', '0.3.205', '0.3.332'])
  it(`makes nothing wrong of a damaged ${version}, stock or patched`, async (t) => {
    const stock = readSource(readFileSync(join(await installRelease(version), 'sdk.mjs')));
    const result = patchSource(stock);
    assert.equal(result.outcome, 'patched');
    const texts = [stock, result.outcome === 'patched' ? result.source : ''];
    const tally = new Tally('wrong', 'crashes');
    const options = { rounds: manyTimes(2), seed, tally };
    const counts = total(texts.map((text, index) => fuzz(`${version} ${index}`, text, options)));
    tally.report(t, 'fuzz-released', counts);
  });
