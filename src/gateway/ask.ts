/** Sends a request as often as it takes and is allowed. Nothing has reached the client meanwhile. */
import type { IncomingMessage } from 'node:http';
import type { ModelFailure } from '../model/usage.ts';
import { type Attempt, attempt, type Call, type Pool } from './attempt.ts';
import type { Backoff } from './backoff.ts';
import type { Upstream } from './credentials.ts';
import { stalled, unreachable } from './failures.ts';
import { retryAfter } from './retry-after.ts';
import type { Timings } from './timings.ts';

export interface AskContext {
  readonly upstream: Upstream;
  readonly backoff: Backoff;
  readonly pool: Pool;
  readonly timings: Timings;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Says why nothing may be sent; null: it may. */
  refusal(): ModelFailure | null;
  onRetry(): void;
  onWaited(ms: number): void;
}

/** An answer, with a good status or with one that is not worth another attempt; else why there is none. */
export type Asked = { readonly answer: IncomingMessage } | { readonly failure: ModelFailure };

const RETRIED = new Set([429, 500, 502, 503, 504, 529]);
/** These speak about the server as a whole; any other may be about this one request. */
const HOLDS_EVERYBODY = new Set([429, 503, 529]);

/** Rejects when the signal aborts. */
export async function ask(call: Call, context: AskContext): Promise<Asked> {
  const { upstream, backoff, timings, signal } = context;
  let waited = 0;
  let pause = 0;
  for (let number = 1; ; number += 1) {
    const took = await backoff.wait(pause, waited, signal);
    waited += took;
    context.onWaited(took);
    const refusal = context.refusal();
    if (refusal) return { failure: refusal };
    if (number > 1) context.onRetry();
    const result = await attemptFresh(call, context);
    signal.throwIfAborted();
    if (result.state === 'silent') return { failure: stalled(upstream, 'answer', timings.headerMs) };
    if (result.state === 'answered' && !RETRIED.has(result.answer.statusCode ?? 0)) return result;
    const asked = result.state === 'answered' ? retryAfter(result.answer.headers, backoff.now) : null;
    const next = backoff.pauseAfter(number, asked, waited);
    if (next === null) {
      return result.state === 'answered' ? result : { failure: unreachable(upstream, result.error) };
    }
    pause = next;
    if (result.state === 'answered') {
      if (asked !== null || HOLDS_EVERYBODY.has(result.answer.statusCode ?? 0)) backoff.hold(pause);
      result.answer.on('error', () => {}).destroy();
    }
  }
}

/** A kept connection that turns out to be dead says nothing about the server. */
async function attemptFresh(call: Call, { pool, timings, signal }: AskContext): Promise<Attempt> {
  for (;;) {
    const result = await attempt(call, pool, timings, signal);
    if (result.state !== 'unreachable' || !result.isStale || signal.aborted) return result;
  }
}
