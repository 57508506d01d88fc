import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Provider } from '../../src/model/usage.ts';
import {
  answerStream,
  gatewayTo,
  KEY,
  RECORDING,
  send,
  until,
  upstreamServer,
  writeInPieces,
} from './helpers.ts';

const COUNTED = {
  anthropic: {
    requests: 1,
    inputTokens: 1203,
    outputTokens: 187,
    cacheReadTokens: 20_480,
    cacheWriteTokens: 512,
    models: ['claude-sonnet-5-5'],
  },
  openai: {
    requests: 1,
    inputTokens: 1028,
    outputTokens: 96,
    cacheReadTokens: 3072,
    cacheWriteTokens: 0,
    models: ['gpt-5.5-2026-04-23'],
  },
};

const CASES = (['anthropic', 'openai'] as const).flatMap((provider) =>
  [1, 7, 1000, 1_000_000].map((size) => [provider, size] as const),
);

describe('an answer', () => {
  it.each(CASES)(
    'of %s in pieces of %i bytes arrives byte for byte and is counted',
    async (provider, size) => {
      await using upstream = await upstreamServer((response) => {
        response.writeHead(200, 'Fine', {
          'content-type': 'text/event-stream; charset=utf-8',
          'request-id': 'r1',
        });
        return writeInPieces(response, RECORDING[provider], size);
      });
      await using gateway = await gatewayTo(upstream.url);
      await using door = await gateway.open('t1', provider);
      const { status, headers, body, cut } = await send(door);
      expect(body.equals(RECORDING[provider])).toBe(true);
      expect({ status, cut, id: headers['request-id'] }).toEqual({ status: 200, cut: false, id: 'r1' });
      expect(door).toMatchObject({ usage: COUNTED[provider], failure: null, retries: 0, waitedMs: 0 });
      expect(gateway.usage).toEqual(COUNTED[provider]);
    },
  );

  it.each([
    ['anthropic', { type: 'message', model: 'claude-x', usage: { input_tokens: 5, output_tokens: 2 } }],
    [
      'openai',
      {
        object: 'response',
        status: 'completed',
        model: 'gpt-x',
        usage: { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 2 },
      },
    ],
  ] as [Provider, object][])('of %s that is not a stream is counted too', async (provider, message) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(message));
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', provider);
    expect(JSON.parse((await send(door)).text)).toEqual(message);
    expect(door).toMatchObject({ usage: { requests: 1, inputTokens: 5, outputTokens: 2 }, failure: null });
    expect(door.usage.cacheReadTokens).toBe(provider === 'openai' ? 4 : 0);
  });

  it('is asked for without compression, and read when it is compressed anyway', async () => {
    const zipped = gzipSync(RECORDING.anthropic);
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(zipped);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const { body } = await send(door, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(body.equals(zipped)).toBe(true);
    expect(upstream.requests[0]?.headers['accept-encoding']).toBe('identity');
    expect(door).toMatchObject({ usage: COUNTED.anthropic, failure: null });
  });

  it('that cannot be understood passes unharmed', async () => {
    const garbage = Buffer.from(
      'data: {"type":"message_start","message":7}\n\ndata: {oops\n\ndata: null\n\n\xff\xfe',
    );
    const end = Buffer.from('data: {"type":"message_stop"}\n\n');
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(Buffer.concat([garbage, end]));
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door)).body.equals(Buffer.concat([garbage, end]))).toBe(true);
    expect(door).toMatchObject({ usage: { requests: 1, inputTokens: 0, models: [] } });
  });

  it('reaches the client while it is being made, and is counted while it runs', async () => {
    const first = RECORDING.anthropic.subarray(0, RECORDING.anthropic.indexOf('\n\n') + 2);
    let finish = () => {};
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(first);
      finish = () => response.end(RECORDING.anthropic.subarray(first.length));
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    let received = 0;
    const answer = send(door, {
      onData: (chunk) => {
        received += chunk.length;
      },
    });
    await until(() => received === first.length);
    expect(door.usage).toMatchObject({ inputTokens: 1203, outputTokens: 3 });
    finish();
    await answer;
    expect(door.usage).toMatchObject({ inputTokens: 1203, outputTokens: 187 });
  });

  it('is not read faster than the client takes it', async () => {
    const total = 64 * 1024 * 1024;
    let written = 0;
    await using upstream = await upstreamServer(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const piece = Buffer.from(`data: ${'x'.repeat(64 * 1024)}\n\n`);
      while (written < total && !response.destroyed) {
        written += piece.length;
        if (!response.write(piece)) await once(response, 'drain');
      }
      response.end('data: {"type":"message_stop"}\n\n');
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 300 } });
    await using door = await gateway.open('t1', 'anthropic');
    let resume = () => {};
    const received = new Promise<number>((settle) => {
      const call = request({ socketPath: door.socket, path: '/v1/messages', method: 'POST' }, (response) => {
        let size = 0;
        resume = () =>
          response
            .on('data', (chunk: Buffer) => {
              size += chunk.length;
            })
            .on('end', () => settle(size));
      });
      call.end('{}');
    });
    // Longer than the idle limit: a client that does not read must not look like a stalled upstream.
    await new Promise((next) => setTimeout(next, 700));
    expect(written).toBeLessThan(total / 2);
    resume();
    expect(await received).toBeGreaterThan(total);
    expect(door.failure).toBe(null);
  });
});

