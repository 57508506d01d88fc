/** What a gateway makes of limits that it keeps together with others; here they are kept by hand. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Admission, Hold, Pause, SharedLimits } from '../../src/model/shared-limits.ts';
import { INPUT_TOKENS, modelServer, OUTPUT_TOKENS } from '../helpers/model-server.ts';
import { answerError, answerStream, gatewayTo, send, until, upstreamServer } from './helpers.ts';

const LIMIT = 'anthropic=60/min';
const ASK = { body: '{"model":"claude-sonnet-4-5","stream":true,"messages":[]}' };
const hostless = (message = '') => message.replace(/[\d.]+:\d+/, 'HOST').replace(/[\d.]+ s/g, 'N s');

/** Limits that say what the test wants; `number` counts the questions. */
function limits(answer: (asked: Admission, number: number) => Hold | null | Promise<Hold | null>) {
  const asked: Admission[] = [];
  const told: Pause[] = [];
  const listeners = new Set<(pause: Pause) => void>();
  const shared: SharedLimits = {
    async admit(request) {
      asked.push(request);
      return answer(request, asked.length);
    },
    pausedFor: (pause) => void told.push(pause),
    onPause(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { shared, asked, told, listeners };
}

describe('a request under a shared limit', () => {
  it('is held back, asks again with the same ticket, and the wait is not the agent’s', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    const { shared, asked } = limits((_, number) => (number < 3 ? { ms: 60, limit: LIMIT } : null));
    await using gateway = await gatewayTo(server.url, { shared });
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door, ASK)).status).toBe(200);
    expect(server.requests.length).toBe(1);
    expect(asked.map(({ provider, model }) => `${provider}/${model}`)).toEqual(
      Array(3).fill('anthropic/claude-sonnet-4-5'),
    );
    expect(new Set(asked.map(({ ticket }) => ticket)).size).toBe(1);
    expect(asked[2]?.atMostMs).toBeLessThanOrEqual(3_000 - 118);
    expect(door.waitedMs).toBeGreaterThan(118);
    expect(door).toMatchObject({ failure: null, unanswered: null, retries: 0 });
    expect(gateway.unasked).toBe(0);
    await send(door, ASK);
    expect(asked[3]?.ticket).not.toBe(asked[0]?.ticket);
  });

  it('has the model in its path with Google', async () => {
    await using server = await upstreamServer((response) => answerStream(response, 'google'));
    const { shared, asked } = limits(() => null);
    await using gateway = await gatewayTo(server.url, { shared });
    await using door = await gateway.open('t1', 'google');
    await send(door);
    expect(asked).toMatchObject([{ provider: 'google', model: 'gemini-3-pro' }]);
  });

  it('asks before every attempt, and only for requests to the model', async () => {
    await using server = await upstreamServer((response, _, number) =>
      number === 1 ? answerError(response, 500) : answerStream(response),
    );
    const { shared, asked } = limits(() => null);
    await using gateway = await gatewayTo(server.url, { shared });
    await using door = await gateway.open('t1', 'anthropic', { listModels: true });
    expect((await send(door, ASK)).status).toBe(200);
    expect(asked.length).toBe(2);
    await send(door, { path: '/v1/messages/count_tokens' });
    await send(door, { path: '/v1/models', method: 'GET' });
    expect(server.requests.length).toBe(4);
    expect(asked.length).toBe(2);
  });

  it('fails as a rate limit that is named when it would wait for too long', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    const { shared } = limits((_, number) => ({ ms: number === 1 ? 50 : 2_980, limit: LIMIT }));
    await using gateway = await gatewayTo(server.url, { shared });
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door, ASK);
    expect(answer).toMatchObject({ status: 429, headers: { 'x-should-retry': 'false' } });
    expect(JSON.parse(answer.text).error.message).toBe('the limit of requests to the model is used up');
    expect(door.failure).toMatchObject({ kind: 'rate-limit', status: null });
    expect(hostless(door.failure?.message)).toBe(
      'HOST is asked by all workers together no more than anthropic=60/min allows, and the request has waited N s and would have to wait N s more',
    );
    expect(door.unrecovered.length).toBe(1);
    expect(server.requests.length).toBe(0);
  });

  it('is unanswered as a rate limit when its client goes away, and asks no more', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    const { shared, asked } = limits(() => ({ ms: 100, limit: LIMIT }));
    await using gateway = await gatewayTo(server.url, { shared, timings: { maxWaitMs: 60_000 } });
    const door = await gateway.open('t1', 'anthropic');
    const gone = new AbortController();
    const sent = send(door, { ...ASK, signal: gone.signal }).catch(() => 'ended');
    await until(() => asked.length === 2);
    gone.abort();
    expect(await sent).toBe('ended');
    await door[Symbol.asyncDispose]();
    expect(door.unanswered).toMatchObject({ kind: 'rate-limit', status: null });
    expect(hostless(door.unanswered?.message)).toMatch(
      /^HOST is asked .*, and the request was still held back after N s$/,
    );
    const count = asked.length;
    await delay(250);
    expect(asked.length).toBe(count);
    expect(server.requests.length).toBe(0);
  });

  it('whose client goes away while the limits are silent ends at once', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    const { shared, asked } = limits(() => new Promise(() => {}));
    await using gateway = await gatewayTo(server.url, { shared });
    const door = await gateway.open('t1', 'anthropic');
    const sent = send(door, ASK).catch(() => 'ended');
    await until(() => asked.length === 1);
    await door[Symbol.asyncDispose]();
    expect(await sent).toBe('ended');
    expect(gateway.unasked).toBe(0);
    expect(server.requests.length).toBe(0);
  });
});

