/** What workers spend on a run together, in a real Redis. */
import { describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway/gateway.ts';
import type { Spent } from '../../src/model/usage.ts';
import { openRunBudget, readRunSpent, tellUntold } from '../../src/queue/run-budget.ts';
import { gatewayTo, send, until } from '../gateway/helpers.ts';
import { INPUT_TOKENS, modelServer, OUTPUT_TOKENS } from '../helpers/model-server.ts';
import { findRedis, NO_REDIS, startRedis } from '../helpers/redis.ts';

const WITHOUT_REDIS = findRedis() === null;
if (WITHOUT_REDIS) console.warn(NO_REDIS);

const PREFIX = 'aam:';
const ASK = { body: '{"model":"claude","stream":true,"messages":[]}' };
const ONE = INPUT_TOKENS + OUTPUT_TOKENS;

type Server = Awaited<ReturnType<typeof startRedis>>;

/** A worker that has spent what the test says. */
async function worker(server: Server, runId: string, spent: Spent) {
  const heard: Spent[] = [];
  const now = { spent };
  const budget = await openRunBudget({
    redis: server.client(),
    prefix: PREFIX,
    runId,
    spent: () => now.spent,
    onOthers: (others) => heard.push(others),
  });
  return {
    now,
    budget,
    get others() {
      return heard.at(-1);
    },
    [Symbol.asyncDispose]: () => budget[Symbol.asyncDispose](),
  };
}

const budgetOf = (server: Server, gateway: Gateway) =>
  openRunBudget({
    redis: server.client(),
    prefix: PREFIX,
    runId: 'run-1',
    spent: () => gateway.spent,
    onOthers: (spent) => gateway.othersSpent(spent),
  });

describe.skipIf(WITHOUT_REDIS)('the budget of a run', () => {
  it('stops the gateways of all workers when they have used it up together', async () => {
    await using server = await startRedis();
    await using model = await modelServer([{ text: 'hello' }]);
    const budget = { maxTokens: 3 * ONE };
    await using first = await gatewayTo(model.url, { budget });
    await using second = await gatewayTo(model.url, { budget });
    await using firstBudget = await budgetOf(server, first);
    await using _secondBudget = await budgetOf(server, second);
    await using firstDoor = await first.open('t1', 'anthropic');
    await using secondDoor = await second.open('t2', 'anthropic');
    await send(firstDoor, ASK);
    await send(firstDoor, ASK);
    await firstBudget.tell();
    expect(first.stopped).toBe(null);
    await send(secondDoor, ASK);
    // By itself, once a second.
    await until(() => first.stopped !== null && second.stopped !== null, 20_000);
    const message = `the run has used ${3 * ONE} tokens, and its budget is ${3 * ONE}`;
    expect([first.stopped?.message, second.stopped?.message]).toEqual([message, message]);
    expect((await send(firstDoor, ASK)).status).toBe(403);
    expect(model.requests.length).toBe(3);
  });

  it('counts what the planner knows of and no worker tells', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await using told = await worker(server, 'r', { tokens: 10, costUsd: 1 });
    const know = (tokens: number, costUsd: number | null) =>
      tellUntold(redis, PREFIX, 'r', { tokens, costUsd });
    await know(25, 4);
    expect(await readRunSpent(redis, PREFIX, 'r')).toEqual({ tokens: 25, costUsd: 4 });
    await told.budget.tell();
    expect(told.others).toEqual({ tokens: 15, costUsd: 3 });
    told.now.spent = { tokens: 30, costUsd: 5 };
    await told.budget.tell();
    await know(25, 4);
    expect(await readRunSpent(redis, PREFIX, 'r')).toEqual({ tokens: 30, costUsd: 5 });
    await redis.flushall();
    await know(25, null);
    expect(await readRunSpent(redis, PREFIX, 'r')).toMatchObject({ costUsd: null });
  });

  it('counts what workers that are gone have spent, and no other run', async () => {
    await using server = await startRedis();
    const redis = server.client();
    {
      await using gone = await worker(server, 'r', { tokens: 1, costUsd: 0.25 });
      gone.now.spent = { tokens: 10, costUsd: 0.5 };
    }
    await using other = await worker(server, 'another', { tokens: 7, costUsd: 7 });
    await using late = await worker(server, 'r', { tokens: 5, costUsd: 0.125 });
    expect(late.others).toEqual({ tokens: 10, costUsd: 0.5 });
    expect(other.others).toEqual({ tokens: 0, costUsd: 0 });
    expect(await readRunSpent(redis, PREFIX, 'r')).toEqual({ tokens: 15, costUsd: 0.625 });
    const seconds = await redis.ttl('aam:spent:r');
    expect(seconds).toBeGreaterThan(6 * 24 * 3600);
    expect(seconds).toBeLessThanOrEqual(7 * 24 * 3600);
  });

  it('is told that a cost is not known', async () => {
    await using server = await startRedis();
    await using first = await worker(server, 'r', { tokens: 1, costUsd: 1 });
    await using _unknown = await worker(server, 'r', { tokens: 2, costUsd: null });
    await first.budget.tell();
    expect(first.others).toEqual({ tokens: 2, costUsd: null });
    expect(await readRunSpent(server.client(), PREFIX, 'r')).toEqual({ tokens: 3, costUsd: null });
  });

  it('counts once what is told twice', async () => {
    await using server = await startRedis();
    await using first = await worker(server, 'r', { tokens: 4, costUsd: 0.1 });
    await using second = await worker(server, 'r', { tokens: 0, costUsd: 0 });
    await Promise.all([first.budget.tell(), first.budget.tell()]);
    await second.budget.tell();
    expect(second.others).toEqual({ tokens: 4, costUsd: 0.1 });
  });

  it('is whole again after a Redis that was lost came back empty', async () => {
    await using server = await startRedis();
    await using first = await worker(server, 'r', { tokens: 4, costUsd: 0 });
    await using second = await worker(server, 'r', { tokens: 5, costUsd: 0 });
    await server.kill();
    expect(await first.budget.tell()).toBe(false);
    first.now.spent = { tokens: 6, costUsd: 0 };
    await server.restart();
    await expect.poll(() => second.others).toEqual({ tokens: 6, costUsd: 0 });
    await expect.poll(() => first.others).toEqual({ tokens: 5, costUsd: 0 });
  });
});
