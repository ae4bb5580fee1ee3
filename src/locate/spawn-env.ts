import type { AnyNode, Identifier } from 'acorn';
import { methodsOf, propertyName, walk } from './ast.ts';
import { enclosingClass } from './region.ts';
import type { Source } from './source.ts';

/** Where the process transport has made the child's environment and not used it yet. */
export interface SpawnEnv {
  /** Start of a statement in a method of the transport, `variable` holds the environment there. */
  at: number;
  variable: Identifier;
}

/** Public: the CLI reads it, and every release sets it just before it starts the child. */
const ANCHOR = 'CLAUDE_CODE_ENTRYPOINT';

// endInput(){   async endInput() {   "endInput"(){   but not   this.transport.endInput()
const END_INPUT = /(?<![.\w$])endInput["']?\s*\(/g;

/**
 * Finds the place in the class of a transport (it has `endInput` and starts a process):
 *
 *     if(!c.CLAUDE_CODE_ENTRYPOINT)c.CLAUDE_CODE_ENTRYPOINT="sdk-ts";if(delete c.NODE_OPTIONS,...
 *     ^ at
 *
 * undefined where it does not bind exactly once: the gate then does without.
 */
export function findSpawnEnv(source: Source): SpawnEnv | undefined {
  const found = new Map<number, SpawnEnv>();
  // From `endInput` and not from the variable: other code has that too, and around it dozens of classes would be parsed.
  for (const { index } of source.matchAll(END_INPUT)) {
    const node = enclosingClass(source, index, isTransport).found;
    if (!node || !source.slice(node.start, node.end).includes(ANCHOR)) continue;
    for (const place of placesIn(node as AnyNode)) found.set(place.at, place);
  }
  const [place, ...others] = found.values();
  return others.length > 0 ? undefined : place;
}

function isTransport(node: Parameters<typeof methodsOf>[0]): boolean {
  const methods = methodsOf(node);
  return methods.has('endInput') && methods.has('write') && methods.has('close');
}

function placesIn(node: AnyNode): SpawnEnv[] {
  const places: SpawnEnv[] = [];
  walk(node, (statement, ancestors) => {
    if (statement.type !== 'IfStatement' || ancestors.at(-1)?.type !== 'BlockStatement') return;
    if (ancestors.some((outer) => outer.type === 'ArrowFunctionExpression')) return;
    const { test, consequent } = statement;
    const negated = test.type === 'UnaryExpression' && test.operator === '!' ? test.argument : undefined;
    if (negated?.type !== 'MemberExpression' || negated.object.type !== 'Identifier') return;
    if (propertyName(negated) !== ANCHOR || !assigns(consequent, negated.object.name)) return;
    places.push({ at: statement.start, variable: negated.object });
  });
  return places;
}

function assigns(node: AnyNode, variable: string): boolean {
  const only = node.type === 'BlockStatement' && node.body.length === 1 ? node.body[0] : node;
  if (only?.type !== 'ExpressionStatement' || only.expression.type !== 'AssignmentExpression') return false;
  const { left } = only.expression;
  return (
    left.type === 'MemberExpression' &&
    left.object.type === 'Identifier' &&
    left.object.name === variable &&
    propertyName(left) === ANCHOR
  );
}
