import type { Plain } from './equivalences.ts';

/**
 * Alpha-renaming: every local binding becomes `$0`, `$1`, ... and every name from outside the piece that is
 * not a global of the language becomes `_0`, `_1`, ..., both in order of appearance. Two pieces that differ
 * only in how a minifier named things print alike afterwards. Property names stay: they mean something.
 */
export function alphaRename(root: Plain): void {
  new Renamer().enter(root, new Scope(undefined));
}

/** Globals that bundles use by name; any other free name is the bundle's own and gets renamed by minifiers. */
const GLOBALS = new Set(
  (
    'undefined NaN Infinity globalThis process Buffer console Promise Symbol Object Array Map Set WeakMap WeakSet ' +
    'JSON Math Date Error TypeError RangeError SyntaxError ReferenceError Number String Boolean BigInt RegExp ' +
    'AbortController AbortSignal URL setTimeout clearTimeout setInterval clearInterval setImmediate ' +
    'queueMicrotask performance structuredClone WebSocket fetch parseInt parseFloat isNaN arguments'
  ).split(' '),
);

class Scope {
  readonly parent: Scope | undefined;
  readonly names = new Map<string, { renamed?: string }>();
  constructor(parent: Scope | undefined) {
    this.parent = parent;
  }
  lookup(name: string): { renamed?: string } | undefined {
    return this.names.get(name) ?? this.parent?.lookup(name);
  }
  declare(name: string): void {
    if (!this.names.has(name)) this.names.set(name, {});
  }
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && typeof (value as Plain).type === 'string';

function inner(node: Plain): Plain[] {
  return Object.values(node).flatMap((value): Plain[] =>
    Array.isArray(value) ? value.filter(isPlain) : isPlain(value) ? [value] : [],
  );
}

const isFunction = (node: Plain): boolean =>
  node.type === 'FunctionExpression' ||
  node.type === 'FunctionDeclaration' ||
  node.type === 'ArrowFunctionExpression';

class Renamer {
  #locals = 0;
  readonly #outer = new Map<string, string>();

  enter(node: Plain, scope: Scope): void {
    switch (node.type) {
      case 'Identifier':
        this.#rename(node, scope);
        return;
      case 'MemberExpression':
        this.enter(node.object as Plain, scope);
        if (node.computed) this.enter(node.property as Plain, scope);
        return;
      case 'Property':
      case 'MethodDefinition':
      case 'PropertyDefinition':
        if (node.computed) this.enter(node.key as Plain, scope);
        if (isPlain(node.value)) this.enter(node.value, scope);
        return;
      case 'LabeledStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        for (const child of inner(node)) if (child.type !== 'Identifier') this.enter(child, scope);
        return;
      default:
        this.#enterScope(node, scope);
    }
  }

  #enterScope(node: Plain, outer: Scope): void {
    let scope = outer;
    if (isFunction(node)) {
      scope = new Scope(outer);
      if (node.type === 'FunctionExpression' && isPlain(node.id)) scope.declare(node.id.name as string);
      for (const parameter of node.params as Plain[]) declarePattern(parameter, scope);
      declareIn(node.body as Plain, scope);
    } else if (node.type === 'ClassExpression' && isPlain(node.id)) {
      scope = new Scope(outer);
      scope.declare(node.id.name as string);
    } else if (
      node.type === 'BlockStatement' ||
      node.type.startsWith('For') ||
      node.type === 'SwitchStatement'
    ) {
      scope = new Scope(outer);
      declareBlock(node, scope);
    } else if (node.type === 'CatchClause') {
      scope = new Scope(outer);
      if (isPlain(node.param)) declarePattern(node.param, scope);
    }
    for (const child of inner(node)) this.enter(child, scope);
  }

  #rename(node: Plain, scope: Scope): void {
    const name = node.name as string;
    const binding = scope.lookup(name);
    if (binding) node.name = binding.renamed ??= `$${String(this.#locals++)}`;
    else if (!GLOBALS.has(name)) {
      const renamed = this.#outer.get(name) ?? `_${String(this.#outer.size)}`;
      this.#outer.set(name, renamed);
      node.name = renamed;
    }
  }
}

/** Declares what `let` (all declarations are by now), classes and functions declare in one block or head. */
function declareBlock(node: Plain, scope: Scope): void {
  const own =
    node.type === 'BlockStatement' ? (node.body as Plain[]) : [node.init, node.left].filter(isPlain);
  for (const child of own) {
    if (child.type === 'VariableDeclaration')
      for (const declared of child.declarations as Plain[]) declarePattern(declared.id as Plain, scope);
    else if ((child.type === 'FunctionDeclaration' || child.type === 'ClassDeclaration') && isPlain(child.id))
      scope.declare(child.id.name as string);
  }
}

/** A function's own top-level declarations; nested blocks declare theirs when they are entered. */
function declareIn(body: Plain, scope: Scope): void {
  if (body.type === 'BlockStatement') declareBlock(body, scope);
}

function declarePattern(pattern: Plain, scope: Scope): void {
  switch (pattern.type) {
    case 'Identifier':
      scope.declare(pattern.name as string);
      return;
    case 'AssignmentPattern':
      declarePattern(pattern.left as Plain, scope);
      return;
    case 'RestElement':
      declarePattern(pattern.argument as Plain, scope);
      return;
    case 'ArrayPattern':
      for (const element of pattern.elements as (Plain | null)[]) if (element) declarePattern(element, scope);
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties as Plain[])
        declarePattern((property.type === 'Property' ? property.value : property) as Plain, scope);
      return;
  }
}
