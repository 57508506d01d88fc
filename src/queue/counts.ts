/** How many trials there are in a queue. */
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { kindOf, type WorkerNeeds } from '../model/needs.ts';
import { QUEUE_PREFIX, queueName } from './keys.ts';

export async function countJobs(
  redis: Redis,
  needs: WorkerNeeds,
): Promise<{ readonly waiting: number; readonly active: number; readonly failed: number }> {
  const queue = new Queue(queueName(kindOf(needs)), {
    connection: redis,
    prefix: QUEUE_PREFIX,
    skipMetasUpdate: true,
  });
  queue.on('error', () => {});
  try {
    const counts = await queue.getJobCounts('wait', 'prioritized', 'delayed', 'active', 'failed');
    const of = (state: string) => counts[state] ?? 0;
    return {
      waiting: of('wait') + of('waiting') + of('prioritized') + of('delayed'),
      active: of('active'),
      failed: of('failed'),
    };
  } finally {
    await queue.close();
  }
}
