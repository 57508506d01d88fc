/** The worker's side of the queue: takes one trial after the other from all queues that it can serve. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { kindOf, type WorkerNeeds } from '../model/needs.ts';
import { isRefusal, serverTime, takeLeave } from './connection.ts';
import { QUEUE_PREFIX, queueName } from './keys.ts';

/** A trial that a worker has taken, for as long as it renews its claim. */
export interface TakenJob {
  readonly id: string;
  /** As it stood in the queue: to be checked. */
  readonly data: unknown;
  /** How many workers were gone before they had finished it. */
  readonly lost: number;
  /** How long ago it came into the queue. */
  ageMs(): Promise<number>;
  /** It is over, whatever came of it. Never rejects. */
  finish(): Promise<void>;
  /** Somebody else is to take it. Never rejects. */
  giveBack(): Promise<void>;
}

interface Held {
  readonly worker: Worker;
  readonly job: Job;
  token: string;
  isGivenBack: boolean;
}

/** Trials are lost without a limit; who takes one looks how often. */
const NO_LIMIT = 1_000_000;
/** For so long a server that refuses is asked again to let a trial go; then its lease runs out. */
const REFUSED_MS = 60_000;
const AGAIN_MS = 500;

export class Consumer implements AsyncDisposable {
  readonly #redis: Redis;
  readonly #leaseMs: number;
  readonly #onError: (error: Error) => void;
  readonly #workers = new Map<string, Worker>();
  readonly #held = new Map<string, Held>();
  readonly #renewing: NodeJS.Timeout;
  #next = 0;

  /** `leaseMs`: so long after its last sign of life the trials of a worker go to others. */
  constructor(redis: Redis, leaseMs: number, onError: (error: Error) => void) {
    this.#redis = redis;
    this.#leaseMs = leaseMs;
    this.#onError = onError;
    this.#renewing = setInterval(() => void this.#renew().catch(onError), leaseMs / 3);
    this.#renewing.unref();
  }

  /** From now on takes from these, and from no others. */
  async serve(kinds: readonly WorkerNeeds[]): Promise<void> {
    const wanted = new Set(kinds.map(kindOf));
    for (const [kind, worker] of this.#workers) {
      const isHeld = [...this.#held.values()].some((it) => it.worker === worker);
      if (wanted.has(kind) || isHeld) continue;
      this.#workers.delete(kind);
      await worker.close(true);
    }
    for (const kind of wanted) {
      if (this.#workers.has(kind)) continue;
      const worker = new Worker(queueName(kind), null, {
        connection: this.#redis,
        prefix: QUEUE_PREFIX,
        autorun: false,
        lockDuration: this.#leaseMs,
        stalledInterval: this.#leaseMs / 2,
        maxStalledCount: NO_LIMIT,
      });
      worker.on('error', this.#onError);
      this.#workers.set(kind, worker);
      await worker.startStalledCheckTimer();
    }
  }

  /** null: there is nothing to take at the moment. No queue comes always first. */
  async take(): Promise<TakenJob | null> {
    const workers = [...this.#workers.values()];
    for (const [at] of workers.entries()) {
      const worker = workers[(this.#next + at) % workers.length] as Worker;
      const token = randomUUID();
      const job: Job | undefined = await worker.getNextJob(token, { block: false });
      if (!job?.id || this.#isStillHeld(job, token)) continue;
      this.#next += at + 1;
      return this.#hold(worker, job, token);
    }
    return null;
  }

  /** It was lost while the server refused to renew its claim, and nobody else had it: it is not taken twice. */
  #isStillHeld(job: Job, token: string): boolean {
    const held = this.#held.get(job.id ?? '');
    if (held?.job.timestamp !== job.timestamp || held.isGivenBack) return false;
    held.token = token;
    return true;
  }

  #hold(worker: Worker, job: Job, token: string): TakenJob {
    const id = job.id ?? '';
    const held: Held = { worker, job, token, isGivenBack: false };
    this.#held.set(id, held);
    const letGo = async (work: () => Promise<unknown>) => {
      await insist(work);
      if (this.#held.get(id) === held) this.#held.delete(id);
    };
    const remove = () => job.remove();
    return {
      id,
      data: job.data,
      lost: job.stalledCounter,
      ageMs: async () => (await serverTime(this.#redis)) - job.timestamp,
      // Whose claim was lost while nobody else has it would be run again.
      finish: () => letGo(() => job.moveToCompleted(null, held.token, false).catch(unlessRefused(remove))),
      // At once: what is to come back later would do so by the clock of whoever looks.
      giveBack: () => {
        held.isGivenBack = true;
        return letGo(() => job.moveToWait(held.token));
      },
    };
  }

  async #renew(): Promise<void> {
    for (const worker of new Set([...this.#held.values()].map((it) => it.worker))) {
      const held = [...this.#held].filter(([, it]) => it.worker === worker);
      const ids = held.map(([id]) => id);
      const tokens = held.map(([, { token }]) => token);
      await worker.extendJobLocks(ids, tokens, this.#leaseMs);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#renewing);
    const workers = [...this.#workers.values()];
    // One that is closed while it still connects would go on trying for ever.
    await takeLeave(Promise.all(workers.map((worker) => worker.waitUntilReady())));
    await takeLeave(Promise.all(workers.map((worker) => worker.close(true))));
  }
}

/** Until it is done, or cannot be: without the claim, somebody else has the trial by now. */
async function insist(work: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + REFUSED_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isRefusal(error) || performance.now() >= until) return;
    }
    await delay(AGAIN_MS);
  }
}

function unlessRefused(otherwise: () => Promise<unknown>): (error: unknown) => Promise<unknown> {
  return async (error) => {
    if (isRefusal(error)) throw error;
    return await otherwise();
  };
}
