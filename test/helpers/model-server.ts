/** A model that says what the test scripts: Anthropic Messages and OpenAI Responses, streaming, on loopback. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Turn {
  readonly text?: string;
  readonly tools?: readonly ToolCall[];
  /** Answer with an error instead. */
  readonly status?: number;
  /** Of that error. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** After the first event: hang, or cut the connection. */
  readonly fault?: 'stall' | 'cut' | 'no-answer';
  /** Answers by itself, also with what is no answer; gets the events that would have been sent. */
  readonly raw?: (response: ServerResponse, events: readonly string[]) => void;
  readonly delayMs?: number;
  /** Named as the one that answered; else the one that was asked for. */
  readonly model?: string;
  /** Anthropic: why the model stopped, when not as usual. */
  readonly stopReason?: string;
}

export interface ToolCall {
  readonly name: string;
  readonly input?: object;
  /** OpenAI: tools of sub-agents and MCP servers have one. */
  readonly namespace?: string;
  /** OpenAI: a tool that takes text instead of an object. */
  readonly custom?: string;
}

export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the CLIs send
  readonly body: any;
  /** Assistant turns so far in this conversation. */
  readonly turn: number;
}

/** The turns of a conversation, or a function that chooses by request. The last turn repeats. */
export type Script = readonly Turn[] | ((request: ModelRequest) => Turn | Promise<Turn>);

export const INPUT_TOKENS = 100;
export const OUTPUT_TOKENS = 7;

export interface ModelServerOptions {
  /** Listen there instead of on a loopback port. */
  readonly socket?: string;
  /** What a judge says, when the server is asked as one. */
  readonly judge?: (request: ModelRequest) => Turn | Promise<Turn>;
}

/** Newest first by date, not by place. */
const MODEL_LIST = [
  { id: 'claude-opus-4-6', created_at: '2026-02-01T00:00:00Z', created: 1_769_904_000 },
  { id: 'claude-sonnet-4-5', created_at: '2025-09-29T00:00:00Z', created: 1_759_104_000 },
  { id: 'claude-sonnet-5-5', created_at: '2026-09-01T00:00:00Z', created: 1_788_220_800 },
  { id: 'gpt-5.4', created_at: '2026-03-01T00:00:00Z', created: 1_772_323_200 },
];

export async function modelServer(script: Script, { socket, judge }: ModelServerOptions = {}) {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = text ? JSON.parse(text) : {};
    const path = request.url ?? '';
    if (request.method === 'GET' && /^\/v1\/models(\?|$)/.test(path)) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: MODEL_LIST }));
      return;
    }
    const isAnthropic = path.includes('/messages');
    const turn = isAnthropic ? anthropicTurn(body) : openaiTurn(body);
    const seen: ModelRequest = { path, headers: request.headers, body, turn };
    requests.push(seen);
    const answer =
      judge && isJudge(body)
        ? await judge(seen)
        : typeof script === 'function'
          ? await script(seen)
          : (script[Math.min(turn, script.length - 1)] ?? {});
    if (answer.delayMs) await new Promise((resume) => setTimeout(resume, answer.delayMs));
    await reply(
      response,
      isAnthropic ? anthropicEvents(answer, body) : openaiEvents(answer, body),
      answer,
      body,
      isAnthropic,
    );
  });
  await new Promise<void>((ready) => {
    if (socket === undefined) server.listen(0, '127.0.0.1', ready);
    else server.listen(socket, ready);
  });
  const url = socket ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

type SseEvent = { readonly type: string } & Record<string, unknown>;

async function reply(
  response: ServerResponse,
  events: readonly SseEvent[],
  answer: Turn,
  body: { stream?: boolean; model?: string },
  isAnthropic: boolean,
): Promise<void> {
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  if (answer.raw) return answer.raw(response, lines);
  if (answer.fault === 'no-answer') return;
  if (answer.status) {
    const type =
      { 401: 'authentication_error', 429: 'rate_limit_error', 529: 'overloaded_error' }[answer.status] ??
      'api_error';
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(
      JSON.stringify({
        type: 'error',
        error: { type, message: answer.message ?? `scripted ${answer.status}` },
      }),
    );
    return;
  }
  if (body.stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const whole = isAnthropic ? anthropicMessage(answer, body) : events.at(-1)?.['response'];
    const text = JSON.stringify(whole);
    if (answer.fault === 'cut') response.write(text.slice(0, 20), () => response.destroy());
    else response.end(text);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...answer.headers });
  if (answer.fault) {
    response.write(lines[0] ?? '');
    if (answer.fault === 'cut') setTimeout(() => response.destroy(), 50);
    return;
  }
  response.end(lines.join(''));
}

