/** Sends a request as often as it takes and is allowed. Nothing has reached the client meanwhile. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ModelFailure } from '../model/usage.ts';
import { type Attempt, attempt, type Call, type Pool } from './attempt.ts';
import { stalled, type Trouble, unreachable } from './failures.ts';
import { retryAfter } from './retry-after.ts';
import { type TurnContext, waitForTurn } from './turn.ts';

export interface AskContext extends TurnContext {
  readonly pool: Pool;
  /** Says why nothing may be sent; null: it may. */
  refusal(): ModelFailure | null;
  onRetry(): void;
}

/** An answer, with a good status or with one that is not worth another attempt; else why there is none. */
export type Asked = { readonly answer: IncomingMessage } | { readonly failure: ModelFailure };

const RETRIED = new Set([429, 500, 502, 503, 504, 529]);
/** These speak about the server as a whole; any other may be about this one request. */
const HOLDS_EVERYBODY = new Set([429, 503, 529]);

/** Rejects when the signal aborts. */
export async function ask(call: Call, context: AskContext): Promise<Asked> {
  const { upstream, backoff, timings, flight, signal } = context;
  const ticket = randomUUID();
  let waited = 0;
  let pause = 0;
  let trouble: Trouble | null = null;
  for (let number = 1; ; number += 1) {
    const turn = await waitForTurn(context, { pauseMs: pause, waitedMs: waited, trouble, ticket });
    if ('failure' in turn) return turn;
    waited = turn.waitedMs;
    flight.sent();
    const refusal = context.refusal();
    if (refusal) return { failure: refusal };
    if (number > 1) context.onRetry();
    const result = await attemptFresh(call, context);
    signal.throwIfAborted();
    if (result.state === 'silent') return { failure: stalled(upstream, 'answer', timings.headerMs, trouble) };
    const answer = result.state === 'answered' ? result.answer : null;
    if (answer) flight.heard();
    const status = answer?.statusCode ?? 0;
    if (answer && !RETRIED.has(status)) return { answer };
    const asked = answer ? retryAfter(answer.headers, backoff.date) : null;
    const next = backoff.pauseAfter(number, asked, waited, timings.maxWaitMs);
    if (next === null) {
      return result.state === 'answered' ? result : { failure: unreachable(upstream, result.error) };
    }
    pause = next;
    trouble = result.state === 'answered' ? { status } : { error: result.error };
    if (answer) {
      if (asked !== null || HOLDS_EVERYBODY.has(status)) backoff.hold(pause, { status });
      answer.on('error', () => {}).destroy();
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
