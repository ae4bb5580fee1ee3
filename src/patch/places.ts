import type { AnyNode, FunctionExpression, MethodDefinition } from 'acorn';
import { find, propertyName } from '../locate/ast.ts';
import type { Roles } from '../locate/roles.ts';
import type { SpawnEnv } from '../locate/spawn-env.ts';

/** From the first character to behind the last: bytes of the unpatched file. */
export interface Span {
  start: number;
  end: number;
}

/** The body of a loop: what is between its braces, or the one statement that it is. */
export interface Body extends Span {
  braces: boolean;
}

/**
 * Where the edits of one bundle go: all that a patch needs of its class.
 */
export interface Places {
  /** The name of the read loop's variable. */
  frame: Span;
  /** The body of the read loop. */
  reading: Body;
  /** `this.handleControlRequest(e)` */
  request: Span;
  /** Between the braces of `streamInput`. */
  call: Span;
  /** The loop over the prompts, and its body. */
  loop: Span;
  prompts: Body;
  /** The `endInput` calls. */
  sites: (Span & { method: string })[];
  /** Where the body of `cleanup` begins. */
  cleanup: number;
  /** Between the braces of the generator that hands frames to the consumer. */
  output: Span;
  /** Where the bodies of the methods begin by which a consumer leaves. */
  leaving: number[];
  /** Where a method of ours may stand; null where the class has one of that name. */
  holdInput: number | null;
  /** The parameter of `stopTask` and its request; null where there is none. */
  stop: { id: Span; request: Span } | null;
  /** Where the child's environment can be changed, and the name of the variable that holds it. */
  env: { at: number; variable: Span } | null;
}

/** The places of a class whose roles are bound. `env`: where the transport of its bundle has made the child's environment. */
export function findPlaces(roles: Roles, env: SpawnEnv | undefined): Places {
  const { read, request, input, sites, cleanup, output, methods } = roles;
  return {
    frame: span(read.variable),
    reading: loopBody(read.node.body),
    request: span(request),
    call: functionBody(input.method.value),
    loop: span(input.node),
    prompts: loopBody(input.node.body),
    sites: sites.map(({ node, method }) => ({ ...span(node), method })),
    cleanup: functionBody(cleanup.value).start,
    output: functionBody(output.value),
    leaving: leaving(roles),
    holdInput: methods.has('holdInput') ? null : input.method.end,
    stop: stopTask(roles),
    env: env ? { at: env.at, variable: span(env.variable) } : null,
  };
}

// return(e){return this.sdkMessages.return(e)}     async[Symbol.asyncDispose](){...}
//           ^ leaving                                                           ^ leaving
function leaving(roles: Roles): number[] {
  return roles.class.body.body.flatMap((member) =>
    member.type === 'MethodDefinition' && !member.static && isLeaving(member)
      ? [functionBody(member.value).start]
      : [],
  );
}

/** `return`, `throw` and `[Symbol.asyncDispose]`. */
function isLeaving({ key, computed }: MethodDefinition): boolean {
  if (!computed) return key.type === 'Identifier' && (key.name === 'return' || key.name === 'throw');
  return key.type === 'MemberExpression' && propertyName(key) === 'asyncDispose';
}

// async stopTask(e){await this.request({subtype:"stop_task",task_id:e})}
//                ^ id     ^ request
function stopTask({ methods }: Roles): Places['stop'] {
  const method = methods.get('stopTask');
  const [id] = method?.value.params ?? [];
  const request = method && find(method.value.body, isOwnRequest);
  return request && id?.type === 'Identifier' ? { id: span(id), request: span(request) } : null;
}

/** `this.request(...)` */
function isOwnRequest(node: AnyNode): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  return node.callee.object.type === 'ThisExpression' && propertyName(node.callee) === 'request';
}

function span({ start, end }: Span): Span {
  return { start, end };
}

function functionBody(node: FunctionExpression): Span {
  return { start: node.body.start + 1, end: node.body.end - 1 };
}

function loopBody({ type, start, end }: AnyNode): Body {
  return type === 'BlockStatement'
    ? { start: start + 1, end: end - 1, braces: true }
    : { start, end, braces: false };
}
