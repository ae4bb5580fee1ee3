// A Messages API on loopback whose replies come from a script: the model of the live tests.
import { once as onceEmitted } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from './drive.ts';

/** What the model says: texts and tool calls in one message, or an HTTP error. */
export type Reply = { blocks: Block[] } | { status: number; error: string };

export type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id?: string; name: string; input: Record<string, unknown> }
  | { type: 'launch'; id?: string; input: Record<string, unknown> };

export interface ToolResult {
  id: string;
  text: string;
  isError: boolean;
}

/** One request as a script sees it. */
export interface ModelRequest {
  /** Counts all requests, from 1. */
  n: number;
  /** `main`, the name of the agent whose prompt opens the conversation, or `side` where the model has no tools. */
  conversation: string;
  tools: string[];
  /** The text of the last user message, reminders and task news included. */
  text: string;
  /** The `<task-notification>` texts in the last user message. */
  news: string[];
  /** The tool_results in the last user message. */
  toolResults: ToolResult[];
  /** The body as it came. */
  body: Body;
}

/** What the model does with a request, given what has happened up to now (it grows while one waits). */
export type Script = (request: ModelRequest, past: readonly Entry[]) => Reply | Promise<Reply>;
export type Step = Reply | Script;

export interface ModelServer {
  url: string;
  close: () => Promise<void>;
}

interface Body {
  model?: string;
  stream?: boolean;
  tools?: { name: string }[];
  messages?: Message[];
}
interface Message {
  role: string;
  content: string | ContentBlock[];
}
interface ContentBlock {
  type: string;
  text?: string;
  tool_use_id?: string;
  is_error?: boolean;
  content?: string | ContentBlock[];
}
/** The API's own form of a block. */
interface ApiBlock {
  type: string;
  [key: string]: unknown;
}

export const say = (text: string): Reply => ({ blocks: [{ type: 'text', text }] });

export const use = (name: string, input: Record<string, unknown>, id?: string): Reply => ({
  blocks: [{ type: 'tool_use', name, input, ...(id && { id }) }],
});

/** Launches the agent whose conversation the script calls `name`. */
export function launch(name: string, options: { background?: boolean; id?: string } = {}): Reply {
  const input: Record<string, unknown> = {
    description: `agent ${name}`,
    prompt: `[[${name}]] do your work`,
    subagent_type: 'general-purpose',
    ...(options.background !== undefined && { run_in_background: options.background }),
  };
  return { blocks: [{ type: 'launch', input, ...(options.id && { id: options.id }) }] };
}

export function shell(command: string, options: { background?: boolean; id?: string } = {}): Reply {
  const input = { command, description: 'a shell', ...(options.background && { run_in_background: true }) };
  return use('Bash', input, options.id);
}

/** A tool call that needs a decision by the host: makes a file in the working directory. */
export const askFor = (file: string, id?: string): Reply =>
  shell(`touch ${file}`, id === undefined ? {} : { id });

export const fail = (status: number, error = 'api_error'): Reply => ({ status, error });

/** Several replies as one message. */
export const together = (...replies: Reply[]): Reply => ({
  blocks: replies.flatMap((reply) => ('blocks' in reply ? reply.blocks : [])),
});

/** Says `reply` as soon as something of that kind has happened, and `settle` ms have passed; `atMost` ms from now. */
export function once(
  happened: (entry: Entry) => boolean,
  reply: Reply,
  { settle = 0, atMost = 60_000 }: { settle?: number; atMost?: number } = {},
): Step {
  return async (_, past) => {
    for (const end = Date.now() + atMost; !past.some(happened) && Date.now() < end;) await sleep(10);
    await sleep(settle);
    return reply;
  };
}

/** A script that plays one list of steps per conversation and ends each with a plain text. */
export function conversations(steps: Record<string, Step[]>): Script {
  const left = new Map(Object.entries(steps).map(([name, list]) => [name, [...list]]));
  return async (request, past) => {
    const step = left.get(request.conversation)?.shift() ?? say(`nothing more from ${request.conversation}`);
    return typeof step === 'function' ? await step(request, past) : step;
  };
}

/** Listens on a free port of 127.0.0.1. `seen` gets every model request with the reply it got. */
export async function startModel(
  script: (request: ModelRequest) => Reply | Promise<Reply>,
  seen: (request: ModelRequest, reply: Reply) => void,
): Promise<ModelServer> {
  let requests = 0;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      sendError(response, 500, error instanceof Error ? error.message : 'script failed');
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '/';
    const text = await readText(request);
    if (request.method !== 'POST' || !path.startsWith('/v1/messages'))
      return sendJson(response, path === '/' ? 200 : 404, {});
    if (path.endsWith('/count_tokens')) return sendJson(response, 200, { input_tokens: 100 });
    const modelRequest = read(JSON.parse(text) as Body, ++requests);
    const reply = await script(modelRequest);
    seen(modelRequest, reply);
    if ('status' in reply) return sendError(response, reply.status, reply.error);
    const message = toMessage(modelRequest, reply.blocks);
    if (modelRequest.body.stream) sendEvents(response, message);
    else sendJson(response, 200, message);
  }

  server.listen(0, '127.0.0.1');
  await onceEmitted(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await onceEmitted(server, 'close');
    },
  };
}

function read(body: Body, n: number): ModelRequest {
  const users = (body.messages ?? [])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => blocksOf(content));
  const last = users.at(-1) ?? [];
  const tools = (body.tools ?? []).map(({ name }) => name);
  const marker = users
    .map((blocks) => /\[\[([\w-]+)\]\]/.exec(textOf(blocks))?.[1])
    .find((name) => name !== undefined);
  const text = textOf(last);
  return {
    n,
    conversation: tools.length === 0 ? 'side' : (marker ?? 'main'),
    tools,
    text,
    news: text.match(/<task-notification>[^]*?<\/task-notification>/g) ?? [],
    toolResults: last.flatMap((block) =>
      block.type === 'tool_result' && block.tool_use_id
        ? [
            {
              id: block.tool_use_id,
              text: textOf(blocksOf(block.content ?? '')),
              isError: block.is_error === true,
            },
          ]
        : [],
    ),
    body,
  };
}

const blocksOf = (content: string | ContentBlock[]): ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const textOf = (blocks: ContentBlock[]): string => blocks.map(({ text }) => text ?? '').join('\n');

function toMessage(
  request: ModelRequest,
  blocks: Block[],
): { content: ApiBlock[]; stop_reason: string; [key: string]: unknown } {
  const content = blocks.map((block, index): ApiBlock => {
    if (block.type === 'text') return { ...block };
    const { input, id = `toolu_${request.n}_${index}` } = block;
    // Called `Task` in older releases, `Agent` in newer ones.
    const launcher = request.tools.includes('Agent') ? 'Agent' : 'Task';
    return { type: 'tool_use', id, name: block.type === 'launch' ? launcher : block.name, input };
  });
  return {
    id: `msg_${request.n}`,
    type: 'message',
    role: 'assistant',
    model: request.body.model ?? 'claude',
    content,
    stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      output_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}

/** The message as server-sent events, each block in one delta. */
function sendEvents(response: ServerResponse, message: ReturnType<typeof toMessage>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of message.content.entries()) {
    const isText = block.type === 'text';
    send('content_block_start', {
      index,
      content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens: 10 },
  });
  send('message_stop', {});
  response.end();
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function sendError(response: ServerResponse, status: number, type: string): void {
  sendJson(response, status, { type: 'error', error: { type, message: `scripted ${status}` } });
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk as string;
  return text;
}