it('a client that does not read uses up none of the upstream’s time, also between signs of life', async () => {
  const first = RECORDING.anthropic.subarray(0, RECORDING.anthropic.indexOf('\n\n') + 2);
  await using upstream = await upstreamServer(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
    const quiet = Buffer.from(`: ${'x'.repeat(64 * 1024)}\n\n`);
    for (let count = 0; count < 128; count += 1) {
      if (!response.write(quiet)) await once(response, 'drain');
    }
    setTimeout(() => response.end(RECORDING.anthropic.subarray(first.length)), 50);
  });
  await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 1_000 } });
  await using door = await gateway.open('t1', 'anthropic');
  const call = request({ socketPath: door.socket, path: '/v1/messages', method: 'POST' });
  call.end('{}');
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  await new Promise((next) => setTimeout(next, 1_500));
  expect(door.unanswered).toBe(null);
  response.resume();
  await once(response, 'end');
  expect(response.complete).toBe(true);
  expect(door.failure).toBe(null);
});

describe('many answers at once', () => {
  it('do not mix', async () => {
    await using upstream = await upstreamServer(async (response, { body }) => {
      const { name } = JSON.parse(body) as { name: string };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const start = { type: 'message_start', message: { model: name, usage: { input_tokens: 10 } } };
      const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } };
      const text = [start, { type: 'ping', name }, end]
        .map((it) => `data: ${JSON.stringify(it)}\n\n`)
        .join('');
      await writeInPieces(response, Buffer.from(text), 5);
    });
    await using gateway = await gatewayTo(upstream.url);
    const names = Array.from({ length: 20 }, (_, index) => `model-${index}`);
    const doors = await Promise.all(names.map((name) => gateway.open(name, 'anthropic')));
    const answers = await Promise.all(
      doors.map((door) => send(door, { body: JSON.stringify({ name: door.trialId }) })),
    );
    for (const [index, name] of names.entries()) {
      expect(answers[index]?.text.match(/model-\d+/g)).toEqual([name, name]);
      expect(doors[index]?.usage).toMatchObject({
        requests: 1,
        inputTokens: 10,
        outputTokens: 3,
        models: [name],
      });
    }
    expect(gateway.usage).toMatchObject({ requests: 20, inputTokens: 200, outputTokens: 60 });
    expect(new Set(doors.map(({ socket }) => socket)).size).toBe(20);
  });

  it('can come through one door', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    await Promise.all(Array.from({ length: 20 }, () => send(door)));
    expect(door.usage).toMatchObject({ requests: 20, outputTokens: 187 * 20, models: ['claude-sonnet-5-5'] });
    expect(upstream.requests.every(({ headers }) => headers['x-api-key'] === KEY)).toBe(true);
  });
});

describe('tokens by model', () => {
  const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
  const start = (model: string | null, tokens: number) =>
    event({ type: 'message_start', message: { model, usage: { input_tokens: tokens } } });
  const end = (tokens: number) =>
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: tokens } });

  it('are kept apart in answers that run at the same time', async () => {
    await using upstream = await upstreamServer((response, { body }) => {
      const { model, size } = JSON.parse(body) as { model: string; size: number };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return writeInPieces(response, Buffer.from(start(model, size) + end(size)), 5);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    await using other = await gateway.open('t2', 'anthropic');
    const ask = (model: string, size: number) => send(door, { body: JSON.stringify({ model, size }) });
    await Promise.all([ask('big', 100), ask('small', 3), ask('big', 50), ask('__proto__', 1)]);
    expect(Object.entries(door.tokensByModel).sort()).toEqual([
      ['__proto__', 2],
      ['big', 300],
      ['small', 6],
    ]);
    expect(other.tokensByModel).toEqual({});
  });

  it('leave out what no model is named for, and miss nothing when it is named late', async () => {
    await using upstream = await upstreamServer((response, _, number) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(start(null, 40) + (number === 1 ? '' : start('late', 40)) + end(2));
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    await send(door);
    expect(door.tokensByModel).toEqual({});
    await send(door);
    expect(door).toMatchObject({ tokensByModel: { late: 42 }, usage: { inputTokens: 80, outputTokens: 4 } });
  });
});
