/** All that paired trials tell about a difference, so that no two figures contradict each other. */
import { differenceInterval } from './difference.ts';
import { pairedTest, SIGNIFICANCE } from './evidence.ts';
import type { Pair } from './pairs.ts';
import type { Interval } from './proportion.ts';
import { runsNeeded } from './runs-needed.ts';

export interface Difference {
  /** Mean pass rates over the cases. */
  readonly a: number;
  readonly b: number;
  readonly interval: Interval;
  readonly pValue: number;
  readonly method: string;
  /** Whether this is more than chance: the test says so, and 0 is outside the interval. */
  readonly isEvidence: boolean;
  /** Trials per case on each side; null when there is no difference to look for. */
  readonly runsNeeded: number | null;
}

/** null without a case. */
export function comparePairs(pairs: readonly Pair[]): Difference | null {
  const test = pairedTest(pairs);
  const score = differenceInterval(pairs);
  if (test === null || score === null) return null;
  const rate = (side: 'a' | 'b') =>
    pairs.reduce((sum, pair) => sum + pair[side].passed / pair[side].decided, 0) / pairs.length;
  const interval = test.pValue < SIGNIFICANCE ? score : widenedTo0(score);
  const isEvidence = test.pValue < SIGNIFICANCE && (interval[0] > 0 || interval[1] < 0);
  const made = pairs.reduce((most, { a, b }) => Math.max(most, a.decided, b.decided), 0);
  const needed = runsNeeded(pairs);
  return {
    a: rate('a'),
    b: rate('b'),
    interval,
    ...test,
    isEvidence,
    // As many as were made did not do.
    runsNeeded: needed === null || isEvidence ? needed : Math.max(needed, made + 1),
  };
}

/** The interval is an approximation and the test is exact: what the test does not rule out belongs to the interval. */
function widenedTo0([low, high]: Interval): Interval {
  return [Math.min(low, 0), Math.max(high, 0)];
}
