import type { AnyNode, FunctionExpression, MethodDefinition } from 'acorn';
import { find, propertyName } from '../locate/ast.ts';
import type { Roles, Site } from '../locate/roles.ts';
import type { SpawnEnv } from '../locate/spawn-env.ts';
import type { Edit } from './marker.ts';
import { GATE_NAME } from './revision.ts';

const GATE = `${GATE_NAME}(this)`;
/** Says that this call of `streamInput` is over. */
const OVER = `${GATE_NAME}_over`;
/** Makes short insertions unmistakable: where one is missing, the text behind it must not pass for it. */
const OURS = '/*holdopen*/';

/** Every edit of a class whose roles are bound, in order of position. */
export function planEdits(roles: Roles, env: SpawnEnv | undefined): Edit[] {
  const edits = [
    ...readLoop(roles),
    ...request(roles),
    ...inputLoop(roles),
    ...roles.sites.flatMap((site) => endInput(site)),
    ...cleanup(roles),
    ...output(roles),
    ...leaving(roles),
    ...holdInput(roles),
    ...stopTask(roles),
    ...(env ? askForState(env) : []),
  ];
  return edits.sort((a, b) => a.at - b.at);
}

// for await(let e of this.transport.readMessages()){   if($holdopen(this).frame(e))continue;
function readLoop({ read }: Roles): Edit[] {
  const text = `if(${GATE}.frame(${read.variable}))continue;`;
  return atBodyStart(read.node.body, text, 'the gate sees every frame before the SDK does');
}

// $holdopen(this).request(e,  this.handleControlRequest(e)  )
function request(roles: Roles): Edit[] {
  const purpose = 'an inbound request is unanswered until its handling settles';
  return [
    { at: roles.request.start, text: `${GATE}.request(${roles.read.variable},`, purpose },
    { at: roles.request.end, text: `${OURS})`, purpose },
  ];
}

// async streamInput(e){   let over=$holdopen(this).open();try{   ...   {   for await(let r of e){   $holdopen(this).input();
//   ...}   ;over()}   if(...)await this.waitForRunEnd();
// What comes behind the loop writes nothing more; and in run-end the wait of one call never ends once another has begun.
function inputLoop({ input }: Roles): Edit[] {
  const body = functionBody(input.method.value);
  const purpose = 'a prompt stream is open until its prompts end, or its call does';
  return [
    { at: body.start, text: `let ${OVER}=${GATE}.open();try{`, purpose },
    { at: input.node.start, text: `${OURS}{`, purpose },
    { at: input.node.end, text: `;${OVER}()}`, purpose },
    { at: body.end, text: `}finally{${OVER}()}`, purpose },
    ...atBodyStart(input.node.body, `${GATE}.input();`, 'a message is written and has no result yet'),
  ];
}

// $holdopen(this).end("endRun",()=>  this.transport.endInput()  )
function endInput({ node, method }: Site): Edit[] {
  const purpose = `${method} ends input: held while anything is outstanding`;
  const over = method === 'streamInput' ? `,${OVER}` : OURS;
  return [
    { at: node.start, text: `${GATE}.end(${JSON.stringify(method)},()=>`, purpose },
    { at: node.end, text: `${over})`, purpose },
  ];
}

// cleanup(e){   $holdopen(this).close("closed");
function cleanup(roles: Roles): Edit[] {
  const { start } = functionBody(roles.cleanup.value);
  return [{ at: start, text: `${GATE}.close("closed");`, purpose: 'closing the query ends a hold at once' }];
}

// async*readSdkMessages(){   try{   ...   }finally{$holdopen(this).close("...")}
function output(roles: Roles): Edit[] {
  const body = functionBody(roles.output.value);
  const purpose = 'a consumer that leaves ends a hold at once';
  return [
    { at: body.start, text: `${OURS}try{`, purpose },
    { at: body.end, text: `}finally{${GATE}.close("the consumer left")}`, purpose },
  ];
}

// return(e){   $holdopen(this).close("the consumer left");   return this.sdkMessages.return(e)}
// Until about 0.2.112 nothing else ends a hold there: a generator's return() waits for the frame that is awaited.
function leaving(roles: Roles): Edit[] {
  const purpose = 'a consumer that leaves by name ends a hold at once';
  return roles.class.body.body.flatMap((member) => {
    if (member.type !== 'MethodDefinition' || member.static || !isLeaving(member)) return [];
    return [{ at: functionBody(member.value).start, text: `${GATE}.close("the consumer left");`, purpose }];
  });
}

/** `return`, `throw` and `[Symbol.asyncDispose]`. */
function isLeaving({ key, computed }: MethodDefinition): boolean {
  if (!computed) return key.type === 'Identifier' && (key.name === 'return' || key.name === 'throw');
  return key.type === 'MemberExpression' && propertyName(key) === 'asyncDispose';
}

function holdInput({ input, methods }: Roles): Edit[] {
  if (methods.has('holdInput')) return [];
  const text = `holdInput(){return ${GATE}.hold()}`;
  return [{ at: input.method.end, text, purpose: 'a host may hold input itself: query.holdInput()' }];
}

// async stopTask(e){await   $holdopen(this).stop(e,   this.request({subtype:"stop_task",task_id:e})   )   }
function stopTask({ methods }: Roles): Edit[] {
  const method = methods.get('stopTask');
  const [id] = method?.value.params ?? [];
  const request = method && find(method.value.body, isOwnRequest);
  if (!request || id?.type !== 'Identifier') return [];
  const purpose = 'a task that the host stops is over when the CLI agrees';
  return [
    { at: request.start, text: `${GATE}.stop(${id.name},`, purpose },
    { at: request.end, text: `${OURS})`, purpose },
  ];
}

/** `this.request(...)` */
function isOwnRequest(node: AnyNode): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  return node.callee.object.type === 'ThisExpression' && propertyName(node.callee) === 'request';
}

// $holdopen(this,c);   if(!c.CLAUDE_CODE_ENTRYPOINT)c.CLAUDE_CODE_ENTRYPOINT="sdk-ts"
function askForState({ at, variable }: SpawnEnv): Edit[] {
  const purpose = 'asks the CLI for session state, unless the caller has set that itself';
  return [{ at, text: `${GATE_NAME}(this,${variable});`, purpose }];
}

function functionBody(node: FunctionExpression): { start: number; end: number } {
  return { start: node.body.start + 1, end: node.body.end - 1 };
}

/** A body that is a single statement gets its braces. */
function atBodyStart(body: AnyNode, text: string, purpose: string): Edit[] {
  if (body.type === 'BlockStatement') return [{ at: body.start + 1, text, purpose }];
  return [
    { at: body.start, text: `{${text}`, purpose },
    { at: body.end, text: `${OURS}}`, purpose },
  ];
}
