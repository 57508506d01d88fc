import { expect, it } from 'vitest';
import { kindOf, type WorkerNeeds } from '../../src/model/needs.ts';
import { Consumer } from '../../src/queue/consumer.ts';
import { KINDS, queuePattern } from '../../src/queue/keys.ts';
import type { TrialJob } from '../../src/queue/messages.ts';
import { Producer } from '../../src/queue/producer.ts';
import { listKinds } from '../../src/queue/registry.ts';
import { describeWithRedis, PLAIN_NEEDS, serverForAll } from '../helpers/queue-suite.ts';

const OTHER: WorkerNeeds = { ...PLAIN_NEEDS, tags: ['gpu'] };

describeWithRedis('what trials leave in the queue', () => {
  const its = serverForAll();

  const jobs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ version: 1, run: 'r', trial: { id: `t${index}` } },
    })) as unknown as TrialJob[];

  it('does not grow with their number', async () => {
    await using producer = new Producer(its.redis, 'r', 1, PLAIN_NEEDS);
    const consumer = new Consumer(its.redis, 30_000, () => {});
    await using _consumer = consumer;
    await consumer.serve([PLAIN_NEEDS]);
    for (let round = 0; round < 10; round++) {
      await producer.add(jobs(50));
      for (let taken = await consumer.take(); taken; taken = await consumer.take()) await taken.finish();
    }
    const sizes = (await its.redis.keys('*')).map(async (key) =>
      (await its.redis.type(key)) === 'stream' ? await its.redis.xlen(key) : 0,
    );
    // As many as Redis keeps in one piece, at 4 or more for each of 500 trials.
    expect(Math.max(...(await Promise.all(sizes)))).toBeLessThan(400);
  });

  it('goes when nobody has needed the like of them for long', async () => {
    const say = (needs: WorkerNeeds, at: number) =>
      its.redis.hset(KINDS, kindOf(needs), JSON.stringify({ needs, at }));
    for (const needs of [PLAIN_NEEDS, OTHER]) {
      await using producer = new Producer(its.redis, 'r', 1, needs);
      await producer.add(jobs(3));
    }
    await say(PLAIN_NEEDS, 0);
    await say(OTHER, Date.now());
    expect(await listKinds(its.redis)).toEqual([OTHER]);
    expect(await its.redis.keys(queuePattern(kindOf(PLAIN_NEEDS)))).toEqual([]);
    expect(await its.redis.keys(queuePattern(kindOf(OTHER)))).not.toEqual([]);
    await say(OTHER, 0);
    expect(await listKinds(its.redis)).toEqual([]);
    expect(await its.redis.keys('*')).toEqual([]);
  });
});
