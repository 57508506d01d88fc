/** Executes trials on workers: keeps so many in the queue as they can use, and takes what they tell. */
import type { Case } from '../model/case.ts';
import type { WorkerNeeds } from '../model/needs.ts';
import type { ErrorKind, Trial } from '../model/trial.ts';
import type { Spent } from '../model/usage.ts';
import { BUNDLE_SECONDS, keepBundle, putBlob } from '../queue/blobs.ts';
import { forgetCapture } from '../queue/captures.ts';
import { isRefusal, type Redis, takeLeave, wordsOf } from '../queue/connection.ts';
import { SHARED_PREFIX } from '../queue/keys.ts';
import type { TrialEvent, TrialJob } from '../queue/messages.ts';
import { Producer } from '../queue/producer.ts';
import { announceRun, listWorkers, type RunFacts, removeRun } from '../queue/registry.ts';
import { tellUntold } from '../queue/run-budget.ts';
import { answeredTrials, endEvents, readEvents, TakenEvents } from '../queue/trial-events.ts';
import type { CostBudget } from './eval-cost.ts';
import type { EvalEvent } from './eval-events.ts';
import type { EvalPlan } from './eval-plan.ts';
import { answerOf } from './fleet-answer.ts';
import { jobOf } from './fleet-job.ts';
import { FleetTrials, type Pending } from './fleet-trials.ts';
import { FleetWait, type GivenUp } from './fleet-wait.ts';
import type { Redaction } from './redaction.ts';
import type { Executor, RunRecords, RunWatch } from './site.ts';

export interface FleetSetting {
  readonly redis: Redis;
  /** For what blocks. */
  readonly events: Redis;
  readonly plan: EvalPlan;
  readonly needs: WorkerNeeds;
  readonly records: RunRecords;
  readonly redaction: Redaction;
  readonly bundle: { readonly sha256: string; readonly bytes: Buffer; travelling(it: Case): Case };
  readonly budget: CostBudget;
  readonly maxTokens: number | null;
  /** Another process may have asked for its trials before. */
  readonly isResumed: boolean;
  /** On what the run has taken already. */
  readonly spent: Spent;
  readonly waitSeconds: number;
  /** Agents that the workers of the beginning run at a time. */
  readonly places: number;
  readonly about: Pick<RunFacts, 'package' | 'host' | 'since'>;
  readonly signal: AbortSignal;
  readonly onEvent: ((event: EvalEvent) => void) | undefined;
}

/** A trial is asked for again when the queue has lost it; not without end, for each time may cost money. */
const MAX_ASKED = 5;
const LOOK_MS = 2000;

export class FleetExecutor implements Executor, AsyncDisposable {
  readonly budget: CostBudget;
  readonly #setting: FleetSetting;
  readonly #producer: Producer;
  readonly #trials: FleetTrials;
  readonly #taken: TakenEvents;
  readonly #wait: FleetWait;
  /** null: nothing was asked for yet. */
  #listening: Promise<void> | null = null;
  readonly #looking: NodeJS.Timeout;
  readonly #closed = new AbortController();
  readonly #troubles = new Set<string>();
  #isLooking = false;
  #places: number;
  #filling: Promise<void> | null = null;
  #cancelling: Promise<void> | null = null;
  #isDrained = false;

  constructor(setting: FleetSetting) {
    this.#setting = setting;
    this.budget = setting.budget;
    this.#trials = new FleetTrials(setting.budget, setting.maxTokens, setting.spent);
    this.#taken = new TakenEvents(setting.redis, setting.records.id);
    this.#producer = new Producer(setting.redis, setting.records.id, setting.records.session, setting.needs);
    this.#wait = new FleetWait(setting.needs, setting.waitSeconds, setting.onEvent);
    this.#places = setting.places;
    this.#looking = setInterval(() => void this.#look(), LOOK_MS);
    setting.signal.addEventListener('abort', () => this.#interrupt(), { once: true });
  }

  get #isLimited(): boolean {
    return this.#setting.maxTokens !== null || this.budget.left !== null;
  }

