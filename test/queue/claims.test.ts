/** What a worker has taken, when its claim is lost or the server will not write. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Consumer, type TakenJob } from '../../src/queue/consumer.ts';
import { countJobs } from '../../src/queue/counts.ts';
import type { TrialJob } from '../../src/queue/messages.ts';
import { Producer } from '../../src/queue/producer.ts';
import { describeWithRedis, PLAIN_NEEDS, serverForAll } from '../helpers/queue-suite.ts';

const JOB = { version: 1, run: 'r', trial: { id: 'a' } } as unknown as TrialJob;

describeWithRedis('a trial that a worker has taken', () => {
  const its = serverForAll();

  async function withTaken(
    look: (taken: TakenJob, consumer: Consumer) => Promise<void>,
    leaseMs = 30_000,
  ): Promise<void> {
    await using producer = new Producer(its.redis, 'r', 1, PLAIN_NEEDS);
    await producer.add([JOB]);
    const consumer = new Consumer(its.redis, leaseMs, () => {});
    await using _consumer = consumer;
    await consumer.serve([PLAIN_NEEDS]);
    const taken = await consumer.take();
    if (taken === null) throw new Error('there is nothing to take');
    await look(taken, consumer);
  }

  /** Whether it waits while the its.server refuses. */
  async function waits(work: () => Promise<void>): Promise<boolean> {
    await its.redis.call('ACL', 'SETUSER', 'default', '-evalsha', '-eval');
    const working = work();
    const isOver = await Promise.race([working.then(() => true), delay(300, false)]);
    await its.redis.call('ACL', 'SETUSER', 'default', '+evalsha', '+eval');
    await working;
    return !isOver;
  }

  it('is over when it is finished, also when its claim was lost and nobody else has it', async () => {
    await withTaken(async (taken) => {
      await its.redis.del(...(await its.redis.keys('*:lock')));
      await taken.finish();
      expect(await countJobs(its.redis, PLAIN_NEEDS)).toEqual({ waiting: 0, active: 0, failed: 0 });
    });
  });

  it('stays its own when its claim was lost, and is not taken twice', async () => {
    await withTaken(async (taken, consumer) => {
      await its.redis.call('ACL', 'SETUSER', 'default', '-evalsha', '-eval');
      await delay(600);
      await its.redis.call('ACL', 'SETUSER', 'default', '+evalsha', '+eval');
      const [key = ''] = await its.redis.keys('*:r.*[0-9a-f]');
      const lostOnce = async () => [await consumer.take(), await its.redis.hget(key, 'stc')];
      await expect.poll(lostOnce, { timeout: 10_000 }).toEqual([null, '1']);
      await expect.poll(() => consumer.take()).toBe(null);
      expect(await countJobs(its.redis, PLAIN_NEEDS)).toEqual({ waiting: 0, active: 1, failed: 0 });
      await taken.finish();
      expect(await countJobs(its.redis, PLAIN_NEEDS)).toEqual({ waiting: 0, active: 0, failed: 0 });
    }, 300);
  });

  it('is given back or finished as soon as the its.server does not refuse any more', async () => {
    await withTaken(async (taken) => {
      expect(await waits(() => taken.giveBack())).toBe(true);
      expect(await countJobs(its.redis, PLAIN_NEEDS)).toEqual({ waiting: 1, active: 0, failed: 0 });
    });
    await its.redis.flushall();
    await withTaken(async (taken) => {
      expect(await waits(() => taken.finish())).toBe(true);
      expect(await countJobs(its.redis, PLAIN_NEEDS)).toEqual({ waiting: 0, active: 0, failed: 0 });
    });
  });
});
