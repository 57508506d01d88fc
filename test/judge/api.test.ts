/** Judges by API: each provider's wire format, each way of failing, all through a socket. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JudgeTransport, judgeCase } from '../../src/judge/judge.ts';
import { listModels } from '../../src/judge/model-list.ts';
import { createApiTransport } from '../../src/judge/transports/api.ts';
import type { JudgeProvider } from '../../src/model/judgement.ts';
import { gatewayTo } from '../gateway/helpers.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { answer, GOOD, never, QUESTION } from './helpers.ts';
import { type Asked, type Said, upstream } from './upstream.ts';

const TEXT = JSON.stringify(GOOD);
const MODELS: Readonly<Record<JudgeProvider, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-5.5',
  google: 'gemini-2.5-pro',
};
const judge = (transport: JudgeTransport, votes = 1, signal = never) =>
  judgeCase(QUESTION, transport, { votes, signal });

/** The real gateway in front of a scripted provider. */
async function throughGateway(provider: 'anthropic' | 'openai', script: (asked: Asked) => Said) {
  const server = await upstream(script);
  const gateway = await gatewayTo(await server.url(), { timings: { maxWaitMs: 200, headerMs: 500 } });
  const door = await gateway.open('judge', provider);
  const transport = createApiTransport({ provider, model: MODELS[provider], door });
  return {
    door,
    transport,
    requests: server.requests,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe.each(['anthropic', 'openai'] as const)('%s, through the gateway', (provider) => {
  it('gets a verdict in one request, which the gateway counts', async () => {
    await using it = await throughGateway(provider, () => ({ text: TEXT }));
    const judgement = await judge(it.transport);
    const answering = provider === 'anthropic' ? 'claude-answering-1' : 'gpt-answering-1';
    expect(judgement).toMatchObject({
      result: 'PASS',
      model: answering,
      provider,
      transport: 'api',
      attempts: 1,
    });
    expect(it.door).toMatchObject({
      failure: null,
      usage: { requests: 1, inputTokens: 100, outputTokens: 7, models: [answering] },
    });
    expect(it.requests).toHaveLength(1);
    const sent = JSON.stringify(it.requests[0]?.body);
    expect(it.requests[0]?.body).toMatchObject({ model: MODELS[provider] });
    expect(sent).toContain('"additionalProperties":false');
    expect(sent).toContain('You are an examiner');
    expect(sent).toContain('The greeting is written to hello.txt.');
    expect(sent).not.toContain('"temperature"');
  });

  it('takes FAIL for FAIL', async () => {
    await using it = await throughGateway(provider, () => ({ text: JSON.stringify(answer('FAIL')) }));
    expect(await judge(it.transport)).toMatchObject({ result: 'FAIL', error: null });
  });

  it('asks again after prose, with what was wrong', async () => {
    await using it = await throughGateway(provider, ({ number }) => ({
      text: number === 1 ? 'I think all is well: PASS.' : TEXT,
    }));
    expect(await judge(it.transport)).toMatchObject({ result: 'PASS', attempts: 2 });
    expect(JSON.stringify(it.requests[1]?.body)).toContain('- the answer is not JSON');
  });

  it.each<[string, Said, string]>([
    ['prose', { text: 'PASS' }, 'judge-unusable'],
    ['JSON of another form', { text: '{"verdict":"PASS"}' }, 'judge-unusable'],
    ['an answer that is too long', { text: TEXT, end: 'length' }, 'judge-unusable'],
    ['401', { status: 401 }, 'model-auth'],
    ['403', { status: 403 }, 'model-auth'],
    ['404', { status: 404 }, 'model-bad-request'],
    ['400', { status: 400 }, 'model-bad-request'],
    ['429', { status: 429 }, 'model-rate-limit'],
    ['500', { status: 500 }, 'model-server-error'],
    ['503', { status: 503 }, 'model-server-error'],
    ['529', { status: 529 }, 'model-overloaded'],
    ['a web page', { fault: 'html' }, 'model-server-error'],
    ['another document', { raw: { hello: 'world' } }, 'model-server-error'],
    ['half an answer', { text: TEXT, fault: 'cut' }, 'model-cut-off'],
    ['silence', { fault: 'no-answer' }, 'model-stalled'],
  ])('leaves the case undecided on %s', async (_, said, errorKind) => {
    await using it = await throughGateway(provider, () => said);
    const judgement = await judge(it.transport);
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind });
    expect(judgement.criteria.map(({ result }) => result)).toEqual(['SKIP', 'SKIP']);
    expect(judgement.error).not.toBe('');
  });

  it('lets one vote fail and the others decide', async () => {
    await using it = await throughGateway(provider, ({ number }) =>
      number === 1 ? { status: 400 } : { text: TEXT },
    );
    const judgement = await judge(it.transport, 3);
    expect(judgement).toMatchObject({ result: 'PASS', criteria: [{ agreement: 2 / 3 }, {}] });
    expect(judgement.votes.map(({ state }) => state).toSorted()).toEqual(['cast', 'cast', 'failed']);
  });

  it('stops when the run is interrupted', async () => {
    const run = new AbortController();
    await using it = await throughGateway(provider, () => {
      run.abort();
      return { fault: 'no-answer' };
    });
    expect(await judge(it.transport, 1, run.signal)).toMatchObject({
      result: 'SKIP',
      errorKind: 'interrupted',
    });
  });
});

