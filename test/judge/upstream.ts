/** A provider that answers judges as the test scripts: Messages, Responses, chat completions and Gemini, all whole. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { JudgeProvider } from '../../src/model/judgement.ts';
import { temporaryFolder } from '../helpers/folder.ts';

type Api = JudgeProvider | 'openai-chat';

export interface Asked {
  readonly api: Api | 'list';
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever is sent
  readonly body: any;
  readonly number: number;
}

export interface Said {
  readonly text?: string;
  readonly model?: string;
  /** How it ended, when not as usual. */
  readonly end?: 'length' | 'refusal';
  readonly status?: number;
  /** Sent as it is, as JSON. */
  readonly raw?: unknown;
  /** Changes the answer before it is sent. */
  readonly change?: (answer: object) => object;
  /** Changes its very text. */
  readonly rewrite?: (json: string) => string;
  readonly fault?: 'cut' | 'no-answer' | 'html';
}

export async function upstream(script: (asked: Asked) => Said) {
  const folder = await temporaryFolder();
  const socket = join(folder.path, 's.sock');
  const requests: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const text = Buffer.concat(chunks).toString();
    const asked: Asked = {
      api: apiOf(path),
      path,
      headers: request.headers,
      body: text === '' ? null : JSON.parse(text),
      number: requests.length + 1,
    };
    requests.push(asked);
    const said = script(asked);
    if (said.fault === 'no-answer') return;
    if (said.fault === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
      return;
    }
    if (said.status) {
      const error = { type: 'some_error', message: `said ${said.status}`, code: null, param: null };
      response.writeHead(said.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error }));
      return;
    }
    const value = said.raw ?? (asked.api === 'list' ? {} : WIRE[asked.api](said, asked.body));
    const changed = JSON.stringify(said.change?.(value as object) ?? value);
    const bytes = Buffer.from(said.rewrite?.(changed) ?? changed);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
    if (said.fault === 'cut') response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    else response.end(bytes);
  });
  const listening = (at: string | number) =>
    new Promise<void>((ready) => {
      if (typeof at === 'string') server.listen(at, ready);
      else server.listen(at, '127.0.0.1', ready);
    });
  return {
    requests,
    /** On loopback, for a gateway in front of it. */
    async url() {
      await listening(0);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    /** On a unix socket, in the place of a door. */
    async door() {
      await listening(socket);
      return { socket, failure: null, usage: { models: [] } };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await folder[Symbol.asyncDispose]();
    },
  };
}

function apiOf(path: string): Asked['api'] {
  if (path.includes('/chat/completions')) return 'openai-chat';
  if (path.includes('/messages')) return 'anthropic';
  if (path.includes('/responses')) return 'openai';
  return path.includes(':generateContent') ? 'google' : 'list';
}

const WIRE: Readonly<Record<Api, (said: Said, body: { tools?: unknown[]; model?: string }) => object>> = {
  anthropic: ({ text = '', model = 'claude-answering-1', end }, { tools }) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: tools
      ? [{ type: 'tool_use', id: 'toolu_1', name: 'json', input: JSON.parse(text) }]
      : [{ type: 'text', text }],
    stop_reason: end === 'length' ? 'max_tokens' : (end ?? (tools ? 'tool_use' : 'end_turn')),
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 7 },
  }),
  openai: ({ text = '', model = 'gpt-answering-1', end }) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model,
    status: end === 'length' ? 'incomplete' : 'completed',
    ...(end === 'length' && { incomplete_details: { reason: 'max_output_tokens' } }),
    output: [
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 100, output_tokens: 7, total_tokens: 107 },
  }),
  'openai-chat': ({ text = '', model = 'other-answering-1', end }) => ({
    id: 'chat_1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: end ?? 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 },
  }),
  google: ({ text = '', model = 'gemini-answering-1', end }) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text }] },
        finishReason: end === 'length' ? 'MAX_TOKENS' : end === 'refusal' ? 'SAFETY' : 'STOP',
      },
    ],
    modelVersion: model,
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 7, totalTokenCount: 107 },
  }),
};
