/** What a door remembers beside the account. */
import type { ModelFailure } from '../model/usage.ts';
import type { Upstream } from './credentials.ts';
import { Flight } from './flight.ts';
import type { Timings } from './timings.ts';

const MAX_REFUSED = 20;
const MAX_UNRECOVERED = 1000;

export class DoorState {
  readonly #upstream: Upstream;
  readonly #timings: Timings;
  /** Requests to the model that are under way. */
  readonly #flights = new Set<Flight>();
  readonly #refused = new Set<string>();
  /** By the conversation that got no answer. */
  readonly #unrecovered = new Map<string, ModelFailure>();
  /** Requests and failures in the order they began or came. */
  #moment = 0;
  #failure: ModelFailure | null = null;
  #failedAt = 0;
  /** Of a request whose client did not live to see an answer. */
  #abandoned: ModelFailure | null = null;
  #abandonedAt = 0;
  #tapeMiss: string | null = null;
  #retries = 0;
  #held = 0;
  #heldSince = 0;
  #waitedMs = 0;

  constructor(upstream: Upstream, timings: Timings) {
    this.#upstream = upstream;
    this.#timings = timings;
  }

  get failure(): ModelFailure | null {
    return this.#failure;
  }

  get unanswered(): ModelFailure | null {
    const underWay = [...this.#flights].map((it) => it.unanswered).find((it) => it !== null);
    return underWay ?? this.#abandoned;
  }

  get unrecovered(): readonly ModelFailure[] {
    return [...this.#unrecovered.values()];
  }

  get refused(): readonly string[] {
    return [...this.#refused];
  }

  get tapeMiss(): string | null {
    return this.#tapeMiss;
  }

  get retries(): number {
    return this.#retries;
  }

  get waitedMs(): number {
    return this.#waitedMs + (this.#held > 0 ? performance.now() - this.#heldSince : 0);
  }

  /** Only requests to the model leave a trace here. */
  begin(isModel: boolean, body: Buffer | null): Flight {
    const flight = new Flight({
      upstream: this.#upstream,
      timings: this.#timings,
      begunAt: this.#next(),
      body,
      onHeld: () => isModel && this.#hold(),
      onReleased: () => isModel && this.#release(),
    });
    if (isModel) this.#flights.add(flight);
    return flight;
  }

  /** To be called when the client went away before it had its answer. */
  abandon(flight: Flight): void {
    const failure = this.#flights.has(flight) ? flight.unanswered : null;
    if (failure) {
      this.#abandoned = failure;
      this.#abandonedAt = this.#next();
    }
    this.end(flight);
  }

  end(flight: Flight): void {
    flight.release();
    this.#flights.delete(flight);
  }

  /** `flight`: null when no request to the model was made. */
  fail(failure: ModelFailure, flight: Flight | null): void {
    this.#failedAt = this.#next();
    this.#failure = failure;
    if (flight === null || failure.kind === 'bad-request' || this.#unrecovered.size >= MAX_UNRECOVERED)
      return;
    this.#unrecovered.set(flight.beginnings.at(-1) ?? '', failure);
  }

  /** Only a request that began after the failure shows that the model is back. */
  succeed(flight: Flight): void {
    const { begunAt } = flight;
    if (this.#unrecovered.size > 0) for (const it of flight.beginnings) this.#unrecovered.delete(it);
    if (begunAt > this.#failedAt) this.#failure = null;
    if (begunAt > this.#abandonedAt) this.#abandoned = null;
  }

  retried(): void {
    this.#retries += 1;
  }

  refuse(text: string): void {
    if (this.#refused.size < MAX_REFUSED) this.#refused.add(text);
  }

  /** The first one tells most: what follows may come of it. */
  miss(difference: string): void {
    this.#tapeMiss ??= difference;
  }

  #next(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /** Requests that wait at the same time wait once. */
  #hold(): void {
    if (this.#held === 0) this.#heldSince = performance.now();
    this.#held += 1;
  }

  #release(): void {
    this.#held -= 1;
    if (this.#held === 0) this.#waitedMs += performance.now() - this.#heldSince;
  }
}
