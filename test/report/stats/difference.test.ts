/** The interval of a difference against its definition, with the likeliest rates found by search. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceInterval, meanDifference } from '../../../src/report/stats/difference.ts';
import type { Pair } from '../../../src/report/stats/pairs.ts';
import { Z95 } from '../../../src/report/stats/proportion.ts';

const counts = fc
  .integer({ min: 1, max: 20 })
  .chain((decided) => fc.integer({ min: 0, max: decided }).map((passed) => ({ passed, decided })));
const single = fc.nat(1).map((passed) => ({ passed, decided: 1 }));
/** Some of them may have been made only once. */
const repeats = fc
  .array(fc.record({ a: fc.oneof(counts, single), b: fc.oneof(counts, single) }), {
    minLength: 1,
    maxLength: 6,
  })
  .filter((pairs) => pairs.some(({ a, b }) => a.decided > 1 || b.decided > 1));
const singles = fc.array(fc.record({ a: single, b: single }), { minLength: 1, maxLength: 30 });

describe('the interval of a difference', () => {
  it('ends, for repeats, where the score of the likeliest rates is at its limit', () => {
    fc.assert(fc.property(repeats, (pairs) => endsAtLimit(pairs, repeatedVariance)));
  });

  it('does so for single trials', () => {
    fc.assert(fc.property(singles, (pairs) => endsAtLimit(pairs, singleVariance)));
  });

  it('reaches as far as a difference can where nothing else was seen', () => {
    const all = (passed: number, decided: number, count: number): Pair[] =>
      Array.from({ length: count }, () => ({
        a: { passed: decided - passed, decided },
        b: { passed, decided },
      }));
    for (const decided of [1, 3]) {
      expect(differenceInterval(all(decided, decided, 4))?.[1]).toBe(1);
      expect(differenceInterval(all(0, decided, 4))?.[0]).toBe(-1);
      expect(differenceInterval(all(decided, decided, 4))?.[0]).toBeLessThan(1);
      expect(differenceInterval(all(0, decided, 4))?.[1]).toBeGreaterThan(-1);
    }
  });
});

type Variance = (pairs: readonly Pair[], difference: number) => number;

function endsAtLimit(pairs: readonly Pair[], variance: Variance): void {
  const seen = meanDifference(pairs) ?? Number.NaN;
  const [low, high] = differenceInterval(pairs) ?? [Number.NaN, Number.NaN];
  for (const [end, limit] of [
    [low, Z95],
    [high, -Z95],
  ] as const) {
    if (Math.abs(end) > 1 - 1e-6) continue;
    expect((seen - end) / Math.sqrt(variance(pairs, end))).toBeCloseTo(limit, 3);
  }
}

const repeatedVariance: Variance = (pairs, difference) => {
  const ofCase = ({ a, b }: Pair) => {
    const rate = likeliest(Math.max(0, -difference), Math.min(1, 1 - difference), (it) => {
      const passed = logOf(a.passed, it) + logOf(b.passed, it + difference);
      return passed + logOf(a.decided - a.passed, 1 - it) + logOf(b.decided - b.passed, 1 - it - difference);
    });
    const other = rate + difference;
    const all = a.decided + b.decided;
    return (((rate * (1 - rate)) / a.decided + (other * (1 - other)) / b.decided) * all) / (all - 1);
  };
  return pairs.reduce((sum, pair) => sum + ofCase(pair), 0) / pairs.length ** 2;
};

const singleVariance: Variance = (pairs, difference) => {
  const gained = pairs.filter(({ a, b }) => a.passed < b.passed).length;
  const lost = pairs.filter(({ a, b }) => a.passed > b.passed).length;
  const rate = likeliest(Math.max(0, -difference), (1 - difference) / 2, (it) => {
    const same = logOf(pairs.length - gained - lost, 1 - 2 * it - difference);
    return logOf(gained, it + difference) + logOf(lost, it) + same;
  });
  return (2 * rate + difference - difference ** 2) / pairs.length;
};

function logOf(count: number, chance: number): number {
  return count === 0 ? 0 : count * Math.log(Math.max(chance, 1e-300));
}

/** Where a function with one summit has it. */
function likeliest(low: number, high: number, likelihood: (rate: number) => number): number {
  let [left, right] = [low, high];
  for (let step = 0; step < 80; step++) {
    const [first, second] = [left + (right - left) / 3, right - (right - left) / 3];
    if (likelihood(first) < likelihood(second)) left = first;
    else right = second;
  }
  return (left + right) / 2;
}
