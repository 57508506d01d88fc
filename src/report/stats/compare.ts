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
  /** Whether this is more than chance: the test says so, and the interval lies on the side that the test points to. */
  readonly isEvidence: boolean;
  /** The test sees a difference that the mean over the cases does not show. */
  readonly isMixed: boolean;
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
  const isClear = test.direction > 0 ? score[0] > 0 : test.direction < 0 && score[1] < 0;
  const isEvidence = test.pValue < SIGNIFICANCE && isClear;
  const interval = isEvidence ? score : widenedTo0(score);
  const made = pairs.reduce((most, { a, b }) => Math.max(most, a.decided, b.decided), 0);
  const needed = runsNeeded(pairs);
  return {
    a: rate('a'),
    b: rate('b'),
    interval,
    ...test,
    isEvidence,
    isMixed: test.pValue < SIGNIFICANCE && !isClear,
    // As many as were made did not do.
    runsNeeded: needed === null || isEvidence ? needed : Math.max(needed, made + 1),
  };
}

/** Where there is no evidence, 0 is not ruled out. */
function widenedTo0([low, high]: Interval): Interval {
  return [Math.min(low, 0), Math.max(high, 0)];
}