function anthropicTurn(body: { messages?: { role: string }[] }): number {
  return (body.messages ?? []).filter((message) => message.role === 'assistant').length;
}

function anthropicContent(answer: Turn) {
  const id = () => `toolu_${Math.random().toString(36).slice(2, 12)}`;
  return [
    ...(answer.text === undefined ? [] : [{ type: 'text' as const, text: answer.text }]),
    ...(answer.tools ?? []).map(({ name, input = {} }) => ({
      type: 'tool_use' as const,
      id: id(),
      name,
      input,
    })),
  ];
}

function anthropicMessage(answer: Turn, body: { model?: string }) {
  return {
    id: `msg_${Math.random().toString(36).slice(2, 12)}`,
    type: 'message',
    role: 'assistant',
    model: answer.model ?? body.model ?? 'scripted',
    content: anthropicContent(answer),
    stop_reason: answer.stopReason ?? (answer.tools?.length ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: INPUT_TOKENS,
      output_tokens: OUTPUT_TOKENS,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    },
  };
}

function anthropicEvents(answer: Turn, body: { model?: string }): SseEvent[] {
  const message = anthropicMessage(answer, body);
  const blocks = message.content.flatMap((block, index): SseEvent[] => {
    const start = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
    const delta =
      block.type === 'text'
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    return [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ];
  });
  return [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
    },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: OUTPUT_TOKENS },
    },
    { type: 'message_stop' },
  ];
}

/** The template of aam's judge begins like this. */
function isJudge(body: object): boolean {
  return JSON.stringify(body).includes('You are an examiner.');
}

/** What the model said in one turn stands together in the next request. */
function openaiTurn(body: { input?: { type?: string; role?: string }[] }): number {
  const items = Array.isArray(body.input) ? body.input : [];
  const isModels = (item: { type?: string; role?: string } | undefined) =>
    item?.role === 'assistant' || item?.type?.endsWith('_call') === true;
  return items.filter((item, index) => isModels(item) && !isModels(items[index - 1])).length;
}

function openaiEvents(answer: Turn, body: { model?: string }): SseEvent[] {
  const id = `resp_${Math.random().toString(36).slice(2, 12)}`;
  const items = [
    ...(answer.text === undefined
      ? []
      : [
          {
            type: 'message',
            role: 'assistant',
            id: `msg_${id}`,
            content: [{ type: 'output_text', text: answer.text }],
          },
        ]),
    ...(answer.tools ?? []).map(({ name, input = {}, namespace, custom }, index) => ({
      type: custom === undefined ? 'function_call' : 'custom_tool_call',
      id: `fc_${id}_${index}`,
      call_id: `call_${id}_${index}`,
      name,
      ...(namespace && { namespace }),
      ...(custom === undefined ? { arguments: JSON.stringify(input) } : { input: custom }),
    })),
  ];
  const usage = {
    input_tokens: INPUT_TOKENS,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: OUTPUT_TOKENS,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: INPUT_TOKENS + OUTPUT_TOKENS,
  };
  return [
    { type: 'response.created', response: { id, model: body.model ?? 'scripted' } },
    ...items.flatMap((item, index): SseEvent[] => [
      { type: 'response.output_item.added', output_index: index, item },
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    {
      type: 'response.completed',
      response: {
        id,
        object: 'response',
        created_at: 1_772_323_200,
        model: body.model ?? 'scripted',
        status: 'completed',
        output: items.map((item) => ('content' in item ? withAnnotations(item) : item)),
        usage,
      },
    },
  ];
}

function withAnnotations(item: { content: readonly object[] }) {
  return { ...item, content: item.content.map((part) => ({ ...part, annotations: [] })) };
}

/** A judge's verdicts in the form that the one who asks understands. */
export function verdicts(request: ModelRequest, criteria: readonly object[]): Turn {
  const tools: readonly { name?: string }[] = request.body.tools ?? [];
  if (tools.some(({ name }) => name === 'StructuredOutput'))
    return { tools: [{ name: 'StructuredOutput', input: { criteria } }] };
  return { text: JSON.stringify({ criteria }) };
}
