import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  answerError,
  answerStream,
  gatewayTo,
  KEY,
  listen,
  RECORDING,
  send,
  until,
  upstreamServer,
} from './helpers.ts';

const FIRST_EVENT = RECORDING.anthropic.subarray(0, RECORDING.anthropic.indexOf('\n\n') + 2);

describe('an upstream that cannot be reached', () => {
  it('is tried again, then told', async () => {
    const free = createTcpServer();
    const url = await listen(free);
    await new Promise((done) => free.close(done));
    await using gateway = await gatewayTo(url);
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door);
    expect(answer).toMatchObject({ status: 502, headers: { 'x-should-retry': 'false' } });
    expect(answer.text).not.toContain('127.0.0.1');
    expect(door).toMatchObject({ retries: 3, usage: { requests: 0 } });
    expect(door.failure).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('that has no address, or resets every connection', async () => {
    const server = createTcpServer((socket) => socket.on('data', () => socket.resetAndDestroy()));
    const url = await listen(server);
    for (const [base, code] of [
      [url, /ECONNRESET/],
      ['http://nowhere.invalid', /ENOTFOUND|EAI_AGAIN/],
    ] as const) {
      await using gateway = await gatewayTo(base, { timings: { attempts: 2 } });
      await using door = await gateway.open('t1', 'anthropic');
      expect((await send(door)).status).toBe(502);
      expect(door.failure).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(code) });
    }
    server.close();
  });

  it('that comes back is no failure', async () => {
    await using upstream = await upstreamServer((response, _, number) =>
      number === 1 ? response.socket?.resetAndDestroy() : answerStream(response),
    );
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door)).status).toBe(200);
    expect(door).toMatchObject({ failure: null, retries: 1 });
  });

  it('that dropped a kept connection costs nothing', async () => {
    const used = new Set<unknown>();
    await using upstream = await upstreamServer((response) => {
      if (used.has(response.socket)) return response.socket?.resetAndDestroy();
      used.add(response.socket);
      answerStream(response);
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { attempts: 1 } });
    await using door = await gateway.open('t1', 'anthropic');
    await send(door);
    expect((await send(door)).status).toBe(200);
    expect(upstream.requests.length).toBe(3);
    expect(door).toMatchObject({ failure: null, retries: 0 });
  });

  it('is spoken to with TLS when its URL says so: no key crosses the wire in the open', async () => {
    let bytes = Buffer.alloc(0);
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
    const url = (await listen(server)).replace('http:', 'https:');
    await using gateway = await gatewayTo(url, { timings: { attempts: 1 } });
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door)).status).toBe(502);
    expect(door.failure?.kind).toBe('unreachable');
    expect(bytes[0]).toBe(0x16);
    expect(bytes.includes(KEY)).toBe(false);
    server.close();
  });
});

describe('an upstream that falls silent', () => {
  it('before its answer: 504', async () => {
    await using upstream = await upstreamServer(() => {});
    await using gateway = await gatewayTo(upstream.url, { timings: { headerMs: 150 } });
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door);
    expect(answer).toMatchObject({ status: 504, headers: { 'x-should-retry': 'false' } });
    expect(JSON.parse(answer.text).error.type).toBe('timeout_error');
    expect(door).toMatchObject({ failure: { kind: 'stalled', status: null }, retries: 0 });
    await until(() => upstream.requests[0]?.cancelled === true);
  });

  it('in the middle: the client’s connection ends, nothing is made up', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(FIRST_EVENT);
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 150 } });
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door);
    expect(answer).toMatchObject({ status: 200, cut: true, body: FIRST_EVENT });
    expect(door).toMatchObject({ failure: { kind: 'stalled' }, usage: { inputTokens: 1203 } });
    await until(() => upstream.requests[0]?.cancelled === true);
  });

  it.each([
    ['comments', ': alive\n\n'],
    ['pings', 'event: ping\ndata: {"type": "ping"}\n\n'],
    ['pings with other ends of lines', 'event:ping\r\ndata: {"type": "ping"}\r\n\r\n'],
  ])('and sends only %s has stalled', async (_, beat) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(FIRST_EVENT);
      const timer = setInterval(() => response.write(beat), 20);
      response.on('close', () => clearInterval(timer));
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 10_000, thinkingMs: 200 } });
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door);
    expect(answer.cut).toBe(true);
    expect(answer.text).toContain(FIRST_EVENT + beat + beat);
    expect(door.failure?.kind).toBe('stalled');
  });

  it('but thinks, with signs of life, has not stalled', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write('event: ping\ndata: {"type": "ping"}\n\n'), 20);
      setTimeout(() => {
        clearInterval(timer);
        response.end(RECORDING.anthropic);
      }, 500);
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 250 } });
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door)).cut).toBe(false);
    expect(door.failure).toBe(null);
  });

  it('but goes on with its events, one byte at a time, has not stalled', async () => {
    await using upstream = await upstreamServer(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of RECORDING.anthropic.subarray(0, 60)) {
        response.write(Buffer.of(byte));
        await new Promise((next) => setTimeout(next, 15));
      }
      response.end(RECORDING.anthropic.subarray(60));
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 500 } });
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door)).body).toEqual(RECORDING.anthropic);
    expect(door.failure).toBe(null);
  });
});

