import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'acorn';
import { parseProgram } from '../../src/locate/parser.ts';

const functions = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `let v${index}=0;function f${index}(a){var b${index}=a;return b${index}}`,
  ).join('\n');

/** How many names were looked at one after another while a text was parsed. */
function compared(text: string, sourceType: 'module' | 'script'): number {
  let count = 0;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on what it was called on
  const { indexOf: real } = Array.prototype;
  Array.prototype.indexOf = function (this: unknown[], ...args: [unknown]) {
    count += this.length;
    return real.apply(this, args);
  };
  try {
    parseProgram(text, sourceType);
  } finally {
    Array.prototype.indexOf = real;
  }
  return count;
}

describe('names in a large scope', () => {
  const wrapped = (text: string): string => `(()=>{${text}})()`;
  for (const [name, wrap] of Object.entries({
    'at the top': (text: string) => text,
    'in a function': wrapped,
  }))
    for (const sourceType of ['module', 'script'] as const)
      it(`are not looked through one by one: ${name} of a ${sourceType}`, () => {
        const few = compared(wrap(functions(500)), sourceType);
        const many = compared(wrap(functions(4000)), sourceType);
        assert.ok(few > 0, 'nothing was counted');
        assert.ok(many < 12 * few, `${few} of 500, ${many} of 4000`);
      });

  it('are taken and refused as acorn does by itself', () => {
    const many = functions(200);
    for (const text of [
      `${many} let g; let g;`,
      `${many} let f7;`,
      `${many} function f7(){}`,
      `${many} var f7;`,
      `let f7; ${many}`,
      `var f7; ${many}`,
      `${many} export { f7, f8 as x };`,
      `${many} export { nobody };`,
      `${many} { let f7; } try {} catch (f8) { var f8; }`,
      `${many} class f9 {}`,
      `${many} var q; var q; { var q; }`,
      `{ ${many} } let f3;`,
      `{ ${many} } function f3(){}`,
      `(()=>{ ${many} const f3 = 1; })()`,
      `(()=>{ ${many} var f3 = 1; })()`,
    ])
      for (const sourceType of ['module', 'script'] as const) {
        const by = (parsed: () => unknown): string => {
          try {
            parsed();
            return 'taken';
          } catch (error) {
            return String(error);
          }
        };
        const ours = by(() => parseProgram(text, sourceType));
        assert.equal(
          ours,
          by(() => parse(text, { ecmaVersion: 'latest', sourceType })),
          text.slice(-40),
        );
      }
  });
});
