/** How many runs would show a difference, if it is as large as it looks. */
import { meanDifference } from './difference.ts';
import { groupPairs, type Pair } from './pairs.ts';
import { Z95 } from './proportion.ts';

/** The 80 % point of the normal distribution: the difference is to be found 4 times out of 5. */
const Z80 = 0.8416212335729143;

/** Trials per case in each run; null when there is no difference to look for. */
export function runsNeeded(pairs: readonly Pair[]): number | null {
  const difference = meanDifference(pairs);
  if (difference === null || Math.abs(difference) < 1e-9) return null;
  // Of one trial less another of the same case, as the tests of `evidence.ts` see it.
  const variance = groupPairs(pairs).reduce((sum, { a, b, times }) => {
    const all = a.decided + b.decided;
    const rate = (a.passed + b.passed) / all;
    return sum + (times * 2 * rate * (1 - rate) * all) / (all - 1);
  }, 0);
  const trials = ((Z95 + Z80) ** 2 * variance) / (pairs.length * difference ** 2);
  // Exact tests count whole trials, and need a few more for it.
  const corrected = (trials / 4) * (1 + Math.sqrt(1 + 4 / (trials * Math.abs(difference)))) ** 2;
  return Math.max(1, Math.ceil(corrected / pairs.length - 1e-9));
}

/** How much of what could be gained was: 1 is all of it; null when the start was already perfect. */
export function normalisedGain(before: number, after: number): number | null {
  return before < 1 ? (after - before) / (1 - before) : null;
}