  get warnings(): readonly string[] {
    return [...this.#troubles];
  }

  runAll(trials: readonly Trial[], watch: RunWatch): Promise<void> {
    const decided = this.#trials.decide(trials, watch);
    // Not before: what is told about trials that nobody has asked for yet would be taken for old news.
    this.#listening ??= this.#listen();
    this.#fill();
    return decided;
  }

  /** What an earlier process of the run had asked for may have been answered: that comes first. */
  #fill(): void {
    if (!this.#isDrained || this.#filling) return;
    this.#filling = this.#put()
      .catch(() => {})
      .finally(() => {
        this.#filling = null;
      });
  }

  async #put(): Promise<void> {
    // All that is asked for at once goes there at once.
    await Promise.resolve();
    for (;;) {
      const { signal } = this.#setting;
      const { stopped } = this.#trials;
      if (signal.aborted) return this.#interrupt();
      if (stopped !== null) return await this.#undecideUntaken('budget', stopped);
      const next = this.#trials.next(this.#places);
      if (next.length === 0) return;
      const there = await this.#thereOf(next);
      const absent = next.filter((it) => !there.has(it.trial.id));
      // One that could not be put there is missed when it is looked for.
      await this.#producer.add(absent.flatMap((it) => this.#jobOf(it) ?? []));
    }
  }

  /** Which of those that may have been asked for before are still in the queue, or answered meanwhile. */
  async #thereOf(pending: readonly Pending[]): Promise<ReadonlySet<string>> {
    const { redis, records, isResumed } = this.#setting;
    const ids = pending.filter(({ asked }) => isResumed || asked > 0).map(({ trial }) => trial.id);
    if (ids.length === 0) return new Set();
    // What an earlier process asked for may need files that nobody keeps any more, and have other limits.
    await this.#producer.takeBack(pending.flatMap(({ asked, trial }) => (asked === 0 ? [trial.id] : [])));
    const gone = new Set(await this.#producer.missing(ids));
    // In this order: whoever was gone from the queue had told before that it was done.
    const answered = await answeredTrials(redis, records.id);
    return new Set([...ids.filter((id) => !gone.has(id)), ...answered]);
  }

