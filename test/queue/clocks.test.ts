/** Clocks of planners and workers that differ from that of the server. */
import { expect, it, vi } from 'vitest';
import { Consumer } from '../../src/queue/consumer.ts';
import type { TrialJob } from '../../src/queue/messages.ts';
import { Producer } from '../../src/queue/producer.ts';
import { announceRun, listKinds } from '../../src/queue/registry.ts';
import { describeWithRedis, PLAIN_NEEDS, serverForAll } from '../helpers/queue-suite.ts';

const JOB = { version: 1, run: 'r', trial: { id: 'a' } } as unknown as TrialJob;

describeWithRedis('trials on machines whose clocks differ', () => {
  const its = serverForAll();

  it('are as old as the server says, and are not forgotten by a clock that is ahead', async () => {
    const own = Date.now();
    const now = vi.spyOn(Date, 'now').mockReturnValue(own - 3_600_000);
    await using producer = new Producer(its.redis, 'r', 1, PLAIN_NEEDS);
    await producer.add([JOB]);
    const about = { package: 'p', host: 'h', total: 1, finished: 0, failed: 0, undecided: 0, queued: 1 };
    await announceRun(its.redis, { id: 'r', needs: PLAIN_NEEDS, since: '2026', ...about });
    now.mockReturnValue(own + 30 * 86_400_000);
    expect(await listKinds(its.redis)).toEqual([PLAIN_NEEDS]);
    const consumer = new Consumer(its.redis, 30_000, () => {});
    await using _consumer = consumer;
    await consumer.serve([PLAIN_NEEDS]);
    const taken = await consumer.take();
    expect(await taken?.ageMs()).toBeLessThan(60_000);
    now.mockRestore();
  });

  it('come again when they are given back, whatever the clock of who had them says', async () => {
    await using producer = new Producer(its.redis, 'r', 1, PLAIN_NEEDS);
    await producer.add([JOB]);
    const consumer = new Consumer(its.redis, 30_000, () => {});
    await using _consumer = consumer;
    await consumer.serve([PLAIN_NEEDS]);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    await (await consumer.take())?.giveBack();
    now.mockRestore();
    expect(await producer.missing(['a'])).toEqual([]);
    expect((await consumer.take())?.id).toEqual(expect.any(String));
  });
});
