import type {
  AnyNode,
  AwaitExpression,
  CallExpression,
  Class,
  ForOfStatement,
  Identifier,
  MemberExpression,
  MethodDefinition,
} from 'acorn';
import {
  comparedLiteral,
  isThisMember,
  keyName,
  keepsThis,
  methodsOf,
  propertyName,
  thisCallName,
  unchain,
  walk,
} from './ast.ts';
import { type Condition, conditionsOf, descendants, disjuncts, holds } from './conditions.ts';

/** One `endInput` call of the class. */
export interface Site {
  /** The whole expression that is wrapped: `this.transport.endInput()`, with `?.` the chain around it. */
  node: AnyNode;
  method: string;
  conditions: Condition[];
}

/** What `streamInput` awaits between its loop and its site: a method of the class, or a race of its own. */
export interface Wait {
  node: AwaitExpression;
  method?: string;
  conditions: Condition[];
}

export interface Loop {
  method: MethodDefinition;
  node: ForOfStatement;
  /** The loop's variable in this bundle. */
  variable: Identifier;
}

/** The parts of the class that decide when input ends, by structure. Every one is bound exactly once. */
export interface Roles {
  class: Class;
  methods: Map<string, MethodDefinition>;
  /** The field that holds the transport, and so `this.<transport>.endInput()`. */
  transport: string;
  /** `async streamInput(e){ ... for await(let r of e) ...` writes the prompts. */
  input: Loop;
  /** `for await(let e of this.transport.readMessages())` sees every frame. */
  read: Loop;
  /** `this.handleControlRequest(e)` in the read loop. */
  request: CallExpression;
  /** Ends the query: abort, close, child exit and errors all come through it. */
  cleanup: MethodDefinition;
  /** `async*readSdkMessages()` hands the frames to the consumer. */
  output: MethodDefinition;
  /** `hasBidirectionalNeeds(){return ...||...}`; older releases have its terms inline. */
  needs: { method?: string; terms: string[] };
  waits: Wait[];
  sites: Site[];
}

/** A role that did not bind exactly once: its name and how often it was found. */
export interface Unbound {
  role: string;
  found: number;
}

/** What of a class is looked for everywhere in it, found by one walk through all of it. */
export interface Survey {
  class: Class;
  /** How many nodes lie one in another. */
  depth: number;
  /** `endInput` calls and `for await` loops, with the nodes that they stand in: the class, its body, the member, and so on. */
  endInputs: Found<CallExpression>[];
  loops: Found<ForOfStatement>[];
}

interface Found<T extends AnyNode> {
  node: T;
  ancestors: AnyNode[];
}

/** Looks through a class once. */
export function survey(node: Class): Survey {
  const found: Survey = { class: node, depth: 0, endInputs: [], loops: [] };
  walk(node as AnyNode, (inner, ancestors) => {
    if (ancestors.length > found.depth) found.depth = ancestors.length;
    if (inner.type === 'ForOfStatement') {
      if (inner.await) found.loops.push({ node: inner, ancestors: [...ancestors] });
    } else if (isEndInputCall(inner)) found.endInputs.push({ node: inner, ancestors: [...ancestors] });
  });
  return found;
}

