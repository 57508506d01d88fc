/** What stays in Redis when all is over. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kindOf, type WorkerNeeds } from '../../src/model/needs.ts';
import { Consumer } from '../../src/queue/consumer.ts';
import { KINDS, queuePattern } from '../../src/queue/keys.ts';
import type { TrialJob } from '../../src/queue/messages.ts';
import { Producer } from '../../src/queue/producer.ts';
import { listKinds } from '../../src/queue/registry.ts';
import { findRedis, NO_REDIS, startRedis } from '../helpers/redis.ts';

if (findRedis() === null) console.warn(NO_REDIS);

const NEEDS: WorkerNeeds = {
  ...{ aam: '1.0.0', engine: 'mock', engineVersion: null, sandbox: 'bubblewrap', network: false },
  ...{ providers: [], tags: [] },
};
const OTHER: WorkerNeeds = { ...NEEDS, tags: ['gpu'] };

describe.skipIf(findRedis() === null)('what trials leave in the queue', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let redis: Redis;

  beforeAll(async () => {
    server = await startRedis();
    redis = server.client();
    redis.options.maxRetriesPerRequest = null;
  });
  beforeEach(async () => {
    await redis.flushall();
  });
  afterAll(() => server.stop());

  const jobs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ version: 1, run: 'r', trial: { id: `t${index}` } },
    })) as unknown as TrialJob[];

  it('does not grow with their number', async () => {
    await using producer = new Producer(redis, 'r', 1, NEEDS);
    const consumer = new Consumer(redis, 30_000, () => {});
    await using _consumer = consumer;
    await consumer.serve([NEEDS]);
    for (let round = 0; round < 10; round++) {
      await producer.add(jobs(50));
      for (let taken = await consumer.take(); taken; taken = await consumer.take()) await taken.finish();
    }
    const sizes = (await redis.keys('*')).map(async (key) =>
      (await redis.type(key)) === 'stream' ? await redis.xlen(key) : 0,
    );
    // As many as Redis keeps in one piece, at 4 or more for each of 500 trials.
    expect(Math.max(...(await Promise.all(sizes)))).toBeLessThan(400);
  });

  it('goes when nobody has needed the like of them for long', async () => {
    const say = (needs: WorkerNeeds, at: number) =>
      redis.hset(KINDS, kindOf(needs), JSON.stringify({ needs, at }));
    for (const needs of [NEEDS, OTHER]) {
      await using producer = new Producer(redis, 'r', 1, needs);
      await producer.add(jobs(3));
    }
    await say(NEEDS, 0);
    await say(OTHER, Date.now());
    expect(await listKinds(redis)).toEqual([OTHER]);
    expect(await redis.keys(queuePattern(kindOf(NEEDS)))).toEqual([]);
    expect(await redis.keys(queuePattern(kindOf(OTHER)))).not.toEqual([]);
    await say(OTHER, 0);
    expect(await listKinds(redis)).toEqual([]);
    expect(await redis.keys('*')).toEqual([]);
  });
});
