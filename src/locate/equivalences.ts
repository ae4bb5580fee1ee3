import type { AnyNode } from 'acorn';
import { isNode, stringValue } from './ast.ts';

/**
 * What minifiers, bundlers and versions of them write differently without meaning anything else. Each rule
 * turns one spelling into the other; every fingerprint above bytes is taken after all of them. This is the
 * only place that knows them.
 */

/** AST nodes under rewriting: plain objects without positions and raw spellings. */
export type Plain = { type: string; [key: string]: unknown };

/** Rewrites a method, function or class into its normal form. The input stays as it is. */
export function normalize(node: AnyNode): Plain {
  return expression(strip(node) as Plain);
}

const POSITIONS = new Set(['start', 'end', 'loc', 'range', 'raw', 'sourceFile']);

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) if (!POSITIONS.has(key)) copy[key] = strip(inner);
  return copy;
}

const isPlain = (value: unknown): value is Plain => isNode(value);
const literal = (value: unknown): Plain => ({ type: 'Literal', value });
const identifier = (name: string): Plain => ({ type: 'Identifier', name });
const block = (body: Plain[]): Plain => ({ type: 'BlockStatement', body });
const not = (argument: Plain): Plain =>
  expression({ type: 'UnaryExpression', operator: '!', prefix: true, argument });

/** Any node that is not a statement; statements below it go through {@link statements}. */
function expression(node: Plain): Plain {
  const rewritten: Plain = { type: node.type };
  for (const [key, value] of Object.entries(node)) {
    if (key === 'body' && (node.type === 'BlockStatement' || node.type === 'StaticBlock'))
      rewritten[key] = statements(value as Plain[]);
    else if (Array.isArray(value))
      rewritten[key] = value.map((inner: unknown) => (isPlain(inner) ? expression(inner) : inner));
    else rewritten[key] = isPlain(value) ? expression(value) : value;
  }
  return simplify(rewritten);
}

const NEGATED: Record<string, string> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const COMPARES = new Set(Object.keys(NEGATED));
/** `Error("x")` and `new Error("x")` make the same object. */
const CALLABLE = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'Array',
  'Object',
]);

/** One node whose children are in normal form. */
function simplify(node: Plain): Plain {
  switch (node.type) {
    case 'UnaryExpression':
      return simplifyUnary(node);
    case 'BinaryExpression': {
      const left = node.left as Plain;
      // "result"===e.type   ->   e.type==="result"
      if (COMPARES.has(node.operator as string) && isConstant(left) && !isConstant(node.right as Plain))
        return { ...node, left: node.right, right: left };
      return node;
    }
    case 'TemplateLiteral': {
      // `text`   ->   "text"
      const text = stringValue(node as unknown as AnyNode);
      return text === undefined ? node : literal(text);
    }
    case 'MemberExpression': {
      // a["b"]   ->   a.b
      const name = node.computed ? stringValue(node.property as AnyNode) : undefined;
      return name !== undefined && isName(name)
        ? { ...node, computed: false, property: identifier(name) }
        : node;
    }
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition': {
      // {"a":b}   ->   {a:b}     {a}   ->   {a:a}
      const name = node.computed ? undefined : stringValue(node.key as AnyNode);
      const key = name !== undefined && isName(name) ? identifier(name) : node.key;
      return node.type === 'Property' ? { ...node, key, shorthand: false } : { ...node, key };
    }
    case 'NewExpression': {
      const callee = node.callee as Plain;
      const plainCall = callee.type === 'Identifier' && CALLABLE.has(callee.name as string);
      return plainCall ? { ...node, type: 'CallExpression', optional: false } : node;
    }
    case 'ArrowFunctionExpression':
      return simplifyArrow(node);
    default:
      return node;
  }
}

function simplifyUnary(node: Plain): Plain {
  const argument = node.argument as Plain;
  if (node.operator === 'void' && argument.type === 'Literal') return identifier('undefined');
  if (node.operator !== '!') return node;
  // !0 -> true, !1 -> false, !!a in a test is left alone, !(a===b) -> a!==b
  if (argument.type === 'Literal' && typeof argument.value !== 'object') return literal(!argument.value);
  if (argument.type === 'BinaryExpression' && COMPARES.has(argument.operator as string))
    return { ...argument, operator: NEGATED[argument.operator as string] };
  return node;
}

// ()=>{return a}   ->   ()=>a        ()=>{a()}   stays: its value is not used by the code we look at
function simplifyArrow(node: Plain): Plain {
  const body = node.body as Plain;
  if (body.type !== 'BlockStatement') return node;
  const [only, ...rest] = body.body as Plain[];
  if (only?.type !== 'ReturnStatement' || rest.length > 0 || !isPlain(only.argument)) return node;
  return { ...node, expression: true, body: only.argument };
}

function isConstant(node: Plain): boolean {
  return node.type === 'Literal' || (node.type === 'Identifier' && node.name === 'undefined');
}

function isName(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

/** A list of statements: sequences split, branches spelt as `if`, logging and empty statements left out. */
function statements(list: Plain[]): Plain[] {
  const body = list.flatMap((node) => statement(node));
  // A bare `return` that ends a function says nothing; callers that keep it are the same function.
  return body.flatMap((node, index) => hoistElse(node, index === body.length - 1));
}

// if(a)return b;else c()   ->   if(a)return b; c()
function hoistElse(node: Plain, last: boolean): Plain[] {
  if (node.type === 'IfStatement' && isPlain(node.alternate) && leaves(node.consequent as Plain)) {
    const rest = (node.alternate.body as Plain[]).flatMap((inner) => hoistElse(inner, last));
    return [{ ...node, alternate: null }, ...rest];
  }
  return [node];
}

function leaves(node: Plain): boolean {
  const end = node.type === 'BlockStatement' ? (node.body as Plain[]).at(-1) : node;
  return ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'].includes(
    end?.type ?? '',
  );
}

