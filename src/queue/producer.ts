/** The planner's side of the queue: puts trials in, and looks whether they are still there. */
import { createHash } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { kindOf, type WorkerNeeds } from '../model/needs.ts';
import { serverTime } from './connection.ts';
import { CANCEL, QUEUE_PREFIX, queueName, WAKE } from './keys.ts';
import type { TrialJob } from './messages.ts';

export class Producer implements AsyncDisposable {
  readonly #redis: Redis;
  readonly #queue: Queue;
  readonly #run: string;
  readonly #session: number;

  /** `session`: which process of the run this is. */
  constructor(redis: Redis, run: string, session: number, needs: WorkerNeeds) {
    this.#redis = redis;
    this.#run = run;
    this.#session = session;
    this.#queue = new Queue(queueName(kindOf(needs)), {
      connection: redis,
      prefix: QUEUE_PREFIX,
      skipMetasUpdate: true,
    });
    this.#queue.on('error', () => {});
  }

  /** One that is there already is not added again. */
  async add(jobs: readonly TrialJob[]): Promise<void> {
    // Nobody reads what BullMQ writes down of each trial. Each time, for a server may have lost it.
    const quiet = this.#redis.hset(this.#queue.toKey('meta'), 'opts.maxLenEvents', 0);
    const opts = { timestamp: await serverTime(this.#redis), removeOnComplete: true, removeOnFail: true };
    const adding = this.#queue.addBulk(
      jobs.map((data) => ({
        name: 'trial',
        data,
        opts: { ...opts, jobId: this.#jobId(data.trial.id) },
      })),
    );
    await Promise.all([quiet, adding]);
    await this.#redis.publish(WAKE, this.#run);
  }

  /** Those that are neither waiting nor with a worker. */
  async missing(trials: readonly string[]): Promise<string[]> {
    const pipeline = this.#redis.pipeline();
    for (const trial of trials) pipeline.exists(this.#queue.toKey(this.#jobId(trial)));
    const answers = (await pipeline.exec()) ?? [];
    return trials.filter((_, at) => answers[at]?.[1] === 0);
  }

  /** Those that no worker has leave the queue. Gives which they were. */
  async takeBack(trials: readonly string[]): Promise<string[]> {
    const removed = await Promise.all(
      trials.map((trial) => this.#queue.remove(this.#jobId(trial)).catch(() => 0)),
    );
    return trials.filter((_, at) => removed[at] === 1);
  }

  /** Those that no worker has yet are taken back, and whoever works on others is told to stop. */
  async cancel(trials: readonly string[]): Promise<void> {
    await this.takeBack(trials);
    await this.#redis.publish(CANCEL, JSON.stringify({ run: this.#run, session: this.#session }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.close();
  }

  #jobId(trial: string): string {
    return `${this.#run}.${createHash('sha256').update(trial).digest('hex').slice(0, 24)}`;
  }
}
