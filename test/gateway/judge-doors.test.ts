/** What a judge needs beyond what agents use. */
import { describe, expect, it } from 'vitest';
import type { DoorSettings } from '../../src/gateway/gateway.ts';
import type { Provider } from '../../src/model/usage.ts';
import { answerError, answerStream, gatewayTo, KEY, send, upstreamServer } from './helpers.ts';

const ROUTES: [Provider, DoorSettings, string, string, string][] = [
  ['anthropic', { listModels: true }, 'GET', '/v1/models', '/v1/models'],
  [
    'anthropic',
    { listModels: true },
    'GET',
    '/v1/models?limit=100&after_id=m-1',
    '/v1/models?limit=100&after_id=m-1',
  ],
  ['openai', { listModels: true }, 'GET', '/v1/models', '/models'],
  ['openai', { listModels: true }, 'GET', '/models', '/models'],
  ['openai', { chat: true }, 'POST', '/v1/chat/completions', '/chat/completions'],
];

it('may wait longer than others for a model that asks for it', async () => {
  await using upstream = await upstreamServer((response, _, number) =>
    number % 2 === 1 ? answerError(response, 429, { 'retry-after-ms': '300' }) : answerStream(response),
  );
  await using gateway = await gatewayTo(upstream.url, { timings: { maxWaitMs: 100 } });
  await using hasty = await gateway.open('t1', 'anthropic');
  expect(await send(hasty)).toMatchObject({ status: 429 });
  await send(hasty);
  await using patient = await gateway.open('t2', 'anthropic', { timings: { maxWaitMs: 5_000 } });
  expect(await send(patient)).toMatchObject({ status: 200 });
});

describe('a door that is opened for it', () => {
  it.each(ROUTES)(
    'of %s with %j lets %s %s through; others do not',
    async (provider, settings, method, path, at) => {
      await using upstream = await upstreamServer((response) => response.end('{"data":[]}'));
      await using gateway = await gatewayTo(`${upstream.url}/base`);
      await using closed = await gateway.open('t1', provider);
      await using other = await gateway.open(
        't2',
        provider,
        settings.chat ? { listModels: true } : { chat: true },
      );
      for (const door of [closed, other]) expect((await send(door, { method, path })).status).toBe(404);
      expect(upstream.requests).toEqual([]);
      await using door = await gateway.open('t3', provider, settings);
      expect(await send(door, { method, path })).toMatchObject({ status: 200, text: '{"data":[]}' });
      expect(upstream.requests.map((it) => `${it.method} ${it.url}`)).toEqual([`${method} /base${at}`]);
      const { headers, body } = upstream.requests[0] ?? {};
      expect(headers?.[provider === 'anthropic' ? 'x-api-key' : 'authorization']).toContain(KEY);
      expect([body, headers?.['content-length']]).toEqual(
        method === 'GET' ? ['', undefined] : [expect.anything(), '15'],
      );
    },
  );

  it.each([
    ['anthropic', 'POST', '/v1/models', 405],
    ['anthropic', 'GET', '/v1/models/claude-x', 404],
    ['anthropic', 'GET', '/v1/models?key=1', 404],
    ['anthropic', 'GET', '/v1/models?limit=1&x=2', 404],
    ['anthropic', 'GET', '/v1/models?limit=%2e', 404],
    ['anthropic', 'POST', '/v1/chat/completions', 404],
    ['openai', 'GET', '/models?limit=1', 404],
    ['openai', 'GET', '/v1/chat/completions', 405],
    ['openai', 'DELETE', '/v1/models', 405],
    ['google', 'GET', '/v1beta/models', 404],
    ['google', 'GET', '/v1beta/models/gemini-3-pro:generateContent', 405],
    ['google', 'POST', '/v1beta/models/gemini-3-pro:streamGenerateContent', 404],
    ['google', 'POST', '/v1beta/models/gemini-3-pro:generateContent?key=own', 404],
    ['google', 'POST', '/v1beta/models/../files:generateContent', 404],
    ['google', 'POST', '/v1beta/models/a%2fb:generateContent', 404],
    ['google', 'POST', '/v1beta/models/:generateContent', 404],
    ['google', 'POST', '/v1beta/tunedModels/x:generateContent', 404],
  ] as const)('of %s still refuses %s %s', async (provider, method, path, status) => {
    await using upstream = await upstreamServer((response) => response.end());
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', provider, { listModels: true, chat: true });
    expect((await send(door, { method, path })).status).toBe(status);
    expect(upstream.requests).toEqual([]);
  });

  it('does not count a list of models, nor take its failure for the model’s', async () => {
    await using upstream = await upstreamServer((response) => answerError(response, 403));
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic', { listModels: true });
    expect((await send(door, { method: 'GET', path: '/v1/models' })).status).toBe(403);
    expect(door).toMatchObject({ failure: null, usage: { requests: 0 } });
  });
});

