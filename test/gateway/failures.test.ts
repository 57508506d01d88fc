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

describe('a redirect', () => {
  it.each([
    ['https://sso.corp.example:8443/login?token=SECRET#x', 'to sso.corp.example:8443'],
    ['//user:SECRET@sso.corp.example/login', 'to sso.corp.example'],
    ['/login/SECRET', 'to HOST'],
    ['http://', 'without saying where to'],
    [undefined, 'without saying where to'],
  ])('is neither followed nor passed on: %s', async (location, where) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(302, location === undefined ? {} : { location });
      response.end('SECRET');
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door);
    expect(answer).toMatchObject({ status: 502, cut: false, headers: { 'x-should-retry': 'false' } });
    expect(JSON.stringify(answer.headers) + answer.text).not.toMatch(/SECRET|sso|location/);
    expect(upstream.requests.length).toBe(1);
    expect(door.failure).toMatchObject({ kind: 'server-error', status: 302 });
    expect(door.failure?.message.replaceAll(/[\d.]+:\d+/g, 'HOST')).toBe(
      `HOST answered 302: it redirects ${where}, and redirects are not followed`,
    );
  });
});

describe('a door with a final status of its own', () => {
  it.each([
    [401, 400, 'the model server answered 401: said 401'],
    [500, 400, 'the model server answered 500: said 500'],
    [302, 400, 'the model server answered 302: it redirects to another place'],
    [404, 404, 'said 404'],
  ])('answers %i with %i', async (status, given, message) => {
    await using upstream = await upstreamServer((response) => answerError(response, status));
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'openai', { finalStatus: 400 });
    const answer = await send(door);
    expect(answer.status).toBe(given);
    expect(JSON.parse(answer.text).error.message).toBe(message);
    expect(door.failure?.status).toBe(status);
  });

  it('keeps keys out of the words it repeats', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `Incorrect key ${KEY}` } }));
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'openai', { finalStatus: 400 });
    const answer = await send(door);
    expect(JSON.stringify(answer.headers) + answer.text).not.toContain(KEY);
    expect(answer.text).toContain('Incorrect key');
  });

  it('also says so when nobody answers', async () => {
    await using gateway = await gatewayTo('http://127.0.0.1:9', { timings: { attempts: 1 } });
    await using door = await gateway.open('t1', 'openai', { finalStatus: 400 });
    expect(await send(door)).toMatchObject({ status: 400 });
    expect(door.failure?.kind).toBe('unreachable');
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
    const answer = await send(door);
    expect(door.waitedMs).toBe(0);
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