/** Binds the roles of one class, or tells which one did not. */
export function bindRoles(surveyed: Survey): Roles | Unbound {
  const node = surveyed.class;
  const methods = methodsOf(node);
  const loops = findLoops(surveyed, methods);
  const loopsOf = (method: MethodDefinition | undefined): Loop[] =>
    loops.filter((loop) => loop.method === method);
  const sites = findSites(surveyed, methods);
  const transports = new Set(sites.map((site) => site.transport));
  const [transport] = transports;
  if (transport === undefined || transports.size !== 1) return { role: 'transport', found: transports.size };
  // A call on another object, or in a place where `this` is another: not ours to wrap.
  const calls = surveyed.endInputs.length;
  if (calls !== sites.length) return { role: 'site', found: calls };

  const inputs = loopsOf(methods.get('streamInput')).filter((loop) =>
    isParameter(loop.method, loop.node.right),
  );
  const [input] = inputs;
  if (!input || inputs.length !== 1) return { role: 'input loop', found: inputs.length };

  const reads = loops.filter((loop) => readsTransport(loop, transport));
  const [read] = reads;
  if (!read || reads.length !== 1) return { role: 'read loop', found: reads.length };

  const requests = handlerCalls(read, 'control_request');
  const [request] = requests;
  if (!request || requests.length !== 1) return { role: 'request handler', found: requests.length };

  const cleanup = methods.get('cleanup');
  if (!cleanup || !callsThis(read.method, 'cleanup')) return { role: 'cleanup', found: cleanup ? 1 : 0 };

  const outputs = [...methods.values()].filter(
    (method) => method.value.generator && method.value.async && loopsOf(method).some(yieldsFromThis),
  );
  const [output] = outputs;
  if (!output || outputs.length !== 1) return { role: 'output generator', found: outputs.length };

  const waits = findWaits(input);
  const needs = findNeeds(methods, waits, input);
  if (!needs) return { role: 'needs predicate', found: 0 };
  return { class: node, methods, transport, input, read, request, cleanup, output, needs, waits, sites };
}

// this.transport.endInput()   this.transport?.endInput()
//      ^^^^^^^^^ transport    ^ site
function findSites(
  { endInputs }: Survey,
  methods: Map<string, MethodDefinition>,
): (Site & { transport: string })[] {
  return endInputs.flatMap(({ node, ancestors }) => {
    const own = ownMethod(ancestors, methods);
    const owner = unchain((unchain(node.callee) as MemberExpression).object);
    if (!own || !isThisMember(owner)) return [];
    const parent = ancestors.at(-1);
    return {
      node: parent?.type === 'ChainExpression' ? parent : node,
      method: own.name,
      transport: propertyName(owner) ?? '',
      conditions: conditionsOf(node, ancestors),
    };
  });
}

/** The method whose `this` it is where `ancestors` end; undefined in another function, a field or a method that is hidden. */
function ownMethod(
  ancestors: readonly AnyNode[],
  methods: Map<string, MethodDefinition>,
): { name: string; method: MethodDefinition } | undefined {
  const [, , member] = ancestors;
  if (member?.type !== 'MethodDefinition' || !keepsThis(ancestors, member.value)) return undefined;
  const name = keyName(member);
  return name !== undefined && methods.get(name) === member ? { name, method: member } : undefined;
}

function isEndInputCall(node: AnyNode): node is CallExpression {
  if (node.type !== 'CallExpression') return false;
  const callee = unchain(node.callee);
  return callee.type === 'MemberExpression' && propertyName(callee) === 'endInput';
}

// for await(let e of ...){...}   for await(const message of ...)
function findLoops({ loops }: Survey, methods: Map<string, MethodDefinition>): Loop[] {
  return loops.flatMap(({ node, ancestors }) => {
    const own = ownMethod(ancestors, methods);
    const declared = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : undefined;
    // A destructured variable has no name that we could hand on: not bound.
    return own && declared?.type === 'Identifier' ? { method: own.method, node, variable: declared } : [];
  });
}

function isParameter(method: MethodDefinition, node: AnyNode): boolean {
  return (
    node.type === 'Identifier' &&
    method.value.params.some((parameter) => parameter.type === 'Identifier' && parameter.name === node.name)
  );
}

function readsTransport(loop: Loop, transport: string): boolean {
  const source = unchain(loop.node.right);
  if (source.type !== 'CallExpression') return false;
  const callee = unchain(source.callee);
  return callee.type === 'MemberExpression' && isThisMember(unchain(callee.object), transport);
}

