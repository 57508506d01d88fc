/** What a door remembers beside the account. */
import type { ModelFailure } from '../model/usage.ts';

export class DoorState {
  #failure: ModelFailure | null = null;
  /** Requests and failures in the order they began or came. */
  #moment = 0;
  #failedAt = 0;
  #retries = 0;
  #waitedMs = 0;

  get failure(): ModelFailure | null {
    return this.#failure;
  }

  get retries(): number {
    return this.#retries;
  }

  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** The moment a request begins, for `succeed`. */
  begin(): number {
    this.#moment += 1;
    return this.#moment;
  }

  fail(failure: ModelFailure): void {
    this.#failedAt = this.begin();
    this.#failure = failure;
  }

  /** Only a request that began after the failure shows that the model is back. */
  succeed(begunAt: number): void {
    if (begunAt > this.#failedAt) this.#failure = null;
  }

  retried(): void {
    this.#retries += 1;
  }

  waited(ms: number): void {
    this.#waitedMs += ms;
  }
}