describe('an answer that is not whole decides nothing, whatever it says', () => {
  const part = { type: 'message', role: 'assistant', id: 'msg_1' };
  const refusal = { output: [{ ...part, content: [{ type: 'refusal', refusal: 'I will not' }] }] };
  it.each<['anthropic' | 'openai', object, string]>([
    ['anthropic', { stop_reason: 'max_tokens' }, 'longer than it may be'],
    ['anthropic', { stop_reason: 'pause_turn' }, 'did not come to its end (pause_turn)'],
    ['anthropic', { stop_reason: 'model_context_window_exceeded' }, 'context window'],
    ['anthropic', { stop_reason: 'tool_use' }, 'did not come to its end (tool_use)'],
    ['anthropic', { stop_reason: 'refusal' }, 'refused to answer'],
    ['anthropic', { stop_reason: null }, 'did not come to its end (null)'],
    ['openai', { status: 'failed' }, 'did not come to its end (failed)'],
    ['openai', { status: 'in_progress' }, 'did not come to its end (in_progress)'],
    ['openai', { status: 'incomplete' }, 'did not come to its end (incomplete)'],
    ['openai', { status: null }, 'did not come to its end (null)'],
    ['openai', { status: undefined }, 'did not come to its end (undefined)'],
    [
      'openai',
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      'longer than it may be',
    ],
    ['openai', refusal, 'refused to answer'],
  ])('%s %j', async (provider, change, why) => {
    await using it = await throughGateway(provider, () => ({
      text: TEXT,
      change: (whole) => ({ ...whole, ...change }),
    }));
    const judgement = await judge(it.transport);
    expect(judgement).toMatchObject({ result: 'SKIP' });
    if (judgement.errorKind === 'judge-unusable') expect(judgement.error).toContain(why);
    else expect(judgement.errorKind).toMatch(/^model-(cut-off|server-error)$/);
  });

  it.each<[string, object]>([
    ['finish_reason', { finish_reason: null }],
    ['finish_reason', { finish_reason: 'length' }],
    ['refusal', { message: { role: 'assistant', content: TEXT, refusal: 'I will not' } }],
  ])('chat completions: %s', async (_, change) => {
    await using server = await upstream(() => ({
      text: TEXT,
      change: (whole) => ({
        ...whole,
        choices: (whole as { choices: object[] }).choices.map((it) => ({ ...it, ...change })),
      }),
    }));
    const door = await server.door();
    const options = { provider: 'openai', model: 'house-model', door, chat: { isNeeded: true } } as const;
    expect(await judge(createApiTransport(options))).toMatchObject({
      result: 'SKIP',
      errorKind: 'judge-unusable',
    });
  });

  it.each(['anthropic', 'openai'] as const)('%s: says something twice', async (provider) => {
    const twice = TEXT.replace('"verdict":"PASS"', '"verdict":"FAIL","verdict":"PASS"');
    await using it = await throughGateway(provider, () => ({ text: twice }));
    expect(await judge(it.transport)).toMatchObject({
      result: 'SKIP',
      errorKind: 'judge-unusable',
      error: expect.stringContaining('has the key "verdict" twice'),
    });
  });

  it('says something twice in the call of a tool', async () => {
    await using it = await throughGateway('anthropic', () => ({
      text: TEXT,
      rewrite: (json) => json.replace('"verdict":"PASS"', '"verdict":"FAIL","verdict":"PASS"'),
    }));
    const { door } = it;
    const older = createApiTransport({ provider: 'anthropic', model: 'house-model', door });
    const judgement = await judge(older);
    expect(it.requests[0]?.body.tools).toHaveLength(1);
    expect(judgement).toMatchObject({ result: 'SKIP', error: expect.stringContaining('"verdict" twice') });
  });

  it('is nested without end, or without measure', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const [text, why] of [
      [deep, 'nested too deeply'],
      ['x'.repeat(17 * 1024 * 1024), 'longer than 16777216 bytes'],
    ] as const) {
      await using server = await upstream(() => ({ text }));
      const door = await server.door();
      const transport = createApiTransport({ provider: 'openai', model: 'gpt-5.5', door });
      const judgement = await judgeCase(QUESTION, transport, { votes: 1, attempts: 1, signal: never });
      expect(judgement).toMatchObject({ result: 'SKIP', errorKind: 'judge-unusable' });
      expect(judgement.error).toContain(why);
    }
  });
});

it('takes a refusal for no answer', async () => {
  await using it = await throughGateway('anthropic', () => ({ text: '', end: 'refusal' }));
  expect(await judge(it.transport)).toMatchObject({ result: 'SKIP', errorKind: 'judge-unusable' });
});

