/** Holds a request back until it may be sent: for the upstream to recover, then for the limits that all workers share. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Admission, Hold, SharedLimits } from '../model/shared-limits.ts';
import type { ModelFailure } from '../model/usage.ts';
import type { Backoff } from './backoff.ts';
import type { Upstream } from './credentials.ts';
import { limited, type Trouble } from './failures.ts';
import type { Flight } from './flight.ts';
import type { Timings } from './timings.ts';

export interface TurnContext {
  readonly upstream: Upstream;
  readonly backoff: Backoff;
  readonly timings: Timings;
  readonly flight: Flight;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** null: none, or the request is not one to the model. */
  readonly shared: SharedLimits | null;
  readonly model: string | null;
  /** A request goes although the shared limits gave no word. */
  onUnasked(): void;
}

export interface Wait {
  /** Of this request itself, before it is sent again. */
  readonly pauseMs: number;
  /** What it has waited already. */
  readonly waitedMs: number;
  readonly trouble: Trouble | null;
  /** See Admission. */
  readonly ticket: string;
}

/** Says how long the request has waited by now, or why it is not to be sent. Rejects when the signal aborts. */
export async function waitForTurn(
  context: TurnContext,
  { pauseMs, waitedMs, trouble, ticket }: Wait,
): Promise<{ readonly waitedMs: number } | { readonly failure: ModelFailure }> {
  const { upstream, backoff, timings, flight, signal, shared, model } = context;
  const { maxWaitMs } = timings;
  let waited = waitedMs;
  for (let pause = pauseMs; ; pause = 0) {
    if (backoff.mustWait(pause)) flight.hold(trouble ?? backoff.trouble);
    waited += await backoff.wait(pause, waited, signal, maxWaitMs);
    if (shared === null) return { waitedMs: waited };
    flight.hold({ limit: null });
    const { provider } = upstream;
    const request = { provider, model, ticket, atMostMs: Math.max(0, maxWaitMs - waited) };
    const askedAt = backoff.now;
    const hold = await wordOf(shared, request, signal);
    waited += backoff.now - askedAt;
    if (hold === 'no-word') context.onUnasked();
    if (hold === 'no-word' || hold === null) {
      // A pause that began meanwhile comes first; the place is lost then, which keeps the limit.
      if (backoff.mustWait(0)) continue;
      return { waitedMs: waited };
    }
    if (!(hold.ms <= maxWaitMs - waited)) return { failure: limited(upstream, hold, waited) };
    flight.hold({ limit: hold.limit });
    waited += await backoff.rest(hold.ms, signal);
  }
}

/** Where limits are kept may be out of reach; no request waits longer than this to find out. */
const WORD_MS = 2_000;

async function wordOf(
  shared: SharedLimits,
  request: Admission,
  signal: AbortSignal,
): Promise<Hold | 'no-word' | null> {
  signal.throwIfAborted();
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener('abort', end);
  const silence = delay(WORD_MS, 'no-word' as const, { signal: over.signal });
  try {
    return await Promise.race([shared.admit(request), silence]);
  } catch {
    signal.throwIfAborted();
    return 'no-word';
  } finally {
    signal.removeEventListener('abort', end);
    over.abort();
  }
}
