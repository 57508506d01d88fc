/** How long a run waits for workers that can serve it. No queue here. */
import { lacks, type WorkerFacts, type WorkerNeeds } from '../model/needs.ts';
import type { EvalEvent } from './eval-events.ts';
import { able, whyNobody } from './fleet-needs.ts';

/** What is not waited for any more: all trials, or only those that no worker has. */
export type GivenUp = { readonly what: 'all' | 'untaken'; readonly why: string };

const AGAIN = 'it is tried again until --queue-wait is over';

export class FleetWait {
  readonly #needs: WorkerNeeds;
  readonly #waitMs: number;
  readonly #onEvent: ((event: EvalEvent) => void) | undefined;
  #servedAt = performance.now();
  /** When somebody was last seen who takes nothing more, and works on what there is. */
  #finishedAt = Number.NEGATIVE_INFINITY;
  #told: string | null = null;

  constructor(needs: WorkerNeeds, waitSeconds: number, onEvent: ((event: EvalEvent) => void) | undefined) {
    this.#needs = needs;
    this.#waitMs = waitSeconds * 1000;
    this.#onEvent = onEvent;
  }

  /** Agents that those who are there run at a time. */
  see(workers: readonly WorkerFacts[]): number {
    const places = able(workers, this.#needs).reduce((sum, worker) => sum + worker.jobs, 0);
    if (places > 0) {
      this.#servedAt = performance.now();
      this.#told = null;
    }
    const isFinishing = (worker: WorkerFacts) =>
      worker.active > 0 && lacks({ ...worker, draining: false, trouble: null }, this.#needs).length === 0;
    if (workers.some(isFinishing)) this.#finishedAt = performance.now();
    return places;
  }

  /** Nobody of these can serve. null: it is waited on. */
  forWorkers(workers: readonly WorkerFacts[]): GivenUp | null {
    const { message, details } = whyNobody(workers, this.#needs);
    return this.#wait(message, details);
  }

  forServer(): GivenUp | null {
    return this.#wait('the queue cannot be reached any more', [AGAIN]);
  }

  /** Where a run and its workers cannot even say that they are there. */
  forRefusal(words: string): GivenUp | null {
    return this.#wait(`the queue refuses what it is told: ${words}`, [AGAIN]);
  }

  /** Tells it once. */
  #wait(message: string, details: string[]): GivenUp | null {
    if (this.#told !== message) this.#onEvent?.({ type: 'waiting', message, details });
    this.#told = message;
    const isOver = (since: number) => performance.now() - since > this.#waitMs;
    if (!isOver(this.#servedAt)) return null;
    const why = [message, ...details].join('; ');
    return { what: isOver(this.#finishedAt) ? 'all' : 'untaken', why };
  }
}
