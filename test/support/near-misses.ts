import assert from 'node:assert/strict';

/** Puts one piece in the place of another, wherever that stands. */
function put(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), `not there: ${from}`);
  return text.replaceAll(from, () => to);
}

const LOOP = 'for await (const frame of this.transport.readMessages()) {';
const END = 'this.transport.endInput();';

/** Each makes of a readable bundle that binds one that is a single step away, and so must be left alone. */
export const nearMisses: Record<string, (control: string) => string> = {
  // Not a near miss: what all of them have must bind, so that each is turned down for its own reason.
  control: (text) => text,

  // The read loop takes each frame apart: its variable is not the frame.
  'destructured-loop': (text) =>
    put(text, LOOP, `${LOOP.replace('frame', '{ type, ...rest }')}const frame = { type, ...rest };`),

  // Input ends before the wait, so the wait holds nothing and there is no place to hold at.
  'end-before-wait': (text) => {
    const log = "log('[streamInput] ending input');";
    const wait = 'if (written > 0 && this.hasBidirectionalNeeds()) {';
    return put(put(text, `${log}\n      ${END}`, log), wait, `${END}${wait}`);
  },

  // The class stands in a comment or in a template literal only; what runs ends no input.
  'in-comment': (text) => `/*${put(text, '*/', '* /')}*/export const hasBidirectionalNeeds = false;\n`,
  'in-template': (text) => `export const source = \`${text.replace(/[\\`$]/g, '\\$&')}\`;\n`,

  // Nothing asks `hasBidirectionalNeeds` before the wait.
  'no-needs-guard': (text) => put(text, 'written > 0 && this.hasBidirectionalNeeds()', 'written > 0'),

  // Every name is here, but `readMessages` loops over nothing: it is given one frame after the other.
  'no-read-loop': (text) => put(text, LOOP, 'while (true) {const frame = await this.nextFrame();'),

  // Input is ended through another object, which may do so at any time and for any reason.
  'other-object': (text) => {
    const made = 'this.transport = transport;';
    const lifecycle = 'this.lifecycle = { endInput: () => transport.endInput() };';
    return put(put(text, END, 'this.lifecycle.endInput();'), made, made + lifecycle);
  },

  // Two classes bind every role, so which of them is the one is a guess.
  'two-classes': (text) => {
    const [, one = ''] = /^class FirstResult (\{.*?\n\})/ms.exec(text) ?? [];
    return `${text}export class OtherResult ${one}\n`;
  },
};
