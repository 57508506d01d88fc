/** How long the gateway waits for a model, given how long a case may take. */
import type { Timings } from '../gateway/timings.ts';

/** Less than that is the noise of a busy machine. */
const SHORTEST_MS = 250;

/** Whatever the model does must show before the case's own time is up; agents ask again after a stalled answer. */
export function timingsFor(timeoutMs: number): Partial<Timings> {
  const quarter = Math.max(SHORTEST_MS, timeoutMs / 4);
  return {
    idleMs: Math.min(60_000, quarter),
    thinkingMs: Math.min(300_000, 3 * quarter),
    headerMs: Math.min(120_000, 2 * quarter),
    maxWaitMs: Math.min(60_000, 2 * quarter),
    connectMs: Math.min(15_000, quarter),
  };
}

/** For a model whose answer comes all at once: until then there is no sign of life. */
export function wholeAnswerTimings(timeoutMs: number): Partial<Timings> {
  const { thinkingMs } = timingsFor(timeoutMs);
  return thinkingMs === undefined ? {} : { headerMs: thinkingMs };
}
