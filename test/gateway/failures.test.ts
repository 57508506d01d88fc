import { describe, expect, it } from 'vitest';
import {
  answerError,
  answerStream,
  gatewayTo,
  KEY,
  RECORDING,
  send,
  until,
  upstreamServer,
} from './helpers.ts';

describe('a status that is not worth another attempt', () => {
  it.each([
    [400, 'bad-request', undefined],
    [401, 'auth', 'false'],
    [403, 'auth', 'false'],
    [404, 'bad-request', undefined],
    [413, 'bad-request', undefined],
    [422, 'bad-request', undefined],
    [501, 'server-error', 'false'],
  ])('%i is passed on at once as %s', async (status, kind, shouldRetry) => {
    await using upstream = await upstreamServer((response) => answerError(response, status, { 'x-id': '1' }));
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door);
    expect(answer).toMatchObject({ status, cut: false, headers: { 'x-id': '1' } });
    expect(answer.text).toContain(`said ${status}`);
    expect(answer.headers['x-should-retry']).toBe(shouldRetry);
    expect(upstream.requests.length).toBe(1);
    expect(door).toMatchObject({
      failure: { kind, status, message: expect.stringContaining(`said ${status}`) },
      retries: 0,
      usage: { requests: 1, inputTokens: 0 },
    });
  });

  it('says which key was refused, never what it is', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      const message = `Incorrect key ${KEY}\n or sk-fak***************7890 or eyJhbGciOi.eyJzdWIi.c2ln`;
      response.end(JSON.stringify({ error: { message } }));
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    await send(door);
    expect(door.failure?.message.replace(/^[\d.:]+/, 'HOST')).toBe(
      'HOST answered 401 (key: ANTHROPIC_API_KEY): Incorrect key [key] or [key] or [key]',
    );
  });
});

describe('a status that may pass', () => {
  it.each([
    [429, 'rate-limit'],
    [529, 'overloaded'],
    [500, 'server-error'],
    [502, 'server-error'],
    [503, 'server-error'],
    [504, 'server-error'],
  ])('%i is tried again, and when it stays it is passed on as %s', async (status, kind) => {
    await using upstream = await upstreamServer((response) => answerError(response, status));
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'openai');
    const answer = await send(door);
    expect(answer).toMatchObject({ status, headers: { 'x-should-retry': 'false' } });
    expect(answer.text).toContain(`said ${status}`);
    expect(upstream.requests.length).toBe(4);
    expect(door).toMatchObject({ failure: { kind, status }, retries: 3, usage: { requests: 1 } });
    expect(door.waitedMs).toBeGreaterThanOrEqual(60);
  });

  it.each([429, 529, 500, 503])('%i that passes leaves no failure', async (status) => {
    await using upstream = await upstreamServer((response, _, number) =>
      number < 3 ? answerError(response, status) : answerStream(response),
    );
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door, { body: '{"again":true}' });
    expect(answer).toMatchObject({ status: 200, body: RECORDING.anthropic });
    expect(upstream.requests.map(({ body }) => body)).toEqual(Array(3).fill('{"again":true}'));
    expect(door).toMatchObject({ failure: null, retries: 2, usage: { requests: 1, outputTokens: 187 } });
  });

  it('waits as long as the upstream asks', async () => {
    await using upstream = await upstreamServer((response, _, number) =>
      number === 1 ? answerError(response, 429, { 'retry-after': '1' }) : answerStream(response),
    );
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const started = performance.now();
    expect((await send(door)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(950);
    expect(door).toMatchObject({ failure: null, retries: 1 });
    expect(door.waitedMs).toBeGreaterThan(950);
  });

  it('is not waited for when the upstream asks for too long', async () => {
    await using upstream = await upstreamServer((response) =>
      answerError(response, 429, { 'retry-after': '3600', 'x-should-retry': 'true' }),
    );
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const started = performance.now();
    const answer = await send(door);
    expect(performance.now() - started).toBeLessThan(900);
    expect(answer).toMatchObject({ status: 429, headers: { 'x-should-retry': 'false' } });
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(upstream.requests.length).toBe(1);
    expect(door).toMatchObject({ failure: { kind: 'rate-limit', status: 429 }, retries: 0 });
  });
});

describe('a failure', () => {
  it('is forgotten when a later request is answered', async () => {
    await using upstream = await upstreamServer((response, _, number) =>
      number === 1 ? answerError(response, 401) : answerStream(response),
    );
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    await send(door);
    expect(door.failure?.kind).toBe('auth');
    await send(door);
    expect(door.failure).toBe(null);
  });

  it('is not forgotten because a request from before it is answered', async () => {
    let finish = () => {};
    await using upstream = await upstreamServer((response, _, number) => {
      if (number > 1) return answerError(response, 401);
      finish = () => answerStream(response);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const early = send(door);
    await until(() => upstream.requests.length === 1);
    await send(door);
    finish();
    expect((await early).status).toBe(200);
    expect(door.failure?.kind).toBe('auth');
  });

  it('to count tokens is none of the model’s', async () => {
    await using upstream = await upstreamServer((response) => answerError(response, 404));
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door, { path: '/v1/messages/count_tokens' })).status).toBe(404);
    expect(door).toMatchObject({ failure: null, usage: { requests: 0 } });
  });
});
