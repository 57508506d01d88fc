/** What a worker has taken, when its claim is lost or the server will not write. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkerNeeds } from '../../src/model/needs.ts';
import { Consumer, type TakenJob } from '../../src/queue/consumer.ts';
import { countJobs } from '../../src/queue/counts.ts';
import type { TrialJob } from '../../src/queue/messages.ts';
import { Producer } from '../../src/queue/producer.ts';
import { findRedis, NO_REDIS, startRedis } from '../helpers/redis.ts';

if (findRedis() === null) console.warn(NO_REDIS);

const NEEDS: WorkerNeeds = {
  ...{ aam: '1.0.0', engine: 'mock', engineVersion: null, sandbox: 'bubblewrap', network: false },
  ...{ providers: [], tags: [] },
};
const JOB = { version: 1, run: 'r', trial: { id: 'a' } } as unknown as TrialJob;

describe.skipIf(findRedis() === null)('a trial that a worker has taken', () => {
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

  async function withTaken(
    look: (taken: TakenJob, consumer: Consumer) => Promise<void>,
    leaseMs = 30_000,
  ): Promise<void> {
    await using producer = new Producer(redis, 'r', 1, NEEDS);
    await producer.add([JOB]);
    const consumer = new Consumer(redis, leaseMs, () => {});
    await using _consumer = consumer;
    await consumer.serve([NEEDS]);
    const taken = await consumer.take();
    if (taken === null) throw new Error('there is nothing to take');
    await look(taken, consumer);
  }

  /** Whether it waits while the server refuses. */
  async function waits(work: () => Promise<void>): Promise<boolean> {
    await redis.call('ACL', 'SETUSER', 'default', '-evalsha', '-eval');
    const working = work();
    const isOver = await Promise.race([working.then(() => true), delay(300, false)]);
    await redis.call('ACL', 'SETUSER', 'default', '+evalsha', '+eval');
    await working;
    return !isOver;
  }

  it('is over when it is finished, also when its claim was lost and nobody else has it', async () => {
    await withTaken(async (taken) => {
      await redis.del(...(await redis.keys('*:lock')));
      await taken.finish();
      expect(await countJobs(redis, NEEDS)).toEqual({ waiting: 0, active: 0, failed: 0 });
    });
  });

  it('stays its own when its claim was lost, and is not taken twice', async () => {
    await withTaken(async (taken, consumer) => {
      await redis.call('ACL', 'SETUSER', 'default', '-evalsha', '-eval');
      await delay(600);
      await redis.call('ACL', 'SETUSER', 'default', '+evalsha', '+eval');
      const [key = ''] = await redis.keys('*:r.*[0-9a-f]');
      const lostOnce = async () => [await consumer.take(), await redis.hget(key, 'stc')];
      await expect.poll(lostOnce, { timeout: 10_000 }).toEqual([null, '1']);
      await expect.poll(() => consumer.take()).toBe(null);
      expect(await countJobs(redis, NEEDS)).toEqual({ waiting: 0, active: 1, failed: 0 });
      await taken.finish();
      expect(await countJobs(redis, NEEDS)).toEqual({ waiting: 0, active: 0, failed: 0 });
    }, 300);
  });

  it('is given back or finished as soon as the server does not refuse any more', async () => {
    await withTaken(async (taken) => {
      expect(await waits(() => taken.giveBack(0))).toBe(true);
      expect(await countJobs(redis, NEEDS)).toEqual({ waiting: 1, active: 0, failed: 0 });
    });
    await redis.flushall();
    await withTaken(async (taken) => {
      expect(await waits(() => taken.finish())).toBe(true);
      expect(await countJobs(redis, NEEDS)).toEqual({ waiting: 0, active: 0, failed: 0 });
    });
  });
});
