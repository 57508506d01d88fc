/** Is a difference between two runs more than chance? Tests of "each case passes as often in both". */
import { discordant, groupPairs, type Pair, type PairGroup } from './pairs.ts';

export interface PairedTest {
  readonly method: string;
  /** Two-sided: the chance of a difference like this or larger if there were none. */
  readonly pValue: number;
  /** Which way the test itself points: above 0, b passes more often. */
  readonly direction: number;
}

/** Above this share of chance there is no evidence. */
export const SIGNIFICANCE = 0.05;

/** Steps of computing after which the normal approximation takes over; by then it is as good. */
const MAX_STEPS = 5_000_000;

/** null without a case. */
export function pairedTest(pairs: readonly Pair[]): PairedTest | null {
  if (pairs.length === 0) return null;
  const groups = groupPairs(pairs);
  if (pairs.every(({ a, b }) => a.decided === 1 && b.decided === 1)) {
    const { gained, lost } = discordant(groups);
    const direction = Math.sign(gained - lost);
    return { method: 'exact McNemar test', pValue: mcnemar(gained, lost), direction };
  }
  const direction = Math.sign(surplusOf(groups));
  const pValue = permutation(groups);
  return pValue === null
    ? { method: 'Mantel–Haenszel test by case', pValue: mantelHaenszel(groups), direction }
    : { method: 'exact permutation test by case', pValue, direction };
}

/** How many more trials of b passed than would if each case passed as often in both. */
function surplusOf(groups: readonly PairGroup[]): number {
  return groups.reduce((sum, { a, b, times }) => {
    const rate = (a.passed + b.passed) / (a.decided + b.decided);
    return sum + times * (b.passed - b.decided * rate);
  }, 0);
}

/** Of the cases that changed, chance sends each with the same probability to either side. */
export function mcnemar(gained: number, lost: number): number {
  const all = gained + lost;
  let logChance = all * Math.log(0.5);
  let tail = 0;
  for (let side = 0; side <= Math.min(gained, lost); side++) {
    tail += Math.exp(logChance);
    logChance += Math.log((all - side) / (side + 1));
  }
  return Math.min(1, 2 * tail);
}

/**
 * If a case passes as often in both runs, its passes fall on the trials of both by chance alone. Exactly how likely each
 * number of passes in b then is, over all cases together; null when that takes too long to work out.
 */
export function permutation(groups: readonly PairGroup[]): number | null {
  let chances = [1];
  let steps = 0;
  // How many passes b must have in any case: the first item of `chances` stands for it.
  let least = 0;
  let seen = 0;
  for (const group of groups) {
    const { chances: ofCase, least: leastOfCase } = hypergeometric(group);
    for (let time = 0; time < group.times; time++) {
      steps += chances.length * ofCase.length;
      if (ofCase.length > 1 && steps > MAX_STEPS) return null;
      if (ofCase.length > 1) chances = convolve(chances, ofCase);
    }
    least += group.times * leastOfCase;
    seen += group.times * group.b.passed;
  }
  const sum = (list: readonly number[]) => list.reduce((total, it) => total + it, 0);
  const below = sum(chances.slice(0, seen - least + 1));
  const above = sum(chances.slice(seen - least));
  return Math.min(1, 2 * Math.min(below, above));
}

/** How likely each number of b's passes is, given how many passes the case has in all. */
function hypergeometric({ a, b }: Pair): { chances: number[]; least: number } {
  const passed = a.passed + b.passed;
  const least = Math.max(0, passed - a.decided);
  const most = Math.min(passed, b.decided);
  const logs = Array.from(
    { length: most - least + 1 },
    (_, index) => logChoose(b.decided, least + index) + logChoose(a.decided, passed - least - index),
  );
  const all = logChoose(a.decided + b.decided, passed);
  return { chances: logs.map((it) => Math.exp(it - all)), least };
}

function logChoose(n: number, k: number): number {
  let log = 0;
  for (let index = 1; index <= k; index++) log += Math.log((n - k + index) / index);
  return log;
}

function convolve(some: readonly number[], more: readonly number[]): number[] {
  const result = new Array<number>(some.length + more.length - 1).fill(0);
  for (const [i, x] of some.entries())
    for (const [j, y] of more.entries()) result[i + j] = (result[i + j] ?? 0) + x * y;
  return result;
}

/** The normal approximation of the same, with a correction for whole numbers. */
export function mantelHaenszel(groups: readonly PairGroup[]): number {
  const surplus = surplusOf(groups);
  let variance = 0;
  for (const { a, b, times } of groups) {
    const all = a.decided + b.decided;
    const rate = (a.passed + b.passed) / all;
    variance += (times * rate * (1 - rate) * a.decided * b.decided) / (all - 1);
  }
  if (variance === 0) return 1;
  return Math.min(1, 2 * normalTail(Math.max(0, Math.abs(surplus) - 0.5) / Math.sqrt(variance)));
}

/** The chance of a standard normal value above z ≥ 0: a continued fraction far out, a series near 0. */
export function normalTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    let term = z;
    let sum = z;
    for (let odd = 3; term > sum * 1e-17; odd += 2) {
      term *= (z * z) / odd;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = z;
  for (let step = 60; step > 0; step--) fraction = z + step / fraction;
  return density / fraction;
}