function statement(node: Plain): Plain[] {
  switch (node.type) {
    case 'EmptyStatement':
      return [];
    case 'BlockStatement':
      return [block(statements(node.body as Plain[]))];
    case 'ExpressionStatement':
      return effect(expression(node.expression as Plain));
    case 'VariableDeclaration':
      // var a=1,b   ->   let a=1; let b
      return (node.declarations as Plain[]).map((declared) => ({
        type: 'VariableDeclaration',
        kind: 'let',
        declarations: [expression(declared)],
      }));
    case 'ReturnStatement':
    case 'ThrowStatement':
      return isPlain(node.argument) ? leaving(node.type, expression(node.argument)) : [node];
    case 'IfStatement':
      return branch(
        expression(node.test as Plain),
        bodyOf(node.consequent as Plain),
        isPlain(node.alternate) ? bodyOf(node.alternate) : [],
      );
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement': {
      const head = expression({ ...node, body: { type: 'EmptyStatement' } });
      const left = head.left as Plain | undefined;
      if (left?.type === 'VariableDeclaration') head.left = { ...left, kind: 'let' };
      return [{ ...head, body: block(bodyOf(node.body as Plain)) }];
    }
    default:
      return [expression(node)];
  }
}

function bodyOf(node: Plain): Plain[] {
  return statements(node.type === 'BlockStatement' ? (node.body as Plain[]) : [node]);
}

/** An expression run for its effect. */
function effect(node: Plain): Plain[] {
  if (node.type === 'SequenceExpression') return (node.expressions as Plain[]).flatMap(effect);
  if (isLogging(node)) return [];
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    // a&&b()   ->   if(a)b()        a||b()   ->   if(!a)b()
    const test = node.operator === '&&' ? (node.left as Plain) : not(node.left as Plain);
    return branch(test, effect(node.right as Plain), []);
  }
  if (node.type === 'ConditionalExpression')
    return branch(node.test as Plain, effect(node.consequent as Plain), effect(node.alternate as Plain));
  if (node.type === 'ChainExpression') {
    // this.done?.()   ->   if(this.done)this.done()
    const call = node.expression as Plain;
    const callee = call.callee as Plain | undefined;
    if (call.type === 'CallExpression' && call.optional === true && callee && !hasOptional(callee))
      return branch(callee, effect({ ...call, optional: false }), []);
  }
  return [{ type: 'ExpressionStatement', expression: node }];
}

function hasOptional(node: Plain): boolean {
  return node.optional === true || Object.values(node).some((inner) => isPlain(inner) && hasOptional(inner));
}

// f("[Name.method] ...")   f(`[Name] ... ${n}`,{...})
function isLogging(node: Plain): boolean {
  if (node.type !== 'CallExpression' || (node.callee as Plain).type !== 'Identifier') return false;
  const [first] = node.arguments as Plain[];
  const text =
    first?.type === 'TemplateLiteral'
      ? ((first.quasis as { value: { cooked?: string } }[])[0]?.value.cooked ?? '')
      : first?.value;
  return typeof text === 'string' && /^\[\w+(?:\.\w+)*\]/.test(text);
}

/** `return a?b:c` and its like as branches; `return x(),a` as two statements; `return undefined` as `return`. */
function leaving(type: string, argument: Plain): Plain[] {
  if (argument.type === 'SequenceExpression') {
    const parts = [...(argument.expressions as Plain[])];
    const last = parts.pop();
    return [...parts.flatMap(effect), ...(last ? leaving(type, last) : [])];
  }
  if (type === 'ReturnStatement' && argument.type === 'ConditionalExpression')
    return branch(
      argument.test as Plain,
      leaving(type, argument.consequent as Plain),
      leaving(type, argument.alternate as Plain),
    ).flatMap((node) => hoistElse(node, true));
  if (type === 'ReturnStatement' && argument.type === 'Identifier' && argument.name === 'undefined')
    return [{ type, argument: null }];
  return [{ type, argument }];
}

/** An `if`; a negated test with two branches, and an empty first branch, are turned round. */
function branch(test: Plain, yes: Plain[], no: Plain[]): Plain[] {
  if (test.type === 'SequenceExpression') {
    const parts = [...(test.expressions as Plain[])];
    const last = parts.pop();
    return [...parts.flatMap(effect), ...(last ? branch(last, yes, no) : [])];
  }
  if (yes.length === 0 && no.length === 0) return effect(test);
  if (yes.length === 0) return branch(not(test), no, []);
  if (no.length > 0 && test.type === 'UnaryExpression' && test.operator === '!')
    return branch(test.argument as Plain, no, yes);
  // if(a){if(b)c()}   ->   if(a&&b)c()
  const [inner] = yes;
  if (no.length === 0 && yes.length === 1 && inner?.type === 'IfStatement' && !isPlain(inner.alternate))
    return branch(
      { type: 'LogicalExpression', operator: '&&', left: test, right: inner.test },
      (inner.consequent as Plain).body as Plain[],
      [],
    );
  return [{ type: 'IfStatement', test, consequent: block(yes), alternate: no.length > 0 ? block(no) : null }];
}
