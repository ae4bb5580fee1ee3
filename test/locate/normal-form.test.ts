import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseExpressionAt } from 'acorn';
import { normalForm } from '../../src/locate/fingerprints.ts';

const form = (body: string): string =>
  normalForm(parseExpressionAt(`(async function(e){${body}})`, 1, { ecmaVersion: 'latest' }));

/** Each row: what one writer and another write for the same thing. */
const same: [string, string, string][] = [
  ['booleans', 'this.done=!0', 'this.done=true'],
  ['undefined', 'this.done=void 0', 'this.done=undefined'],
  ['quotes and templates', 'e("a")', 'e(`a`)'],
  ['numbers', 'e(1e4)', 'e(10000)'],
  ['member spelling', 'e["a"]=1', 'e.a=1'],
  ['property keys', 'e({"a":1})', 'e({a:1})'],
  ['shorthand', 'let a=1;e({a})', 'let b=1;e({a:b})'],
  ['declarations', 'var a=1,b=2;e(a,b)', 'const x=1;let y=2;e(x,y)'],
  ['sequences', 'e(1),e(2)', 'e(1);e(2);'],
  ['sequences in tests', 'if(e(1),e.a)e(2)', 'e(1);if(e.a){e(2)}'],
  ['sequences in returns', 'return e(1),e(2)', 'e(1);return e(2)'],
  ['and as if', 'e.a&&e(1)', 'if(e.a){e(1)}'],
  ['or as if not', 'e.a||e(1)', 'if(!e.a)e(1)'],
  ['ternary as if', 'e.a?e(1):e(2)', 'if(e.a)e(1);else e(2)'],
  ['returned ternary', 'return e.a?1:2', 'if(e.a)return 1;return 2'],
  ['else after return', 'if(e.a)return 1;else e(2)', 'if(e.a)return 1;e(2)'],
  ['negated branches', 'if(!e.a)e(1);else e(2)', 'if(e.a)e(2);else e(1)'],
  ['nested ifs', 'if(e.a)if(e.b)e(1)', 'if(e.a&&e.b)e(1)'],
  ['optional call', 'this.done?.()', 'if(this.done)this.done()'],
  ['comparison sides', 'if("x"===e.type)e(1)', 'if(e.type==="x")e(1)'],
  ['negated comparison', 'if(!(e.a===1))e(1)', 'if(e.a!==1)e(1)'],
  ['new Error', 'throw Error("x")', 'throw new Error("x")'],
  ['arrow bodies', 'e(()=>{return 1})', 'e(()=>1)'],
  ['logging', 'log("[Query.end] now"),e(1)', 'logDebug(`[Query.end] now ${e}`,{level:"x"});e(1)'],
  ['empty statements', ';e(1);;', 'e(1)'],
  ['names of locals', 'for(let t of e)t()', 'for(const message of e){message()}'],
  ['names of the outside', 'a(e),b(e),a(e)', 'q(e);r(e);q(e)'],
  ['shadowed names', 'let a=1;{let a=2;e(a)}e(a)', 'let x=1;{let y=2;e(y)}e(x)'],
  ['catch and function scopes', 'try{e()}catch(e){e()}', 'try{e()}catch(t){t()}'],
];

const different: [string, string, string][] = [
  ['the order of effects', 'e(1);e(2)', 'e(2);e(1)'],
  ['which branch', 'if(e.a)e(1)', 'if(!e.a)e(1)'],
  ['property names', 'e.a()', 'e.b()'],
  ['which local', 'let a=1,b=2;e(a)', 'let a=1,b=2;e(b)'],
  ['globals', 'Promise.all(e)', 'Promise.race(e)'],
  ['text that is not logging', 'e("[not a tag] x")', ''],
  ['awaiting', 'await e()', 'e()'],
  ['nullish is not or', 'e.a??e(1)', 'e.a||e(1)'],
  ['numbers differ', 'e(1)', 'e(2)'],
];

describe('normal form', () => {
  for (const [name, one, other] of same)
    test(`is the same for ${name}`, () => {
      assert.equal(form(one), form(other));
    });
  for (const [name, one, other] of different)
    test(`keeps apart: ${name}`, () => {
      assert.notEqual(form(one), form(other));
    });
});
