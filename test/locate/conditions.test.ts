import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AnyNode, parse } from 'acorn';
import { comparedLiteral, isThisMember, thisCallName, walk } from '../../src/locate/ast.ts';
import { conditionsOf, holds } from '../../src/locate/conditions.ts';

/** The conditions of the call `this.end()` in a method's body. */
function conditionsIn(body: string): ReturnType<typeof conditionsOf> {
  const program = parse(`async function f(e,t){${body}}`, { ecmaVersion: 'latest' });
  let found: ReturnType<typeof conditionsOf> | undefined;
  walk(program, (node, ancestors) => {
    if (thisCallName(node) === 'end') found = conditionsOf(node, ancestors);
  });
  assert.ok(found, 'the snippet calls this.end()');
  return found;
}

const single = (test: AnyNode): boolean => isThisMember(test, 'single');
const onResult = (test: AnyNode): boolean => comparedLiteral(test, 'type') === 'result';

describe('conditionsOf', () => {
  for (const body of [
    'if(this.single){this.end()}',
    'if(this.single)this.end();else this.other()',
    'if(!this.single)this.other();else this.end()',
    'this.single&&this.end()',
    '!this.single||this.end()',
    'this.single?this.end():this.other()',
    'this.single?(log("x"),this.end()):0',
    'if(log("x"),this.done=!0,this.single)log("y"),this.end()',
    'if(!this.single)return;this.end()',
    'if(!this.single){this.other();return}this.end()',
    'if(t&&this.single)this.end()',
    'if(!(t||!this.single))this.end()',
    'try{if(this.single)this.end()}finally{t()}',
  ])
    test(`knows that this.single holds: ${body}`, () => {
      assert.equal(holds(conditionsIn(body), single), true);
    });

  for (const body of [
    'this.end()',
    'if(this.single)this.other();this.end()',
    'if(this.single||t)this.end()',
    'if(this.single)return;this.end()',
    'this.single||this.end()',
    'this.single??this.end()',
    'if(!this.single)this.end()',
    'if(t){if(!this.single)return}this.end()',
    'if(!this.single){if(t)return}this.end()',
  ])
    test(`does not take this.single for granted: ${body}`, () => {
      assert.equal(holds(conditionsIn(body), single), false);
    });

  for (const body of [
    'if(e.type==="result")this.end()',
    'if("result"===e.type)this.end()',
    'if(e["type"]=="result")this.end()',
    'if(e.type===`result`)this.end()',
    'if(e.type!=="result")t();else this.end()',
    '"a"===e.type?t():"result"!==e.type?t():this.end()',
    'if(e.type!=="result")return;this.end()',
  ])
    test(`knows the frame's type: ${body}`, () => {
      assert.equal(holds(conditionsIn(body), onResult), true);
    });

  test('another type is another condition', () => {
    assert.equal(holds(conditionsIn('if(e.type==="assistant")this.end()'), onResult), false);
    assert.equal(holds(conditionsIn('if(e.type!=="result")this.end()'), onResult), false);
    assert.equal(holds(conditionsIn('if(e.subtype==="result")this.end()'), onResult), false);
  });
});
