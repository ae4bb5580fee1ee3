import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mayHoldClass } from '../../src/locate/anchors.ts';

it('holds for a text with both names, wherever they stand, and for no other', () => {
  const texts: [string, boolean][] = [
    ['streamInput endInput', true],
    ['endInputstreamInput', true],
    [`${'x'.repeat(70_000)}endInput${'Input'.repeat(99)}streamInput`, true],
    ['async streamInput(e){for await(let r of e)this.transport.write(r);this.transport.endInput()}', true],
    ['', false],
    ['Input', false],
    ['streamInput streamInput', false],
    ['endInput', false],
    ['streaminput endInput', false],
    ['treamInput endInput', false],
    ['stream Input endInput', false],
    ['streamInput endInpu', false],
  ];
  for (const [text, expected] of texts) {
    assert.equal(mayHoldClass(text), expected, text.slice(-40));
    assert.equal(mayHoldClass(Buffer.from(text)), expected, text.slice(-40));
  }
});
