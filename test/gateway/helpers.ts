/** Upstreams on loopback, gateways in front of them, and clients that come through a door. */
import { readFileSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Upstream } from '../../src/gateway/credentials.ts';
import { createGateway, type Door, type Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import type { Provider } from '../../src/model/usage.ts';

export const KEY = 'sk-fake-host-key-1234567890';

export const RECORDING: Readonly<Record<Provider, Buffer>> = {
  anthropic: readFileSync(new URL('recordings/anthropic.sse', import.meta.url)),
  openai: readFileSync(new URL('recordings/openai.sse', import.meta.url)),
  google: readFileSync(new URL('recordings/google.json', import.meta.url)),
};

const PATH: Readonly<Record<Provider, string>> = {
  anthropic: '/v1/messages?beta=true',
  openai: '/v1/responses',
  google: '/v1beta/models/gemini-3-pro:generateContent',
};

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The gateway closed the connection before the answer was whole. */
  cancelled: boolean;
}

type Handler = (response: ServerResponse, seen: Seen, number: number) => unknown;

export async function upstreamServer(handler: Handler) {
  const requests: Seen[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const seen: Seen = { method, url, headers, body: Buffer.concat(chunks).toString(), cancelled: false };
    response.on('close', () => {
      seen.cancelled = !response.writableFinished;
    });
    requests.push(seen);
    await handler(response, seen, requests.length);
  });
  const url = await listen(server);
  return {
    url,
    requests,
    server,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export async function listen(server: {
  listen(port: number, host: string, ready: () => void): unknown;
  address(): unknown;
}): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function upstreamAt(provider: Provider, baseUrl: string): Upstream {
  return { state: 'ready', provider, baseUrl, ...CREDENTIALS[provider] };
}

const CREDENTIALS = {
  anthropic: { source: 'ANTHROPIC_API_KEY', headers: () => ({ 'x-api-key': KEY }) },
  openai: { source: 'OPENAI_API_KEY', headers: () => ({ authorization: `Bearer ${KEY}` }) },
  google: { source: 'GEMINI_API_KEY', headers: () => ({ 'x-goog-api-key': KEY }) },
} as const;

const QUICK = { firstPauseMs: 10, maxWaitMs: 3_000 };

export function gatewayTo(url: string, options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  return createGateway({
    upstreams: {
      anthropic: upstreamAt('anthropic', url),
      openai: upstreamAt('openai', url),
      google: upstreamAt('google', url),
    },
    ...options,
    timings: { ...QUICK, ...options.timings },
  });
}

/** A gateway with a door for each provider; `requests` is what came out on the other side. */
export async function twoDoors(path = '') {
  const upstream = await upstreamServer((response) => answerStream(response));
  const gateway = await gatewayTo(upstream.url + path);
  const anthropic = await gateway.open('t1', 'anthropic');
  const openai = await gateway.open('t2', 'openai');
  const { requests } = upstream;
  return {
    requests,
    gateway,
    anthropic,
    openai,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The connection ended before the answer was whole. */
  readonly cut: boolean;
}

export interface ClientRequest {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
  readonly onData?: (chunk: Buffer) => void;
}

export function send(door: Door, options: ClientRequest = {}): Promise<Answer> {
  const { method = 'POST', path = PATH[door.provider], signal, onData } = options;
  // One that is refused before its body was read may break off instead.
  const { body = method === 'POST' ? '{"stream":true}' : '' } = options;
  return new Promise((settle, fail) => {
    const headers = { 'content-type': 'application/json', ...options.headers };
    const settings = {
      socketPath: door.socket,
      path,
      method,
      headers,
      agent: false,
      ...(signal && { signal }),
    };
    const request = httpRequest(settings, (response) => {
      const chunks: Buffer[] = [];
      const finish = () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, headers: got } = response;
        settle({ status, headers: got, body: bytes, text: bytes.toString(), cut: !response.complete });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        onData?.(chunk);
      });
      response.on('error', finish).on('end', finish);
    });
    request.on('error', fail);
    request.end(method === 'GET' ? undefined : body);
  });
}

/** What a door answers to bytes that no HTTP library would send. */
export function sendRaw(door: Door, text: string, waitMs = 300): Promise<string> {
  return new Promise((settle) => {
    const socket: Socket = connect(door.socket);
    let answer = '';
    const finish = () => {
      socket.destroy();
      settle(answer);
    };
    socket.setEncoding('latin1').on('data', (data) => {
      answer += data;
    });
    socket.on('error', finish).on('close', finish);
    socket.setTimeout(waitMs, finish);
    socket.write(text, 'latin1');
  });
}

/** Writes an answer in pieces of a size, each in a packet of its own. */
export async function writeInPieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let start = 0; start < bytes.length; start += size) {
    response.write(bytes.subarray(start, start + size));
    await new Promise((next) => setImmediate(next));
  }
  response.end();
}

export function answerStream(response: ServerResponse, provider: Provider = 'anthropic'): void {
  response.writeHead(200, {
    'content-type': provider === 'google' ? 'application/json' : 'text/event-stream',
  });
  response.end(RECORDING[provider]);
}

export function answerError(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ type: 'error', error: { type: 'some_error', message: `said ${status}` } }));
}

export async function until(condition: () => boolean, ms = 3_000): Promise<void> {
  const end = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((next) => setTimeout(next, 5));
  }
}
