/** The engine's compiler as a proof, held against a parse of the whole text by acorn. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compiles } from '../../src/locate/proof.ts';
import { parsedClasses } from '../../src/locate/region.ts';
import { fixture, fixtureNames } from '../support/fixtures.ts';
import { analyze } from '../support/texts.ts';

const CLASS = 'class Q{async streamInput(e){for await(let r of e)this.t.write(r);this.t.endInput()}}';

/** Where a text says that there is a class: what the proof is asked about. */
function placeIn(text: string): { start: number; body: number } | undefined {
  const start = text.indexOf('class Q{');
  return start < 0 ? undefined : { start, body: start + 'class Q'.length };
}

/** Whether the proof says no more than acorn does; and what it says. */
function agrees(text: string): boolean {
  const place = placeIn(text);
  if (!place) return true;
  const whole = parsedClasses(text);
  const isCode = 'starts' in whole && whole.starts.includes(place.start);
  const says = compiles(text, [place]);
  assert.ok(!says || isCode, `proved, but acorn says no: ${JSON.stringify(text)}`);
  return says === isCode;
}

describe('where the class is code, and the text whole', () => {
  for (const text of [
    CLASS,
    `import a,{b as c}from"d";import*as f from'g';import"h";var x=1;${CLASS}export{Q as query,x};export*from"y";`,
    `#!/usr/bin/env node\nimport{a}from"b"\n${CLASS}\nexport default a`,
    `\u00ef\u00bb\u00bf#!/usr/bin/env node\n${CLASS}`,
    `"use strict";var a=require("a");${CLASS}module.exports=Q`,
    `var o=010;with(o){}${CLASS}`,
    `await x;${CLASS};import.meta.url`,
    `var s="</script>";${CLASS}`,
    `var a=\`\${\`\${\`x\`}\`}\`;${CLASS}`,
    `export default class extends Array{};export const y=1,z=2;export async function f(){}${CLASS}`,
    `var a=b/c/d,r=/[/]class Q/g,x=a++/2;if(a)/x/.test(b);${CLASS}`,
    `return;${CLASS}`,
    `var t="\u00c3\u00a9";${CLASS}`,
    `var \u00c3\u00a9=1;${CLASS}`,
  ])
    it(`is proved: ${text.slice(0, 70)}`, () => {
      const place = placeIn(text);
      assert.ok(place && compiles(text, [place]));
      assert.ok(agrees(text));
    });
});

describe('where it is not', () => {
  for (const text of [
    `/*${CLASS}*/`,
    `//${CLASS}`,
    `a(/*${CLASS}*/)`,
    `var a="${CLASS}"`,
    `var a='${CLASS}'`,
    `var a=\`${CLASS}\``,
    `var a=\`\${\`${CLASS}\`}\``,
    `var a=\`\${b}${CLASS}\`;`,
    `if(a)/${CLASS.replaceAll('/', '')}/.test(b)`,
    `var r=/[${CLASS}]/`,
    `#!${CLASS}`,
    `<!--${CLASS}\nimport"a"`,
    `${CLASS}}`,
    `{${CLASS}`,
    `}{${CLASS}`,
    `},{${CLASS}`,
    `}:{${CLASS}`,
    `}}{{${CLASS}`,
    `a=>{${CLASS}`,
    `${CLASS}(`,
    `${CLASS};var a=`,
    CLASS.slice(0, -1),
    `${CLASS}export{nobody}`,
    `${CLASS}let a;let a`,
    `import a from"b";let a;${CLASS}`,
    `import a from"b";import a from"c";${CLASS}`,
    `import"b";function f(){}function f(){}${CLASS}`,
    `import"b";with(a){}${CLASS}`,
    `new.target;${CLASS}`,
    `x import.meta.url;${CLASS}`,
    `import.meta=1;${CLASS}`,
    `import"b";010;${CLASS}`,
    `/(/;${CLASS}`,
    `@dec ${CLASS}`,
  ])
    it(`is not: ${text.slice(0, 70)}`, () => {
      const place = placeIn(text);
      assert.ok(place && !compiles(text, [place]), 'proved');
      assert.ok(agrees(text));
    });
});

describe('what the whole says equals what acorn says', () => {
  const places: readonly string[] = [
    ...[
      '"',
      "'",
      '`',
      '/',
      '/*',
      '*/',
      '//',
      '\n',
      '${',
      '}',
      '{',
      '(',
      ')',
      '[',
      ']',
      ',',
      ';',
      ':',
      '?',
      '=>',
      '=',
    ],
    ...[
      'a',
      'b=1',
      'return ',
      'x/y',
      '/r/g',
      'if(a)',
      'else ',
      'var a=',
      'let c;',
      'function f(){',
      'class A{',
      'm(){',
    ],
    ...[
      'import"a";',
      'import d from"e";',
      'export{};',
      'export default ',
      'import.meta',
      'await 0;',
      'async()=>{',
      '#!',
    ],
    ...[
      '<!--',
      '-->',
      '</script>',
      '\\',
      "'\\\n",
      'streamInput',
      '.streamInput(',
      '"streamInput"',
      'endInput()',
      '@',
    ],
  ];
  const token = fc.constantFrom(...places);
  const around = fc.tuple(fc.array(token, { maxLength: 8 }), fc.array(token, { maxLength: 8 }));

  it('of 20,000 texts with a class in the middle of anything', () => {
    let same = 0;
    let proved = 0;
    let count = 0;
    fc.assert(
      fc.property(around, ([before, behind]) => {
        const text = [...before, CLASS, ...behind].join('');
        count += 1;
        if (agrees(text)) same += 1;
        const place = placeIn(text);
        if (place && compiles(text, [place])) proved += 1;
      }),
      { numRuns: 20_000, seed: Number(process.env.HOLDOPEN_SEED ?? 1) },
    );
    assert.equal(count, 20_000);
    assert.ok(proved > 500, `only ${proved} were code: nothing was tried`);
    // Where it is in doubt, acorn is asked; that must stay rare.
    assert.ok(same > 0.99 * count, `${same} of ${count} without acorn`);
  });

  it('of every fixture, cut off anywhere, put into a literal, or with a piece missing', () => {
    for (const name of fixtureNames('dist').filter((one) => /\.(?:esbuild|terser)$/.test(one))) {
      const text = fixture(`dist/${name}.mjs`);
      const whole = analyze(text);
      assert.equal(whole.kind, 'bound', name);
      for (let at = 7; at < text.length; at += Math.ceil(text.length / 40)) {
        for (const spoiled of [text.slice(0, at), text.slice(0, at) + text.slice(at + 3)]) {
          const analysis = analyze(spoiled);
          const parsed = parsedClasses(spoiled);
          const isCode =
            'starts' in parsed &&
            parsed.starts.length === 1 &&
            (analysis.kind !== 'bound' || parsed.starts[0] === analysis.roles.class.start);
          assert.ok(analysis.kind !== 'bound' || isCode, `${name} at ${at}`);
        }
      }
      for (const [open, close] of [
        ['/*', '*/'],
        ['`', '`'],
        ['(a=>{/', '/})'],
      ])
        assert.notEqual(analyze(`${open}${text}${close}`).kind, 'bound', `${name} in ${open}`);
      const twice = analyze(`${text}\n${JSON.stringify(text)};`);
      assert.equal(twice.kind, 'bound', 'the class again, as a string');
    }
  });
});
