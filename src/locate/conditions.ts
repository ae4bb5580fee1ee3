import type { AnyNode } from 'acorn';
import { walk } from './ast.ts';

/** An expression without `!`, `&&`, `||` at its top, and whether it is truthy where we stand. */
export interface Condition {
  test: AnyNode;
  holds: boolean;
}

/**
 * What must be true for `node` to run, within the function that `ancestors` starts in. Minifiers write one
 * branch in many ways; all of these give `{ a, true }` for `b`:
 *
 *     if (a) b()    a && b()    !a || b()    a ? b() : c()    if (!a) return; b()    if (x(), a) b()
 */
export function conditionsOf(node: AnyNode, ancestors: readonly AnyNode[]): Condition[] {
  const path = [...ancestors, node];
  const conditions: Condition[] = [];
  path.slice(0, -1).forEach((parent, index) => {
    const child = path[index + 1];
    if (!child) return;
    if (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') {
      if (child === parent.consequent) conditions.push(...atoms(parent.test, true));
      else if (child === parent.alternate) conditions.push(...atoms(parent.test, false));
    } else if (parent.type === 'LogicalExpression' && child === parent.right) {
      if (parent.operator !== '??') conditions.push(...atoms(parent.left, parent.operator === '&&'));
    } else if (parent.type === 'BlockStatement') {
      for (const earlier of parent.body.slice(0, parent.body.indexOf(child as never))) {
        if (earlier.type === 'IfStatement' && !earlier.alternate && leaves(earlier.consequent))
          conditions.push(...atoms(earlier.test, false));
      }
    }
  });
  return conditions;
}

/** Whether the conditions say that `test` is truthy somewhere among them. */
export function holds(conditions: readonly Condition[], test: (node: AnyNode) => boolean): boolean {
  return conditions.some((condition) => condition.holds && test(condition.test));
}

/** `a && b` true is a true and b true; `a || b` false is a false and b false; `!a`, `(x, a)` speak of a. */
function atoms(test: AnyNode, truth: boolean): Condition[] {
  if (test.type === 'UnaryExpression' && test.operator === '!') return atoms(test.argument, !truth);
  if (test.type === 'SequenceExpression') {
    const last = test.expressions.at(-1);
    return last ? atoms(last, truth) : [];
  }
  if (test.type === 'LogicalExpression' && test.operator === (truth ? '&&' : '||'))
    return [...atoms(test.left, truth), ...atoms(test.right, truth)];
  // "result"!==e.type?b():a()   says of a that e.type==="result"
  if (test.type === 'BinaryExpression' && (test.operator === '!==' || test.operator === '!='))
    return [{ test: { ...test, operator: '===' }, holds: !truth }];
  return [{ test, holds: truth }];
}

/** Whether a statement always leaves the block it stands in. */
function leaves(node: AnyNode): boolean {
  switch (node.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
      return true;
    case 'BlockStatement':
      return node.body.some(leaves);
    case 'IfStatement':
      return leaves(node.consequent) && node.alternate != null && leaves(node.alternate);
    default:
      return false;
  }
}

/** The terms of a chain of `||`, in source order. */
export function disjuncts(node: AnyNode): AnyNode[] {
  if (node.type === 'LogicalExpression' && node.operator === '||')
    return [...disjuncts(node.left), ...disjuncts(node.right)];
  return [node];
}

/** Every node below `root`, itself included. */
export function descendants(root: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  walk(root, (node) => void found.push(node));
  return found;
}