describe('an answer that breaks off', () => {
  it.each([
    ['with its connection', (cut: () => void) => cut()],
    ['in good order, but without its last event', (_: () => void, end: () => void) => end()],
  ])('%s is cut-off', async (_, how) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(FIRST_EVENT);
      setTimeout(
        () =>
          how(
            () => response.destroy(),
            () => response.end(),
          ),
        30,
      );
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door)).body).toEqual(FIRST_EVENT);
    expect(upstream.requests.length).toBe(1);
    expect(door).toMatchObject({ failure: { kind: 'cut-off' }, retries: 0 });
  });

  it('before the announced length is cut-off', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"type":"message"');
      setTimeout(() => response.destroy(), 30);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door)).cut).toBe(true);
    expect(door.failure?.kind).toBe('cut-off');
  });
});

describe('a good status with a bad answer', () => {
  const sse = (event: object) => ({ type: 'text/event-stream', body: `data: ${JSON.stringify(event)}\n\n` });
  it.each([
    ['anthropic', 'overloaded', sse({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } })],
    ['anthropic', 'server-error', sse({ type: 'error', error: { type: 'constructor', message: 'x' } })],
    [
      'openai',
      'rate-limit',
      sse({ type: 'response.failed', response: { error: { code: 'rate_limit_exceeded' } } }),
    ],
    ['openai', 'server-error', sse({ type: 'error', code: 'server_error', message: 'x' })],
    ['anthropic', 'server-error', { type: 'text/html', body: '<h1>Log in</h1>' }],
    ['openai', 'server-error', { type: 'application/json', body: '{"ok":true}' }],
  ] as const)('of %s is a failure: %s', async (provider, kind, { type, body }) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(body);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', provider);
    expect(await send(door)).toMatchObject({ status: 200, cut: false, text: body });
    expect(door.failure?.kind).toBe(kind);
  });
});

describe('a client that goes away', () => {
  it('ends its request at the upstream, and is no failure', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(FIRST_EVENT);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const client = new AbortController();
    const answer = send(door, { signal: client.signal, onData: () => client.abort() });
    await answer.catch(() => {});
    await until(() => upstream.requests[0]?.cancelled === true);
    expect(door).toMatchObject({ failure: null, usage: { inputTokens: 1203 } });
  });

  it('is not waited for in a pause', async () => {
    await using upstream = await upstreamServer((response) => answerError(response, 429));
    await using gateway = await gatewayTo(upstream.url, { timings: { firstPauseMs: 200 } });
    await using door = await gateway.open('t1', 'anthropic');
    const client = new AbortController();
    const answer = expect(send(door, { signal: client.signal })).rejects.toThrow();
    await until(() => upstream.requests.length === 1);
    client.abort();
    await answer;
    await new Promise((next) => setTimeout(next, 400));
    expect(upstream.requests.length).toBe(1);
    expect(door).toMatchObject({ failure: null, retries: 0 });
  });
});