// else if(e.type==="control_request"){this.handleControlRequest(e);continue}
function handlerCalls(loop: Loop, type: string): CallExpression[] {
  const calls: CallExpression[] = [];
  walk(loop.node.body, (node, ancestors) => {
    if (node.type !== 'CallExpression' || thisCallName(node) === undefined) return;
    const [argument] = node.arguments;
    const takesFrame = argument?.type === 'Identifier' && argument.name === loop.variable.name;
    const inBranch = holds(conditionsOf(node, ancestors), (test) => comparedLiteral(test, 'type') === type);
    if (takesFrame && inBranch) calls.push(node);
  });
  return calls;
}

/** Whether the method calls `this.<name>(...)` anywhere. */
export function callsThis(method: MethodDefinition, name: string): boolean {
  return descendants(method.value).some((node) => thisCallName(node) === name);
}

// async*readSdkMessages(){for await(let e of this.inputStream)yield e}
function yieldsFromThis({ node }: Loop): boolean {
  return isThisMember(node.right) && descendants(node.body).some((inner) => inner.type === 'YieldExpression');
}

// if(n>0&&this.hasBidirectionalNeeds())await this.waitForFirstResult()      await Promise.race([...])
//                                      ^ wait                               ^ wait
function findWaits(input: Loop): Wait[] {
  const waits: Wait[] = [];
  walk(input.method.value, (node, ancestors) => {
    if (node.type !== 'AwaitExpression' || !keepsThis(ancestors, input.method.value)) return;
    if (node.start < input.node.end) return;
    const argument = unchain(node.argument);
    const method = thisCallName(argument);
    const races =
      argument.type === 'CallExpression' &&
      argument.callee.type === 'MemberExpression' &&
      propertyName(argument.callee) === 'race';
    const conditions = conditionsOf(node, ancestors);
    if (method !== undefined) waits.push({ node, method, conditions });
    else if (races) waits.push({ node, conditions });
  });
  return waits;
}

/** The predicate is the method that the wait is conditional on; older releases test its terms in place. */
function findNeeds(
  methods: Map<string, MethodDefinition>,
  waits: readonly Wait[],
  input: Loop,
): Roles['needs'] | undefined {
  for (const wait of waits) {
    for (const { test, holds: truth } of wait.conditions) {
      const name = thisCallName(unchain(test));
      const method = name === undefined ? undefined : methods.get(name);
      if (!truth || name === undefined || !method) continue;
      const [statement] = method.value.body.body;
      if (statement?.type !== 'ReturnStatement' || !statement.argument) return undefined;
      return { method: name, terms: disjuncts(statement.argument).map(termName).filter(isString) };
    }
    if (wait.method === undefined) return { terms: inlineTerms(wait, input) };
  }
  return undefined;
}

// const hasHooks=this.hooks&&...;if((this.sdkMcpTransports.size>0||hasHooks)&&this.firstResultReceivedPromise)
//                ^ term               ^ term                  ^ by its init   ^ bare field: what is awaited, no term
function inlineTerms(wait: Wait, input: Loop): string[] {
  const locals = new Map<string, AnyNode>();
  walk(input.method.value, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      locals.set(node.id.name, node.init);
  });
  return wait.conditions
    .flatMap(({ test }) => disjuncts(test))
    .map((test) => (test.type === 'Identifier' ? locals.get(test.name) : test))
    .map((test) => (test && !isThisMember(test) ? termName(test) : undefined))
    .filter(isString);
}

// this.canUseTool!==void 0    this.sdkMcpTransports.size>0    this.hooks!==void 0&&Object.keys(this.hooks).length>0
//      ^^^^^^^^^^                  ^^^^^^^^^^^^^^^^                ^^^^^
function termName(node: AnyNode): string | undefined {
  const member = descendants(node).find((inner) => isThisMember(inner));
  return member ? propertyName(member) : undefined;
}

const isString = (value: string | undefined): value is string => value !== undefined;
