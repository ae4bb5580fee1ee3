import type { AnyNode, FunctionExpression, MethodDefinition } from 'acorn';
import { find, propertyName } from '../locate/ast.ts';
import type { Roles } from '../locate/roles.ts';
import type { SpawnEnv } from '../locate/spawn-env.ts';
import type { Body, Places, Span } from './places.ts';

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