it('understands an Anthropic model that the library does not know', async () => {
  await using server = await upstream(() => ({ text: TEXT }));
  const door = await server.door();
  const transport = createApiTransport({ provider: 'anthropic', model: 'house-model', door });
  expect(await judge(transport)).toMatchObject({ result: 'PASS' });
  expect(server.requests[0]?.body.max_tokens).toBe(16_000);
});

describe('google', () => {
  it('gets a verdict, and the model that answered', async () => {
    await using server = await upstream(() => ({ text: TEXT }));
    const door = await server.door();
    const transport = createApiTransport({ provider: 'google', model: MODELS.google, door });
    expect(await judge(transport)).toMatchObject({
      result: 'PASS',
      model: 'gemini-answering-1',
      provider: 'google',
    });
    expect(server.requests[0]?.path).toBe('/v1beta/models/gemini-2.5-pro:generateContent');
  });

  it.each<[string, Said, string]>([
    ['a refusal', { text: '', end: 'refusal' }, 'judge-unusable'],
    ['429', { status: 429 }, 'model-rate-limit'],
    ['403', { status: 403 }, 'model-auth'],
  ])('leaves the case undecided on %s', async (_, said, errorKind) => {
    await using server = await upstream(() => said);
    const door = await server.door();
    const transport = createApiTransport({ provider: 'google', model: MODELS.google, door });
    expect(await judge(transport)).toMatchObject({ result: 'SKIP', errorKind });
  });
});

describe('a server that speaks like OpenAI', () => {
  const script = ({ api }: Asked): Said => (api === 'openai' ? { status: 404 } : { text: TEXT });

  it('is asked by chat completions once it does not know responses', async () => {
    await using server = await upstream(script);
    const door = await server.door();
    const options = { provider: 'openai', model: 'house-model', door, chat: { isNeeded: false } } as const;
    const transport = createApiTransport(options);
    expect(await judge(transport)).toMatchObject({ result: 'PASS', model: 'other-answering-1' });
    expect(await judge(createApiTransport(options))).toMatchObject({ result: 'PASS' });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ]);
  });

  it('is not OpenAI itself: there a 404 is about the model', async () => {
    await using server = await upstream(script);
    const door = await server.door();
    const transport = createApiTransport({ provider: 'openai', model: 'gpt-0', door });
    expect(await judge(transport)).toMatchObject({ result: 'SKIP', errorKind: 'model-bad-request' });
    expect(server.requests).toHaveLength(1);
  });
});

it('leaves the case undecided when nobody listens, or nobody answers in time', async () => {
  await using folder = await temporaryFolder();
  const nowhere = { socket: join(folder.path, 'none.sock'), failure: null, usage: { models: [] } };
  const lost = createApiTransport({ provider: 'anthropic', model: 'claude-x-1', door: nowhere });
  expect(await judge(lost)).toMatchObject({ result: 'SKIP', errorKind: 'model-unreachable' });

  await using server = await upstream(() => ({ fault: 'no-answer' }));
  const door = await server.door();
  const late = createApiTransport({ provider: 'anthropic', model: 'claude-x-1', door, timeoutMs: 300 });
  expect(await judge(late)).toMatchObject({ result: 'SKIP', errorKind: 'model-stalled' });
});

describe('listModels', () => {
  it('reads the lists of Anthropic and OpenAI', async () => {
    await using server = await upstream(({ path }) => ({
      raw: path.startsWith('/v1/models?limit')
        ? { data: [{ id: 'claude-a-1', created_at: '2026-01-02T00:00:00Z', display_name: 'A' }] }
        : { object: 'list', data: [{ id: 'gpt-9', created: 5, owned_by: 'x' }, { id: 'odd' }] },
    }));
    const { socket } = await server.door();
    expect(await listModels('anthropic', socket, never)).toEqual([
      { id: 'claude-a-1', createdAt: Date.UTC(2026, 0, 2) },
    ]);
    expect(await listModels('openai', socket, never)).toEqual([
      { id: 'gpt-9', createdAt: 5_000 },
      { id: 'odd', createdAt: null },
    ]);
  });

  it('says that the credentials are wrong when they are', async () => {
    await using server = await upstream(() => ({ status: 401 }));
    const { socket } = await server.door();
    await expect(listModels('anthropic', socket, never)).rejects.toThrow(
      'judge: anthropic refused the credentials (401) when asked for its models',
    );
  });

  it('is no prerequisite that is missing when somebody interrupts', async () => {
    const run = new AbortController();
    await using server = await upstream(() => {
      run.abort();
      return { fault: 'no-answer' };
    });
    const { socket } = await server.door();
    await expect(listModels('anthropic', socket, run.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each<[Said, string]>([
    [{ status: 404 }, 'the server answered 404'],
    [{ raw: [] }, 'the server answered with something else'],
    [{ fault: 'html' }, 'the server answered with something else'],
    [{ raw: { data: [] }, fault: 'cut' }, 'aborted'],
  ])('says why there is none: %j', async (said, why) => {
    await using server = await upstream(() => said);
    const { socket } = await server.door();
    await expect(listModels('anthropic', socket, never)).rejects.toThrow(
      `judge: the list of models of anthropic cannot be read: ${why}`,
    );
  });
});
