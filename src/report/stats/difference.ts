/** How far two runs differ in their mean pass rate over the same cases. */
import { discordant, groupPairs, type Pair, type PairGroup } from './pairs.ts';
import { type Interval, Z95 } from './proportion.ts';

/** The mean over the cases of b's pass rate less a's; null without a case. */
export function meanDifference(pairs: readonly Pair[]): number | null {
  if (pairs.length === 0) return null;
  return mean(groupPairs(pairs), differenceOf);
}

/**
 * The differences that the data do not speak against at 5 %: a score interval. For single trials Tango's, whose
 * statistic at 0 is McNemar's; for repeats that of Miettinen and Nurminen by case, each case with the same weight, whose
 * statistic at 0 is that of Mantel and Haenszel. So both fit the tests of `evidence.ts`.
 */
export function differenceInterval(pairs: readonly Pair[]): Interval | null {
  if (pairs.length === 0) return null;
  const groups = groupPairs(pairs);
  const isSingle = pairs.every(({ a, b }) => a.decided === 1 && b.decided === 1);
  const varianceAt = isSingle ? singleVariance(groups) : repeatedVariance(groups);
  const seen = mean(groups, differenceOf);
  const score = (difference: number) =>
    (seen - difference) / Math.sqrt(Math.max(varianceAt(difference), Number.MIN_VALUE));
  return [
    bisect(-1, seen, (difference) => score(difference) <= Z95),
    bisect(seen, 1, (difference) => score(difference) <= -Z95),
  ];
}

function differenceOf({ a, b }: Pair): number {
  return b.passed / b.decided - a.passed / a.decided;
}

/** Of the mean difference of single trials, if `difference` were the true one (Tango 1998). */
function singleVariance(groups: readonly PairGroup[]): (difference: number) => number {
  const { gained, lost } = discordant(groups);
  const cases = caseCount(groups);
  return (difference) => {
    const spread = difference * (1 - difference);
    const half = (2 * cases - gained + lost) * difference - gained - lost;
    const lostRate = (Math.sqrt(Math.max(0, half ** 2 + 8 * cases * lost * spread)) - half) / (4 * cases);
    return (2 * lostRate + spread) / cases;
  };
}

/** The same for repeats, from the likeliest rates of each case that differ by `difference`. */
function repeatedVariance(groups: readonly PairGroup[]): (difference: number) => number {
  const ofCase = ({ a, b }: Pair, difference: number) => {
    const all = a.decided + b.decided;
    const rateA = likeliestRate(a, b, difference);
    const rateB = rateA + difference;
    const variance = (rateA * (1 - rateA)) / a.decided + (rateB * (1 - rateB)) / b.decided;
    return (variance * all) / (all - 1);
  };
  return (difference) => mean(groups, (pair) => ofCase(pair, difference)) / caseCount(groups);
}

/** Of a: the root of a cubic equation in closed form (Miettinen and Nurminen 1985). */
function likeliestRate(a: Pair['a'], b: Pair['b'], difference: number): number {
  const all = a.decided + b.decided;
  const passed = a.passed + b.passed;
  const square = ((b.decided + 2 * a.decided) * difference - all - passed) / all;
  const linear = ((a.decided * difference - all - 2 * a.passed) * difference + passed) / all;
  const constant = (a.passed * difference * (1 - difference)) / all;
  const q = square ** 3 / 27 - (linear * square) / 6 + constant / 2;
  const p = (q < 0 ? -1 : 1) * Math.sqrt(Math.max(0, square ** 2 / 9 - linear / 3));
  const cosine = p === 0 ? 0 : Math.min(1, Math.max(-1, q / p ** 3));
  const rate = 2 * p * Math.cos((Math.PI + Math.acos(cosine)) / 3) - square / 3;
  return Math.min(1 - Math.max(0, difference), Math.max(-Math.min(0, difference), rate));
}

/** Over all cases. */
function mean(groups: readonly PairGroup[], figure: (pair: Pair) => number): number {
  return groups.reduce((sum, group) => sum + group.times * figure(group), 0) / caseCount(groups);
}

function caseCount(groups: readonly PairGroup[]): number {
  return groups.reduce((sum, { times }) => sum + times, 0);
}

/** Where between two numbers something that is false at the low one becomes true. */
function bisect(low: number, high: number, isAbove: (value: number) => boolean): number {
  let [below, above] = [low, high];
  for (let step = 0; step < 50; step++) {
    const middle = (below + above) / 2;
    if (isAbove(middle)) above = middle;
    else below = middle;
  }
  return (below + above) / 2;
}