describe('shared limits that cannot be asked', () => {
  it('do not fail a request, are told, and are asked again by the next one', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    const { shared, asked } = limits((_, number) => {
      if (number === 1) throw new Error('connection lost');
      return null;
    });
    await using gateway = await gatewayTo(server.url, { shared });
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door, ASK)).status).toBe(200);
    expect(gateway.unasked).toBe(1);
    expect((await send(door, ASK)).status).toBe(200);
    expect(gateway.unasked).toBe(1);
    expect(asked.length).toBe(2);
    expect(door.failure).toBe(null);
  });

  it('or that say nothing are not waited for, and the time is not the agent’s', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    const { shared } = limits(() => new Promise(() => {}));
    await using gateway = await gatewayTo(server.url, { shared });
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door, ASK)).status).toBe(200);
    expect(gateway.unasked).toBe(1);
    expect(door.waitedMs).toBeGreaterThan(1_900);
  });
});

describe('a pause', () => {
  it('that an upstream asks for is told to others', async () => {
    await using server = await upstreamServer((response, _, number) =>
      number === 1 ? answerError(response, 429, { 'retry-after-ms': '70' }) : answerStream(response),
    );
    const { shared, told } = limits(() => null);
    await using gateway = await gatewayTo(server.url, { shared });
    await using door = await gateway.open('t1', 'openai');
    await send(door);
    expect(told).toEqual([{ provider: 'openai', ms: 70, status: 429 }]);
  });

  it('of others is kept, is not told again, and ends with the gateway', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    const { shared, told, listeners } = limits(() => null);
    {
      await using gateway = await gatewayTo(server.url, { shared });
      await using door = await gateway.open('t1', 'anthropic');
      await using other = await gateway.open('t2', 'openai');
      for (const tell of listeners) tell({ provider: 'anthropic', ms: 300, status: 529 });
      const sent = send(door, ASK);
      await until(() => door.unanswered !== null);
      expect(door.unanswered).toMatchObject({ kind: 'overloaded', status: 529 });
      await send(other);
      expect(server.requests.map(({ path }) => path)).toEqual(['/responses']);
      await sent;
      expect(door.waitedMs).toBeGreaterThan(250);
      expect(told).toEqual([]);
      expect(listeners.size).toBe(1);
    }
    expect(listeners.size).toBe(0);
  });

  it('that begins while a request asks comes first, and the request asks anew', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    const { shared, asked, listeners } = limits((_, number) => {
      if (number === 1) for (const tell of listeners) tell({ provider: 'anthropic', ms: 100, status: 429 });
      return null;
    });
    await using gateway = await gatewayTo(server.url, { shared });
    await using door = await gateway.open('t1', 'anthropic');
    await send(door, ASK);
    expect(asked.length).toBe(2);
    expect(door.waitedMs).toBeGreaterThan(95);
  });
});

describe('what others spend', () => {
  const ONE = INPUT_TOKENS + OUTPUT_TOKENS;

  it('counts for the budget of the run, not for the usage of this gateway', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    await using gateway = await gatewayTo(server.url, { budget: { maxTokens: 1_000 } });
    await using door = await gateway.open('t1', 'anthropic');
    await send(door, ASK);
    gateway.othersSpent({ tokens: 500, costUsd: null });
    gateway.othersSpent({ tokens: 1_000 - ONE - 1, costUsd: null });
    expect(gateway.stopped).toBe(null);
    expect(gateway.spent).toEqual({ tokens: ONE, costUsd: null });
    gateway.othersSpent({ tokens: 1_000 - ONE, costUsd: null });
    expect(gateway.stopped?.message).toBe('the run has used 1000 tokens, and its budget is 1000');
    expect((await send(door, ASK)).status).toBe(403);
    expect(server.requests.length).toBe(1);
    expect(gateway.spent.tokens).toBe(ONE);
  });

  it('counts in dollars too, with what was spent before', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    const spent = { tokens: 0, costUsd: 1 };
    await using gateway = await gatewayTo(server.url, {
      budget: { maxCostUsd: 3 },
      price: () => 0.5,
      spent,
    });
    await using door = await gateway.open('t1', 'anthropic');
    await send(door, ASK);
    gateway.othersSpent({ tokens: 0, costUsd: 1.4 });
    expect(gateway.stopped).toBe(null);
    gateway.othersSpent({ tokens: 0, costUsd: 1.5 });
    expect(gateway.stopped?.message).toBe('the run has cost $3.00, and its budget is $3.00');
  });

  it('without a known cost stops a run that has a budget in dollars', async () => {
    await using server = await modelServer([{ text: 'hello' }]);
    await using gateway = await gatewayTo(server.url, { budget: { maxCostUsd: 3 }, price: () => 0.5 });
    gateway.othersSpent({ tokens: 10, costUsd: null });
    expect(gateway.stopped?.message).toBe(
      'the cost of what other workers asked is unknown, so the budget of $3.00 cannot be kept',
    );
  });
});
