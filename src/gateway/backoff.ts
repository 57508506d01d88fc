/** When to send again. One instance per provider serves all trials of a run. */
import { setTimeout as delay } from 'node:timers/promises';
import type { StatusTrouble, Trouble } from './failures.ts';
import type { Timings } from './timings.ts';

export interface Clock {
  /** Only goes forward, whatever is done to the clock on the wall. */
  now(): number;
  /** The clock on the wall, for moments that an upstream names. */
  date(): number;
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
  random: Math.random,
};

/** Spreads the requests that wait for the same moment, as a part of the pause. */
const SPREAD = 0.25;

export class Backoff {
  readonly #clock: Clock;
  readonly #timings: Timings;
  readonly #onHold: (ms: number, trouble: StatusTrouble) => void;
  /** No trial sends anything before this moment. */
  #until = 0;
  #trouble: Trouble | null = null;

  /** `onHold`: tells those who ask the same provider elsewhere. */
  constructor(
    clock: Clock,
    timings: Timings,
    onHold: (ms: number, trouble: StatusTrouble) => void = () => {},
  ) {
    this.#clock = clock;
    this.#timings = timings;
    this.#onHold = onHold;
  }

  get now(): number {
    return this.#clock.now();
  }

  get date(): number {
    return this.#clock.date();
  }

  /** The pause after a failed attempt; null: give up. */
  pauseAfter(
    attempt: number,
    askedMs: number | null,
    waitedMs: number,
    maxWaitMs = this.#timings.maxWaitMs,
  ): number | null {
    const { attempts, firstPauseMs } = this.#timings;
    if (attempt >= attempts) return null;
    const pause = askedMs ?? firstPauseMs * 2 ** (attempt - 1);
    if (waitedMs + pause > maxWaitMs) return null;
    return pause;
  }

  /** Makes every trial wait, here and elsewhere. */
  hold(ms: number, trouble: StatusTrouble): void {
    this.#keep(ms, trouble);
    this.#onHold(ms, trouble);
  }

  /** Others were asked to wait. They may be more patient than this run. */
  heldElsewhere(ms: number, trouble: StatusTrouble): void {
    if (ms > 0) this.#keep(Math.min(ms, this.#timings.maxWaitMs), trouble);
  }

  #keep(ms: number, trouble: StatusTrouble): void {
    this.#until = Math.max(this.#until, this.#clock.now() + ms);
    this.#trouble = trouble;
  }

  /** Why every trial waits, or had to wait last. */
  get trouble(): Trouble | null {
    return this.#trouble;
  }

  mustWait(ownMs: number): boolean {
    return ownMs > 0 || this.#until > this.#clock.now();
  }

  /** Waits for the pause of this request and for the one that holds everybody; says how long that took. */
  async wait(
    ownMs: number,
    waitedMs: number,
    signal: AbortSignal,
    maxWaitMs = this.#timings.maxWaitMs,
  ): Promise<number> {
    const started = this.#clock.now();
    const pause = Math.max(ownMs, this.#until - started);
    if (pause <= 0) return 0;
    const spread = pause * (1 + SPREAD * this.#clock.random());
    const left = Math.max(pause, maxWaitMs - waitedMs);
    await this.#clock.sleep(Math.min(spread, left), signal);
    return this.#clock.now() - started;
  }

  /** Waits for as long as was told, whoever else waits; says how long that took. */
  async rest(ms: number, signal: AbortSignal): Promise<number> {
    const started = this.#clock.now();
    await this.#clock.sleep(Math.max(1, ms), signal);
    return this.#clock.now() - started;
  }
}
