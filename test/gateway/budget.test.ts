import { describe, expect, it } from 'vitest';
import type { Usage } from '../../src/model/usage.ts';
import { answerError, answerStream, gatewayTo, RECORDING, send, until, upstreamServer } from './helpers.ts';

/** Tokens of one recorded answer. */
const ONE = 1203 + 187 + 20_480 + 512;

describe('a budget of tokens', () => {
  it('stops the run when it is used up', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url, { budget: { maxTokens: ONE * 2 } });
    await using first = await gateway.open('t1', 'anthropic');
    await using second = await gateway.open('t2', 'anthropic');
    expect((await send(first)).status).toBe(200);
    expect(gateway.stopped).toBe(null);
    expect((await send(second)).status).toBe(200);
    const message = `the run has used ${ONE * 2} tokens, and its budget is ${ONE * 2}`;
    expect(gateway.stopped).toEqual({ kind: 'budget', status: null, message });
    const answer = await send(first);
    expect(answer).toMatchObject({ status: 403, headers: { 'x-should-retry': 'false' } });
    expect(JSON.parse(answer.text).error.message).toBe(`budget: ${message}`);
    expect(upstream.requests.length).toBe(2);
    expect(first).toMatchObject({ failure: { kind: 'budget' }, usage: { requests: 1 } });
    expect(second.failure).toBe(null);
  });

  it('lets running requests finish, and stops those that wait', async () => {
    let finish = () => {};
    await using upstream = await upstreamServer((response, _, number) => {
      if (number === 1) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        finish = () => response.end(RECORDING.anthropic);
      } else answerError(response, 500);
    });
    const timings = { firstPauseMs: 300 };
    await using gateway = await gatewayTo(upstream.url, { budget: { maxTokens: 1 }, timings });
    await using first = await gateway.open('t1', 'anthropic');
    await using second = await gateway.open('t2', 'anthropic');
    const running = send(first);
    await until(() => upstream.requests.length === 1);
    const waiting = send(second);
    await until(() => upstream.requests.length === 2);
    finish();
    expect(await running).toMatchObject({ status: 200, cut: false, body: RECORDING.anthropic });
    expect((await waiting).status).toBe(403);
    expect(upstream.requests.length).toBe(2);
    expect([first.failure, second.failure?.kind]).toEqual([null, 'budget']);
  });

  it('of nothing allows nothing', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url, { budget: { maxTokens: 0 } });
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door)).status).toBe(403);
    expect(upstream.requests).toEqual([]);
  });
});

describe('a budget of dollars', () => {
  const price = ({ outputTokens }: Usage, model: string) =>
    model.startsWith('claude') ? outputTokens / 1000 : null;

  it('counts what each answer costs', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url, { budget: { maxCostUsd: 0.3 }, price });
    await using first = await gateway.open('t1', 'anthropic');
    await using second = await gateway.open('t2', 'anthropic');
    await send(first);
    expect([first.costUsd, second.costUsd]).toEqual([expect.closeTo(0.187), 0]);
    await send(second);
    expect(gateway.costUsd).toBeCloseTo(0.374);
    expect(gateway.stopped?.message).toBe('the run has cost $0.3740, and its budget is $0.3000');
    expect((await send(second)).status).toBe(403);
  });

  it('that cannot be kept stops the run', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response, 'openai'));
    await using gateway = await gatewayTo(upstream.url, { budget: { maxCostUsd: 5 }, price });
    await using door = await gateway.open('t1', 'openai');
    await send(door);
    expect(gateway.stopped?.message).toBe(
      'the price of gpt-5.5-2026-04-23 is unknown, so the budget of $5.00 cannot be kept',
    );
    expect([door.costUsd, gateway.costUsd]).toEqual([null, null]);
    await expect(gatewayTo(upstream.url, { budget: { maxCostUsd: 5 } })).rejects.toThrow('needs prices');
  });

  it('is no matter when there is none: an unknown price is an unknown cost', async () => {
    await using upstream = await upstreamServer((response, { url }) =>
      answerStream(response, url.includes('messages') ? 'anthropic' : 'openai'),
    );
    await using gateway = await gatewayTo(upstream.url, { price });
    await using known = await gateway.open('t1', 'anthropic');
    await using unknown = await gateway.open('t2', 'openai');
    await send(known);
    await send(unknown);
    expect([known.costUsd, unknown.costUsd, gateway.costUsd]).toEqual([expect.closeTo(0.187), null, null]);
    expect(gateway.stopped).toBe(null);
  });
});
