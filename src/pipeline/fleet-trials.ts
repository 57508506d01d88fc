/** The trials of a run on workers: which still wait here, which are in the queue, and what became of them. No queue here. */
import type { ErrorKind, Trial, TrialResult } from '../model/trial.ts';
import { bothSpent, NO_USAGE, type Spent, type Usage } from '../model/usage.ts';
import type { TrialEvent } from '../queue/messages.ts';
import type { RunFacts } from '../queue/registry.ts';
import { type CostBudget, spentOn } from './eval-cost.ts';
import type { RunWatch } from './site.ts';
import { undecidedTrial } from './trial.ts';

export interface Pending {
  readonly trial: Trial;
  usage: Usage;
  isBegun: boolean;
  /** How often it was put into the queue. */
  asked: number;
}

/** More than workers use at once, so that none waits; not much more, so that runs share the workers. */
const PER_PLACE = 3;
const MIN_QUEUED = 16;
/** So much of the room is filled with one question to the server. */
const AT_ONCE = 0.25;

export class FleetTrials {
  readonly #budget: CostBudget;
  readonly #maxTokens: number | null;
  /** Nobody was asked for them yet. */
  #fresh: Trial[] = [];
  /** The queue has lost them. */
  readonly #again: Pending[] = [];
  readonly #queued = new Map<string, Pending>();
  /** Neither in the queue nor answered when last looked at. */
  #missing = new Set<string>();
  readonly #counts = { total: 0, finished: 0, failed: 0, undecided: 0 };
  #spent: Spent;
  #watch: RunWatch | null = null;
  #settle: () => void = () => {};

  /** `spent`: on what the run has taken already. */
  constructor(budget: CostBudget, maxTokens: number | null, spent: Spent) {
    this.#budget = budget;
    this.#maxTokens = maxTokens;
    this.#spent = spent;
  }

  /** To be called once. Settles when all are decided. */
  decide(trials: readonly Trial[], watch: RunWatch): Promise<void> {
    this.#counts.total = trials.length;
    this.#fresh = [...trials];
    this.#watch = watch;
    return new Promise((settle) => {
      this.#settle = settle;
      if (this.isEmpty) settle();
    });
  }

  get isEmpty(): boolean {
    return this.#queued.size + this.#again.length + this.#fresh.length === 0;
  }

  /** In the queue, or with a worker. */
  get queued(): string[] {
    return [...this.#queued.keys()];
  }

  get counts(): Pick<RunFacts, 'total' | 'finished' | 'failed' | 'undecided' | 'queued'> {
    return { ...this.#counts, queued: this.#queued.size };
  }

  /** On all that is finished. */
  get spent(): Spent {
    return this.#spent;
  }

  /** Why nothing more may be spent. */
  get stopped(): string | null {
    const { tokens } = this.#spent;
    if (this.#maxTokens !== null && tokens >= this.#maxTokens)
      return `the run has used ${tokens} tokens, and its budget is ${this.#maxTokens}`;
    return this.#budget.stopped;
  }

  /** Those that go into the queue now: none, or several at once. `places`: agents that workers run at a time. */
  next(places: number): Pending[] {
    const room = Math.max(MIN_QUEUED, PER_PLACE * places);
    const free = room - this.#queued.size;
    if (free < room * AT_ONCE) return [];
    const again = this.#again.splice(0, free);
    const next = [...again, ...this.#fresh.splice(0, free - again.length).map(pendingOf)];
    for (const it of next) this.#queued.set(it.trial.id, it);
    return next;
  }

  /** Somebody tells about it, so that it is in the queue or was. null: it is decided, or nobody asked for it. */
  of(trial: string): Pending | null {
    const queued = this.#queued.get(trial);
    if (queued) return queued;
    // An earlier process of this run had asked for it.
    const asked = taken(this.#again, (it) => it.trial.id === trial);
    const fresh = asked ? null : taken(this.#fresh, ({ id }) => id === trial);
    const found = asked ?? (fresh && pendingOf(fresh));
    if (found) this.#queued.set(trial, found);
    return found;
  }

  /** Whether it is still to be decided. */
  isOpen(it: Pending): boolean {
    return this.of(it.trial.id) === it;
  }

  /** Of short ones nobody tells that they have begun; others begin again, where a worker was lost. */
  follow(it: Pending, event: TrialEvent): void {
    const isBegun = it.isBegun && event.type !== 'started';
    if (!isBegun && event.type !== 'trouble') {
      it.isBegun = true;
      it.usage = NO_USAGE;
      this.#watch?.onStart(it.trial, () => it.usage);
    }
    if (event.type === 'usage') it.usage = event.usage;
    if (event.type === 'judging') this.#watch?.onJudge(it.trial);
  }

  /**
   * `gone`: those that are not in the queue. Between the end of a trial and the word of it there is a moment: only who is
   * missed twice waits again.
   */
  miss(gone: readonly string[]): void {
    const again = gone.filter((id) => this.#missing.has(id));
    this.#missing = new Set(gone);
    for (const id of again) {
      const it = this.#queued.get(id);
      this.#queued.delete(id);
      this.#missing.delete(id);
      if (it) this.#again.push(it);
    }
  }

  finish(it: Pending, result: TrialResult, onKept: () => void): void {
    this.#queued.delete(it.trial.id);
    this.#missing.delete(it.trial.id);
    this.#budget.spend(result);
    if (result.judged) this.#budget.spendOnJudge(result.judged);
    this.#spent = bothSpent(this.#spent, spentOn([result]));
    this.#counts.finished += 1;
    if (result.verdict === 'FAIL') this.#counts.failed += 1;
    if (result.verdict === 'SKIP') this.#counts.undecided += 1;
    this.#watch?.onEnd(it.trial, { result, fault: null, onKept });
    if (this.isEmpty) this.#settle();
  }

  undecide(it: Pending, kind: ErrorKind, why: string): void {
    this.finish(it, undecidedTrial(it.trial, kind, why), () => {});
  }

  undecideWaiting(kind: ErrorKind, why: string): void {
    for (const it of [...this.#again.splice(0), ...this.#fresh.splice(0).map(pendingOf)])
      this.undecide(it, kind, why);
  }

  /** One that no worker has; unless it is decided by now. */
  undecideQueued(trial: string, kind: ErrorKind, why: string): void {
    const it = this.#queued.get(trial);
    if (it) this.undecide(it, kind, why);
  }

  undecideAll(kind: ErrorKind, why: string): void {
    for (const it of this.#queued.values()) this.undecide(it, kind, why);
    this.undecideWaiting(kind, why);
  }
}

function pendingOf(trial: Trial): Pending {
  return { trial, usage: NO_USAGE, isBegun: false, asked: 0 };
}

/** The first one that is meant, out of the list; null: none is. */
function taken<Item>(list: Item[], isMeant: (item: Item) => boolean): Item | null {
  const at = list.findIndex(isMeant);
  return at < 0 ? null : (list.splice(at, 1)[0] ?? null);
}