  /** null: it is decided that it cannot be asked for. */
  #jobOf(it: Pending): TrialJob | null {
    it.asked += 1;
    if (it.asked > MAX_ASKED) {
      this.#trials.undecide(
        it,
        'worker-lost',
        `it was put into the queue ${MAX_ASKED} times, and no answer came that could be used`,
      );
      return null;
    }
    const job = jobOf(it.trial, this.#setting);
    if (!('problem' in job)) return job;
    this.#trials.undecide(it, 'internal', `it cannot travel to a worker: ${job.problem}`);
    return null;
  }

  async #listen(): Promise<void> {
    const { events, records } = this.#setting;
    let last = '0';
    while (!this.#closed.signal.aborted) {
      try {
        const read = await readEvents(events, records.id, last, this.#isDrained);
        if (read.length === 0 && !this.#isDrained) {
          this.#isDrained = true;
          await this.#look();
          this.#fill();
        }
        for (const { id, event } of read) {
          const isNeeded = event !== null && (await this.#hear(event, id));
          if (!isNeeded) this.#taken.add(id);
          // Not before: what could not be taken is read again.
          last = id;
        }
      } catch {
        // The server is away; what workers told is there when it is back, or asked for again.
        await new Promise((done) => setTimeout(done, 200));
      }
    }
  }

  /** Whether the event is needed until its result is kept. */
  async #hear(event: TrialEvent, id: string): Promise<boolean> {
    const { redis, records, signal } = this.#setting;
    // What is told after Ctrl-C is for the process that goes on with the run.
    if (signal.aborted) return true;
    const it = this.#trials.of(event.trial);
    if (it) this.#trials.follow(it, event);
    if (event.type === 'trouble' && it)
      this.#troubles.add(`the worker ${event.worker} could not run a case: ${event.message}`);
    if (event.type !== 'done') return false;
    const { capture } = event;
    const forget = async () => capture !== null && (await forgetCapture(redis, records.id, capture));
    const result = it && (await answerOf(event, it.trial, this.#setting));
    if (signal.aborted) return true;
    // It was decided before, by somebody else or for want of an answer.
    if (!it || !this.#trials.isOpen(it)) {
      await forget();
      return false;
    }
    // The server has lost the capture: the trial is missed, and asked for again.
    if (result === null) return false;
    this.#trials.finish(it, result, () => {
      this.#taken.add(id);
      forget().catch(() => {});
    });
    this.#fill();
    return true;
  }

  /** Signs of life, who is there, and whether all that was asked for is still asked for. */
  async #look(): Promise<void> {
    const isAway = this.#setting.redis.status !== 'ready';
    if (isAway && !this.#trials.isEmpty) await this.#giveUp(this.#wait.forServer());
    if (this.#isLooking) return;
    this.#isLooking = true;
    // A server that is away is looked for again.
    await this.#lookOnce().catch((error) => this.#refused(error));
    this.#isLooking = false;
  }

  async #refused(error: unknown): Promise<void> {
    const { signal } = this.#setting;
    if (!isRefusal(error) || signal.aborted || this.#trials.isEmpty) return;
    await this.#giveUp(this.#wait.forRefusal(wordsOf(error))).catch(() => {});
  }

  async #lookOnce(): Promise<void> {
    const { redis, bundle, records, signal } = this.#setting;
    if (signal.aborted) return;
    // Whoever finds the run finds its files, and what it has spent.
    if (!(await keepBundle(redis, bundle.sha256))) await putBlob(redis, bundle.bytes, BUNDLE_SECONDS);
    if (this.#isLimited) await tellUntold(redis, SHARED_PREFIX, records.id, this.#trials.spent);
    if (!signal.aborted) await announceRun(redis, this.#facts());
    const workers = await listWorkers(redis);
    const places = this.#wait.see(workers);
    if (places > 0) this.#places = places;
    else if (!this.#trials.isEmpty) await this.#giveUp(this.#wait.forWorkers(workers));
    this.#trials.miss(await this.#producer.missing(this.#trials.queued));
    this.#fill();
  }

  #facts(): RunFacts {
    const { records, needs, about } = this.#setting;
    return { id: records.id, ...about, needs, ...this.#trials.counts };
  }

  async #giveUp(given: GivenUp | null): Promise<void> {
    if (given === null) return;
    if (given.what === 'untaken') return await this.#undecideUntaken('no-worker', given.why);
    if (this.#setting.redis.status === 'ready')
      await this.#producer.cancel(this.#trials.queued).catch(() => {});
    this.#trials.undecideAll('no-worker', given.why);
  }

  /** Those that no worker has. */
  async #undecideUntaken(kind: ErrorKind, why: string): Promise<void> {
    const { redis, records } = this.#setting;
    this.#trials.undecideWaiting(kind, why);
    if (redis.status !== 'ready') return;
    const untaken = await this.#producer.takeBack(this.#trials.queued);
    // In this order: whoever was gone from the queue had told before that it was done.
    const answered = new Set(await answeredTrials(redis, records.id));
    for (const id of untaken.filter((it) => !answered.has(it))) this.#trials.undecideQueued(id, kind, why);
  }

  #interrupt(): void {
    this.#cancelling ??= this.#cancel(this.#trials.queued).catch(() => {});
    this.#trials.undecideAll('interrupted', 'the run was interrupted before this case had been decided');
  }

  /** Who takes a trial from now on finds nobody who asks for it. */
  async #cancel(trials: readonly string[]): Promise<void> {
    await removeRun(this.#setting.redis, this.#setting.records.id);
    await this.#producer.cancel(trials);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looking);
    this.#closed.abort();
    const { redis, events } = this.#setting;
    events.disconnect();
    // A server that is away has nothing to be told.
    if (redis.status === 'ready') await takeLeave(this.#tidyUp());
    redis.disconnect();
    await takeLeave(this.#producer[Symbol.asyncDispose]());
  }

  async #tidyUp(): Promise<void> {
    const { redis, records, signal } = this.#setting;
    await this.#listening;
    await this.#filling;
    await this.#cancelling;
    await this.#taken.remove();
    await removeRun(redis, records.id);
    // What came too late for an interrupted run is there when it goes on.
    if (!signal.aborted) await endEvents(redis, records.id);
  }
}
