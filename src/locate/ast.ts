import type {
  AnyNode,
  Class,
  Expression,
  MemberExpression,
  MethodDefinition,
  PropertyDefinition,
} from 'acorn';

/** Member names of a class that we look for; a private name (`#x`) never counts. */
export function keyName(member: MethodDefinition | PropertyDefinition): string | undefined {
  const { key, computed } = member;
  if (!computed && key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}

/** `a.b` and `a["b"]` name the same property. */
export function propertyName(node: MemberExpression): string | undefined {
  if (!node.computed && node.property.type === 'Identifier') return node.property.name;
  if (node.computed && node.property.type === 'Literal' && typeof node.property.value === 'string')
    return node.property.value;
  return undefined;
}

/** The child nodes of a node, in source order. */
export function children(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  for (const key in node) {
    const value: unknown = node[key as keyof AnyNode];
    // Most of a node is text, numbers and flags.
    if (typeof value !== 'object' || value === null) continue;
    // One by one: as arguments of one call, the statements of a big build overflow the stack.
    if (Array.isArray(value)) {
      for (const one of value as unknown[]) if (isNode(one)) found.push(one);
    } else if (isNode(value)) found.push(value);
  }
  return found;
}

export function isNode(value: unknown): value is AnyNode {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}

/** Walks a tree depth first. `visit` gets the ancestors, outermost first; `false` skips the children. */
export function walk(
  root: AnyNode,
  visit: (node: AnyNode, ancestors: readonly AnyNode[]) => boolean | undefined | void,
): void {
  const ancestors: AnyNode[] = [];
  // No recursion: the parser takes a chain of 10,000 calls (a.b().b()...) in a loop, which nests as deep.
  const levels = [{ nodes: [root], next: 0 }];
  for (let level = levels[0]; level; level = levels.at(-1)) {
    const node = level.nodes[level.next];
    level.next += 1;
    if (!node) {
      levels.pop();
      ancestors.pop();
    } else if (visit(node, ancestors) !== false) {
      ancestors.push(node);
      levels.push({ nodes: children(node), next: 0 });
    }
  }
}

/** The first node below `root` for which `test` holds, with its ancestors. */
export function find<T extends AnyNode>(
  root: AnyNode,
  test: (node: AnyNode, ancestors: readonly AnyNode[]) => node is T,
): T | undefined;
export function find(
  root: AnyNode,
  test: (node: AnyNode, ancestors: readonly AnyNode[]) => boolean,
): AnyNode | undefined;
export function find(
  root: AnyNode,
  test: (node: AnyNode, ancestors: readonly AnyNode[]) => boolean,
): AnyNode | undefined {
  let found: AnyNode | undefined;
  walk(root, (node, ancestors) => {
    if (found) return false;
    if (test(node, ancestors)) found = node;
    return !found;
  });
  return found;
}

/** `(a)`, `a?.b` and plain `a`: acorn wraps optional chains in a ChainExpression. */
export function unchain(node: AnyNode): AnyNode {
  return node.type === 'ChainExpression' ? node.expression : node;
}

/** Whether the node is `this.<name>` (dotted, quoted or optional). */
export function isThisMember(node: AnyNode, name?: string): node is MemberExpression {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'ThisExpression' &&
    (name === undefined ? propertyName(node) !== undefined : propertyName(node) === name)
  );
}

/** The `m` of a call `this.m(...)`, `this.m?.(...)`. */
export function thisCallName(node: AnyNode): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = unchain(node.callee);
  return isThisMember(callee) ? propertyName(callee) : undefined;
}

/** `x.type === "result"`, either way round and with `==`: the literal compared with `<object>.<property>`. */
export function comparedLiteral(node: AnyNode, property: string): string | undefined {
  if (node.type !== 'BinaryExpression' || (node.operator !== '===' && node.operator !== '=='))
    return undefined;
  const sides: Expression[] = [node.left as Expression, node.right];
  const member = sides.find((side) => unchain(side).type === 'MemberExpression');
  const text = sides.map(stringValue).find((value) => value !== undefined);
  if (!member || text === undefined) return undefined;
  return propertyName(unchain(member) as MemberExpression) === property ? text : undefined;
}

/** `"a"` and `` `a` `` are the same text. */
export function stringValue(node: AnyNode): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** Method definitions of a class by name; of two with one name the last counts, as in JavaScript. */
export function methodsOf(node: Class): Map<string, MethodDefinition> {
  const methods = new Map<string, MethodDefinition>();
  for (const member of node.body.body) {
    if (member.type !== 'MethodDefinition' || member.static) continue;
    const name = keyName(member);
    if (name !== undefined) methods.set(name, member);
  }
  return methods;
}

/**
 * Whether `this` at the end of `ancestors` is the method's own: only arrow functions between.
 * `ancestors` starts at (or above) the method's function.
 */
export function keepsThis(ancestors: readonly AnyNode[], method: AnyNode): boolean {
  const from = ancestors.indexOf(method);
  return ancestors
    .slice(from + 1)
    .every(
      (node) =>
        node.type !== 'FunctionExpression' &&
        node.type !== 'FunctionDeclaration' &&
        node.type !== 'ClassExpression' &&
        node.type !== 'ClassDeclaration',
    );
}
