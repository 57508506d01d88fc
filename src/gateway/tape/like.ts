/** Requests of one conversation begin alike: only what is new is written down. */
import type { TapeExchange } from '../../model/tape.ts';

/** The earlier list that shares the most parts at its start; exchanges are counted from 1. */
export function longestStart(
  parts: readonly string[],
  before: readonly (readonly string[])[],
): TapeExchange['like'] {
  let best: TapeExchange['like'] = null;
  before.forEach((other, index) => {
    const end = parts.findIndex((part, at) => part !== other[at]);
    const shared = end < 0 ? parts.length : end;
    if (shared > (best?.parts ?? 0)) best = { exchange: index + 1, parts: shared };
  });
  return best;
}

/** All parts of each exchange; null where one refers to what is not there. */
export function expandedParts(exchanges: readonly TapeExchange[]): (readonly string[] | null)[] {
  const expanded: (readonly string[] | null)[] = [];
  for (const { like, parts } of exchanges) {
    const other = like === null ? [] : expanded[like.exchange - 1];
    const isKnown = other && (like?.parts ?? 0) <= other.length;
    expanded.push(isKnown ? [...other.slice(0, like?.parts ?? 0), ...parts] : null);
  }
  return expanded;
}
