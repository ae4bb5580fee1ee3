import type { AnyNode, AssignmentExpression, MethodDefinition } from 'acorn';
import { comparedLiteral, isThisMember, propertyName, thisCallName, unchain, walk } from '../ast.ts';
import { type Condition, conditionsOf, descendants, holds } from '../conditions.ts';
import type { Roles, Site, Wait } from '../roles.ts';

/** The two sites that every family has; a third one, or one elsewhere, is a shape that nobody has judged. */
export interface SitePair {
  /** Ends input when `streamInput` has written everything and waited. */
  tail: Site;
  /** Ends input for a string prompt. */
  single: Site;
}

/** The tail site in `streamInput` after the loop and not conditional on anything else, and the other one. */
export function sitePair(roles: Roles): SitePair | undefined {
  const tail = roles.sites.find((site) => site.method === 'streamInput');
  const single = roles.sites.find((site) => site.method !== 'streamInput');
  if (!tail || !single || roles.sites.length !== 2) return undefined;
  return tail.node.start > roles.input.node.end ? { tail, single } : undefined;
}

/**
 * The only wait of the kind, if it stands before the tail site and only bidirectional needs make it run:
 *
 *     if(n>0&&this.hasBidirectionalNeeds())await this.waitForFirstResult();this.transport.endInput()
 *             ^ guard                      ^ wait                          ^ tail
 */
export function guardedWait(roles: Roles, tail: Site): (Wait & { method: string }) | undefined {
  const waits = roles.waits.filter((wait) => wait.method !== undefined);
  const [wait] = waits;
  if (!wait || waits.length !== 1 || wait.method === undefined) return undefined;
  const guarded = holds(wait.conditions, (test) => isNeedsCall(roles, test));
  return guarded && wait.node.end < tail.node.start ? { ...wait, method: wait.method } : undefined;
}

/** `this.hasBidirectionalNeeds()` in this bundle. */
export function isNeedsCall(roles: Roles, test: AnyNode): boolean {
  return roles.needs.method !== undefined && thisCallName(unchain(test)) === roles.needs.method;
}

/** Whether the conditions say `e.type === "<type>"`. */
export function onFrame(conditions: readonly Condition[], type: string): boolean {
  return holds(conditions, (test) => comparedLiteral(test, 'type') === type);
}

/** Whether the conditions say `this.isSingleUserTurn`. */
export function onSingleTurn(conditions: readonly Condition[]): boolean {
  return holds(conditions, (test) => isThisMember(test, 'isSingleUserTurn'));
}

/**
 * The field through which a wait method is resolved from elsewhere:
 *
 *     return new Promise(e=>{...;this.firstResultReceivedResolve=e})     this.runEndedResolve=()=>{...,e()}
 *                                     ^ field
 */
export function resolverFields(method: MethodDefinition): string[] {
  const executors = descendants(method.value).flatMap((node) =>
    node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'Promise'
      ? node.arguments.slice(0, 1)
      : [],
  );
  return executors.flatMap((executor) => {
    if (executor.type !== 'ArrowFunctionExpression' && executor.type !== 'FunctionExpression') return [];
    const [resolve] = executor.params;
    if (resolve?.type !== 'Identifier') return [];
    const stores = (node: AnyNode): node is AssignmentExpression =>
      node.type === 'AssignmentExpression' &&
      isThisMember(node.left) &&
      descendants(node.right).some((inner) => inner.type === 'Identifier' && inner.name === resolve.name);
    return descendants(executor.body)
      .filter(stores)
      .map((node) => (node.left.type === 'MemberExpression' ? (propertyName(node.left) ?? '') : ''));
  });
}

/** The conditions under which a method calls `this.<name>()`, one list per call. */
export function callConditions(method: MethodDefinition, name: string): Condition[][] {
  const found: Condition[][] = [];
  walk(method.value, (node, ancestors) => {
    if (thisCallName(node) === name) found.push(conditionsOf(node, ancestors));
  });
  return found;
}

/** Whether the method mentions a global function or `object.property` such as `setTimeout`, `Date.now`. */
export function mentions(method: MethodDefinition, name: string): boolean {
  return descendants(method.value).some(
    (node) =>
      (node.type === 'Identifier' && node.name === name) ||
      (node.type === 'MemberExpression' &&
        node.object.type === 'Identifier' &&
        `${node.object.name}.${propertyName(node)}` === name),
  );
}

/** Whether the site of a string prompt stands in the read loop, at a result: `if(this.isSingleUserTurn)...` */
export function endsAtResult(roles: Roles, site: Site): boolean {
  const { node } = roles.read;
  const inside = site.node.start > node.body.start && site.node.end <= node.body.end;
  return inside && onFrame(site.conditions, 'result') && onSingleTurn(site.conditions);
}
