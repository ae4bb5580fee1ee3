import type { Source } from '../locate/source.ts';
import type { Body, Places, Span } from './places.ts';

/** Text to insert before the character at `at` of the original. Nothing is ever replaced or removed. */
export interface Edit {
  at: number;
  text: string;
  /** What it is for, as `explain` says it. */
  purpose: string;
}

/** The name that all inserted code goes through; see `scripts/build-gate.mjs`. */
const GATE_NAME = '$holdopen';
const GATE = `${GATE_NAME}(this)`;
/** Says that this call of `streamInput` is over. */
const OVER = `${GATE_NAME}_over`;
/** Makes short insertions unmistakable: where one is missing, the text behind it must not pass for it. */
const OURS = '/*holdopen*/';

/** Every edit of a bundle, in order of position. Names that an edit needs are read from the bundle itself. */
export function planEdits(source: Source, places: Places): Edit[] {
  const nameAt = ({ start, end }: Span): string => source.slice(start, end);
  const { frame, stop, env } = places;
  const edits = [
    ...readLoop(places, nameAt(frame)),
    ...request(places, nameAt(frame)),
    ...inputLoop(places),
    ...places.sites.flatMap((site) => endInput(site)),
    ...cleanup(places),
    ...output(places),
    ...leaving(places),
    ...holdInput(places),
    ...(stop ? stopTask(stop.request, nameAt(stop.id)) : []),
    ...(env ? askForState(env.at, nameAt(env.variable)) : []),
  ];
  return edits.sort((a, b) => a.at - b.at);
}

// for await(let e of this.transport.readMessages()){   if($holdopen(this).frame(e))continue;
function readLoop({ reading }: Places, frame: string): Edit[] {
  const text = `if(${GATE}.frame(${frame}))continue;`;
  return atBodyStart(reading, text, 'the gate sees every frame before the SDK does');
}

// $holdopen(this).request(e,  this.handleControlRequest(e)  )
function request(places: Places, frame: string): Edit[] {
  const purpose = 'an inbound request is unanswered until its handling settles';
  return around(places.request, `${GATE}.request(${frame},`, `${OURS})`, purpose);
}

// async streamInput(e){   let over=$holdopen(this).open();try{   ...   {   for await(let r of e){   $holdopen(this).input();
//   ...}   ;over()}   if(...)await this.waitForRunEnd();
// What comes behind the loop writes nothing more; and in run-end the wait of one call never ends once another has begun.
function inputLoop({ call, loop, prompts }: Places): Edit[] {
  const purpose = 'a prompt stream is open until its prompts end, or its call does';
  return [
    ...around(call, `let ${OVER}=${GATE}.open();try{`, `}finally{${OVER}()}`, purpose),
    ...around(loop, `${OURS}{`, `;${OVER}()}`, purpose),
    ...atBodyStart(prompts, `${GATE}.input();`, 'a message is written and has no result yet'),
  ];
}

// $holdopen(this).end("endRun",()=>  this.transport.endInput()  )
function endInput(site: Places['sites'][number]): Edit[] {
  const { method } = site;
  const purpose = `${method} ends input: held while anything is outstanding`;
  const over = method === 'streamInput' ? `,${OVER}` : OURS;
  return around(site, `${GATE}.end(${JSON.stringify(method)},()=>`, `${over})`, purpose);
}

// cleanup(e){   $holdopen(this).close("closed");
function cleanup(places: Places): Edit[] {
  const purpose = 'closing the query ends a hold at once';
  return [{ at: places.cleanup, text: `${GATE}.close("closed");`, purpose }];
}

// async*readSdkMessages(){   try{   ...   }finally{$holdopen(this).close("...")}
function output(places: Places): Edit[] {
  const purpose = 'a consumer that leaves ends a hold at once';
  return around(places.output, `${OURS}try{`, `}finally{${GATE}.close("the consumer left")}`, purpose);
}

// return(e){   $holdopen(this).close("the consumer left");   return this.sdkMessages.return(e)}
// Until about 0.2.112 nothing else ends a hold there: a generator's return() waits for the frame that is awaited.
function leaving(places: Places): Edit[] {
  const purpose = 'a consumer that leaves by name ends a hold at once';
  return places.leaving.map((at) => ({ at, text: `${GATE}.close("the consumer left");`, purpose }));
}

function holdInput({ holdInput: at }: Places): Edit[] {
  if (at === null) return [];
  const text = `holdInput(){return ${GATE}.hold()}`;
  return [{ at, text, purpose: 'a host may hold input itself: query.holdInput()' }];
}

// async stopTask(e){await   $holdopen(this).stop(e,   this.request({subtype:"stop_task",task_id:e})   )   }
function stopTask(stop: Span, id: string): Edit[] {
  const purpose = 'a task that the host stops is over when the CLI agrees';
  return around(stop, `${GATE}.stop(${id},`, `${OURS})`, purpose);
}

// $holdopen(this,c);   if(!c.CLAUDE_CODE_ENTRYPOINT)c.CLAUDE_CODE_ENTRYPOINT="sdk-ts"
function askForState(at: number, variable: string): Edit[] {
  const purpose = 'asks the CLI for session state, unless the caller has set that itself';
  return [{ at, text: `${GATE_NAME}(this,${variable});`, purpose }];
}

function around({ start, end }: Span, before: string, behind: string, purpose: string): Edit[] {
  return [
    { at: start, text: before, purpose },
    { at: end, text: behind, purpose },
  ];
}

/** A body that is a single statement gets its braces. */
function atBodyStart(body: Body, text: string, purpose: string): Edit[] {
  return body.braces ? [{ at: body.start, text, purpose }] : around(body, `{${text}`, `${OURS}}`, purpose);
}
