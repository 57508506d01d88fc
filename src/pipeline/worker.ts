/** `aam worker`: takes trials from a queue, runs them here with the credentials of this machine, and tells what came of them. */
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeOwnedFolder, removeOwnedFolder } from '../host/owned-folder.ts';
import type { Host } from '../model/host.ts';
import { jsonOrNull } from '../model/json-or-null.ts';
import { lacks, type WorkerFacts } from '../model/needs.ts';
import type { SharedLimits } from '../model/shared-limits.ts';
import { travelProblem } from '../model/travel/problem.ts';
import { anotherConnection, connect, type Redis, takeLeave, told, wordsOf } from '../queue/connection.ts';
import { Consumer, type TakenJob } from '../queue/consumer.ts';
import { CANCEL, SHARED_PREFIX, WAKE } from '../queue/keys.ts';
import { cancelMessage, trialJob } from '../queue/messages.ts';
import { openRateLimits } from '../queue/rate-limits.ts';
import { announceWorker, isRunning, listKinds, removeWorker } from '../queue/registry.ts';
import { findLeftovers, removeLeftovers } from './stale.ts';
import type { WorkerEvent } from './worker-events.ts';
import { observeOffer } from './worker-offer.ts';
import { WorkerRuns } from './worker-runs.ts';
import { WorkerTroubles } from './worker-troubles.ts';

export interface WorkerOptions {
  readonly host: Host;
  /** Of aam. */
  readonly version: string;
  readonly url: string;
  /** Agents at a time. */
  readonly jobs: number;
  readonly tags: readonly string[];
  readonly allowNetwork: boolean;
  readonly allowNoSandbox: boolean;
  /** So long after its last sign of life, its trials go to others. */
  readonly leaseSeconds: number;
  /** Takes nothing more, and ends when what is under way is done. */
  readonly drain: AbortSignal;
  readonly onEvent: (event: WorkerEvent) => void;
}

const LOOK_MS = 2000;
/** Where the wake-up call was lost. */
const IDLE_MS = 1000;
/** A trial that so many workers did not survive is not given to another one. */
const MAX_LOST = 3;
/** One that so often could not be run here is not tried again. */
const MAX_TROUBLES = 20;
const ABANDONED_MS = 600_000;
const LATER_MS = 2000;
const SEEN_MS = 1000;
const LEFT_MS = 500;