describe('a chat', () => {
  const usage = { prompt_tokens: 50, prompt_tokens_details: { cached_tokens: 8 }, completion_tokens: 6 };
  const chunk = (more: object) =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'm-1', ...more })}\n\n`;
  const ANSWERS = {
    JSON: {
      type: 'application/json',
      body: JSON.stringify({
        object: 'chat.completion',
        model: 'm-1',
        choices: [{ finish_reason: 'stop' }],
        usage,
      }),
    },
    'a stream': {
      type: 'text/event-stream',
      body: `${chunk({ choices: [{ delta: { content: 'a' }, finish_reason: null }], usage: null })}${chunk({
        choices: [{ delta: {}, finish_reason: 'stop' }],
      })}${chunk({ choices: [], usage })}data: [DONE]\n\n`,
    },
  };

  async function chatWith(type: string, body: string) {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(body);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'openai', { chat: true });
    expect(await send(door, { path: '/v1/chat/completions' })).toMatchObject({ status: 200, text: body });
    return door;
  }

  it.each(Object.entries(ANSWERS))('is counted in %s', async (_, { type, body }) => {
    const door = await chatWith(type, body);
    expect(door).toMatchObject({
      failure: null,
      usage: { requests: 1, inputTokens: 42, outputTokens: 6, cacheReadTokens: 8, models: ['m-1'] },
      tokensByModel: { 'm-1': 56 },
    });
  });

  it.each([
    ['breaks off', 'cut-off', chunk({ choices: [{ delta: { content: 'a' } }] })],
    ['fails', 'rate-limit', 'data: {"error":{"code":"rate_limit_exceeded","message":"slow down"}}\n\n'],
  ])('that %s is a failure of the model', async (_, kind, body) => {
    expect((await chatWith('text/event-stream', body)).failure?.kind).toBe(kind);
  });
});

describe('Google', () => {
  it('is asked with its key, and counted', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response, 'google'));
    await using gateway = await gatewayTo(`${upstream.url}/v1beta`);
    await using door = await gateway.open('t1', 'google');
    expect((await send(door, { headers: { 'x-goog-api-key': 'own' } })).status).toBe(200);
    expect(upstream.requests[0]).toMatchObject({
      url: '/v1beta/models/gemini-3-pro:generateContent',
      headers: { 'x-goog-api-key': KEY },
    });
    expect(door).toMatchObject({
      failure: null,
      usage: {
        requests: 1,
        inputTokens: 400,
        outputTokens: 40,
        cacheReadTokens: 20,
        models: ['gemini-3-pro'],
      },
      tokensByModel: { 'gemini-3-pro': 460 },
    });
  });

  it.each([
    [429, { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED' } }, 'rate-limit', /quota/],
    [200, { error: { code: 500, message: 'broken', status: 'INTERNAL' } }, 'server-error', /broken/],
    [200, { data: [] }, 'server-error', /not the answer of a model/],
  ])('that answers %i with %j has failed', async (status, body, kind, message) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { attempts: 1 } });
    await using door = await gateway.open('t1', 'google');
    await send(door);
    expect(door.failure).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  it('that blocks a prompt has answered', async () => {
    await using upstream = await upstreamServer((response) => {
      response.end('{"promptFeedback":{"blockReason":"SAFETY"}}');
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'google');
    expect((await send(door)).status).toBe(200);
    expect(door.failure).toBe(null);
  });

  it('is refused in its own shape', async () => {
    await using gateway = await gatewayTo('http://127.0.0.1:1');
    await using door = await gateway.open('t1', 'google');
    const { text } = await send(door, { body: '{' });
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 400,
        message: 'the body of the request is not a JSON object',
        status: 'INVALID_REQUEST_ERROR',
      },
    });
  });
});
