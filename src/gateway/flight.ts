/** One request of a client that has no whole answer yet, and what it is waiting for. */
import type { ModelFailure } from '../model/usage.ts';
import { beginningsOf } from './conversation.ts';
import type { Upstream } from './credentials.ts';
import { heldBack, stalled, type Trouble } from './failures.ts';
import type { Timings } from './timings.ts';

export interface FlightOptions {
  readonly upstream: Upstream;
  readonly timings: Pick<Timings, 'idleMs' | 'thinkingMs'>;
  readonly begunAt: number;
  /** What it asks; null: nothing. */
  readonly body: Buffer | null;
  onHeld(): void;
  onReleased(): void;
}

export class Flight {
  readonly begunAt: number;
  readonly #options: FlightOptions;
  #heldSince: number | null = null;
  #heldMs = 0;
  /** Why it was held back last. */
  #trouble: Trouble | null = null;
  #hasBegun = false;
  #silentSince = performance.now();
  /** Without even a sign of life. */
  #lifelessSince = performance.now();
  #clientBusySince: number | null = null;

  constructor(options: FlightOptions) {
    this.#options = options;
    this.begunAt = options.begunAt;
  }

  /** Of what it asks. Worked out only when something failed. */
  get beginnings(): readonly string[] {
    return beginningsOf(this.#options.body);
  }

  /** It waits for the upstream to recover. */
  hold(trouble: Trouble | null): void {
    this.#trouble = trouble;
    if (this.#heldSince !== null) return;
    this.#heldSince = performance.now();
    this.#options.onHeld();
  }

  release(): void {
    if (this.#heldSince === null) return;
    this.#heldMs += performance.now() - this.#heldSince;
    this.#heldSince = null;
    this.#options.onReleased();
  }

  /** It goes to the upstream, for the first time or once more. */
  sent(): void {
    this.release();
    this.#hasBegun = false;
    this.#silentSince = performance.now();
    this.#lifelessSince = this.#silentSince;
  }

  /** The upstream said something that is more than a sign of life. */
  heard(): void {
    this.#hasBegun = true;
    this.#silentSince = performance.now();
    this.#lifelessSince = this.#silentSince;
  }

  /** The upstream is there, but has nothing to say yet. */
  pulse(): void {
    this.#lifelessSince = performance.now();
  }

  /** While the client does not read, silence is not the upstream's fault. */
  clientBusy(): void {
    this.#clientBusySince = performance.now();
  }

  clientReady(): void {
    const busy = this.#clientBusySince === null ? 0 : performance.now() - this.#clientBusySince;
    this.#silentSince += busy;
    this.#lifelessSince += busy;
    this.#clientBusySince = null;
  }

  get silentMs(): number {
    return this.#now - this.#silentSince;
  }

  /** How much longer the upstream may say nothing before it has stalled. */
  get patienceMs(): number {
    const { idleMs, thinkingMs } = this.#options.timings;
    return Math.min(idleMs - (this.#now - this.#lifelessSince), thinkingMs - this.silentMs);
  }

  get #now(): number {
    return this.#clientBusySince ?? performance.now();
  }

  /** How the model failed, if the client went away at this moment; null: it did not. */
  get unanswered(): ModelFailure | null {
    const { upstream } = this.#options;
    if (this.#heldSince !== null) {
      return heldBack(upstream, this.#trouble, this.#heldMs + performance.now() - this.#heldSince);
    }
    if (this.patienceMs > 0) return null;
    return stalled(upstream, this.#hasBegun ? 'rest' : 'answer', this.silentMs, this.#trouble);
  }
}