/** Settles when it is drained. Throws when it cannot begin. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  await removeLeftovers(await findLeftovers([], []));
  const redis = await connect(options.url);
  const heard = await anotherConnection(redis);
  const folder = realpathSync(await makeOwnedFolder(tmpdir(), 'worker'));
  const id = `${hostname()}-${randomBytes(3).toString('hex')}`;
  try {
    const offer = await observeOffer(options);
    await using limits = await openRateLimits(redis, SHARED_PREFIX);
    await using worker = new RunningWorker(redis, limits, id, options, offer, folder);
    await heard.subscribe(WAKE, CANCEL);
    heard.on('message', (channel, text) => (channel === WAKE ? worker.hear(text) : worker.cancel(text)));
    await worker.work();
  } catch (error) {
    throw told(error, options.url);
  } finally {
    heard.disconnect();
    // A server that is away has nothing to be told.
    if (redis.status === 'ready') await takeLeave(removeWorker(redis, id));
    redis.disconnect();
    await removeOwnedFolder(folder);
  }
}

class RunningWorker implements AsyncDisposable {
  readonly #redis: Redis;
  readonly #options: WorkerOptions;
  readonly #facts: Omit<WorkerFacts, 'active' | 'draining' | 'trouble'>;
  readonly #consumer: Consumer;
  readonly #runs: WorkerRuns;
  readonly #active = new Set<Promise<void>>();
  readonly #looking: NodeJS.Timeout;
  readonly #returning = new Set<Promise<void>>();
  readonly #troubles = new WorkerTroubles();
  readonly #seenRunning = new Map<string, number>();
  #places: number;
  #wake: () => void = () => {};
  #isLooking = false;
  #lastHeard = '';
  #lastComplaint = '';

  constructor(
    redis: Redis,
    limits: SharedLimits,
    id: string,
    options: WorkerOptions,
    offer: Omit<WorkerFacts, 'id' | 'active' | 'draining' | 'trouble'>,
    folder: string,
  ) {
    const { leaseSeconds, onEvent, drain } = options;
    this.#redis = redis;
    this.#options = options;
    this.#facts = { id, ...offer };
    this.#places = options.jobs;
    this.#consumer = new Consumer(redis, leaseSeconds * 1000, (error) => this.#complain(error));
    this.#runs = new WorkerRuns(redis, limits, id, options, join(folder, 'runs'));
    this.#looking = setInterval(() => void this.#look(), LOOK_MS);
    drain.addEventListener('abort', () => {
      onEvent({ type: 'draining', active: this.#active.size });
      void this.#look();
      this.wake();
    });
  }

  /** There is something of a run to take. */
  hear(run: string): void {
    // One that is new may need what nobody needed before.
    const looked = run === this.#lastHeard ? Promise.resolve() : this.#look();
    this.#lastHeard = run;
    void looked.then(() => this.wake());
  }

  wake(): void {
    this.#wake();
  }

  cancel(text: string): void {
    const { success, data } = cancelMessage.safeParse(jsonOrNull(text));
    if (success) this.#runs.cancel(data.run, data.session);
  }

  async work(): Promise<void> {
    const { drain, onEvent } = this.#options;
    await this.#look();
    onEvent({ type: 'ready', worker: this.#now() });
    while (!drain.aborted) {
      const job = this.#places > 0 && !this.#troubles.isResting ? await this.#take() : null;
      if (job === null) await this.#rest();
      else this.#begin(job);
    }
    await Promise.race([this.#allDone(), this.#isLeftAlone()]);
  }

  async #allDone(): Promise<void> {
    await Promise.all(this.#active);
    await Promise.all(this.#returning);
  }

  /** No agent runs any more, and the server that is to hear of them is away for longer than anybody waits for this worker. */
  async #isLeftAlone(): Promise<void> {
    for (let seen = performance.now(); performance.now() - seen < 2000 * this.#options.leaseSeconds; ) {
      if (this.#redis.status === 'ready' || this.#places < this.#options.jobs) seen = performance.now();
      await delay(LEFT_MS, null, { ref: false });
    }
  }

  /** A server that is away keeps nobody from ending. */
  async #take(): Promise<TakenJob | null> {
    const { drain } = this.#options;
    const taking = this.#consumer.take().catch(() => null);
    const ending = new AbortController();
    const drained = new Promise<null>((done) => {
      drain.addEventListener('abort', () => done(null), { signal: ending.signal });
    });
    const job = await Promise.race([taking, drained]);
    ending.abort();
    if (job === null && drain.aborted) void taking.then((late) => late?.giveBack());
    if (job === null) this.#troubles.pause();
    return job;
  }

  /** Until there is something to do, or a while has passed. */
  #rest(): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, this.#places > 0 ? IDLE_MS : 60_000);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  #begin(job: TakenJob): void {
    this.#places -= 1;
    let hasPlace = true;
    const free = () => {
      if (hasPlace) this.#places += 1;
      hasPlace = false;
      this.wake();
    };
    const done = this.#serve(job, free)
      .catch(async (error: Error) => {
        this.#complain(error);
        this.#giveBack(job);
      })
      .finally(() => {
        free();
        this.#active.delete(done);
      });
    this.#active.add(done);
  }

  /** After a while, unless this worker ends. */
  #giveBack(job: TakenJob): void {
    const waiting = delay(LATER_MS, null, { signal: this.#options.drain }).catch(() => {});
    const done = waiting.then(() => job.giveBack()).finally(() => this.#returning.delete(done));
    this.#returning.add(done);
  }

  /** `free`: the agent is done, and another one may start. */
  async #serve(job: TakenJob, free: () => void): Promise<void> {
    const { onEvent } = this.#options;
    const { success, data, error } = trialJob.safeParse(job.data);
    if (!success) {
      onEvent({
        type: 'refused',
        message: `a trial that no planner of ours has written: ${travelProblem(error)}`,
      });
      return await job.finish();
    }
    const { run, trial } = data;
    if (this.#runs.isCancelled(data)) return await job.finish();
    if (!(await this.#isRunning(run))) {
      // Its planner may come back; what nobody asks for any more costs money all the same.
      const isAbandoned = (await job.ageMs()) > ABANDONED_MS;
      return isAbandoned ? await job.finish() : this.#giveBack(job);
    }
    const why = job.lost >= MAX_LOST ? `${job.lost} workers were gone before they had finished it` : null;
    if (why !== null) return await this.#runs.decline(data, 'worker-lost', why).then(() => job.finish());
    onEvent({ type: 'start', run, trial: trial.id });
    const done = await this.#runs.execute(data, free);
    if ('trouble' in done) {
      onEvent({ type: 'refused', message: done.trouble });
      const times = this.#troubles.add(job.id, done);
      void this.#look();
      if (times < MAX_TROUBLES) return this.#giveBack(job);
      const why = `a worker tried it ${times} times and could not run it: ${done.trouble}`;
      await this.#runs.decline(data, 'no-worker', why);
    } else {
      this.#troubles.end();
      onEvent({ type: 'end', run, trial: trial.id, verdict: done.verdict, error: done.error });
    }
    this.#troubles.forget(job.id);
    await job.finish();
  }

  /** Asked once in a while: of many short trials, that would be a good part of what they take. */
  async #isRunning(run: string): Promise<boolean> {
    const now = performance.now();
    if (now - (this.#seenRunning.get(run) ?? -SEEN_MS) < SEEN_MS) return true;
    const isThere = await isRunning(this.#redis, run);
    if (isThere) this.#seenRunning.set(run, now);
    else this.#seenRunning.delete(run);
    return isThere;
  }

  /** A sign of life, and what there may be to do. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await announceWorker(this.#redis, this.#now());
      const kinds = await listKinds(this.#redis);
      const offer = { ...this.#facts, draining: false, trouble: null };
      await this.#consumer.serve(kinds.filter((needs) => lacks(offer, needs).length === 0));
      await this.#runs.closeIdle();
      this.#lastComplaint = '';
    } catch (error) {
      this.#complain(error);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Says it once, until it is something else or all is well again. */
  #complain(error: unknown): void {
    const message = wordsOf(error);
    if (message !== this.#lastComplaint) this.#options.onEvent({ type: 'error', message });
    this.#lastComplaint = message;
  }

  #now(): WorkerFacts {
    const { message: trouble } = this.#troubles;
    return { ...this.#facts, active: this.#active.size, draining: this.#options.drain.aborted, trouble };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looking);
    await this.#runs[Symbol.asyncDispose]();
    await this.#consumer[Symbol.asyncDispose]();
  }
}
