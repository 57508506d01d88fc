import fc from 'fast-check';
import jstat from 'jstat';
import { cumulativeStdNormalProbability } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { differenceInterval, meanDifference } from '../../../src/report/stats/difference.ts';
import {
  mantelHaenszel,
  mcnemar,
  normalTail,
  pairedTest,
  permutation,
} from '../../../src/report/stats/evidence.ts';
import { groupPairs, type Pair } from '../../../src/report/stats/pairs.ts';
import { passAllK, passAtK, wilson, Z95 } from '../../../src/report/stats/proportion.ts';
import { normalisedGain, runsNeeded } from '../../../src/report/stats/runs-needed.ts';

const { jStat } = jstat;

function pair(passedA: number, decidedA: number, passedB: number, decidedB: number): Pair {
  return { a: { passed: passedA, decided: decidedA }, b: { passed: passedB, decided: decidedB } };
}

/** Single trials: so many that pass in both, only in b, only in a, in neither. */
function singles(both: number, gained: number, lost: number, neither: number): Pair[] {
  const times = (count: number, a: number, b: number) =>
    Array.from({ length: count }, () => pair(a, 1, b, 1));
  return [...times(both, 1, 1), ...times(gained, 0, 1), ...times(lost, 1, 0), ...times(neither, 0, 0)];
}

const counts = fc
  .integer({ min: 1, max: 30 })
  .chain((decided) =>
    fc.record({ decided: fc.constant(decided), passed: fc.integer({ min: 0, max: decided }) }),
  );
const pairs = fc.array(fc.record({ a: counts, b: counts }), { minLength: 1, maxLength: 12 });

describe('the interval of a pass rate', () => {
  // Newcombe 1998, table I: method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i of %i is the textbook’s', (passed, total, low, high) => {
    const [below, above] = wilson(passed, total) ?? [];
    expect(below).toBeCloseTo(low, 4);
    expect(above).toBeCloseTo(high, 4);
  });

  it('ends where the score of the rate is at its limit', () => {
    fc.assert(
      fc.property(counts, ({ passed, decided }) => {
        const [low, high] = wilson(passed, decided) ?? [0, 0];
        for (const end of [low, high].filter((it) => it > 0 && it < 1)) {
          const score = (passed / decided - end) / Math.sqrt((end * (1 - end)) / decided);
          expect(Math.abs(score)).toBeCloseTo(jStat.normal.inv(0.975, 0, 1), 5);
        }
        expect(low).toBeLessThanOrEqual(passed / decided);
        expect(high).toBeGreaterThanOrEqual(passed / decided);
        expect([low === 0, high === 1]).toEqual([passed === 0, passed === decided]);
      }),
    );
  });

  it('does not exist without trials', () => {
    expect(wilson(0, 0)).toBeNull();
  });
});

describe('chances of k trials', () => {
  it('are shares of all ways to draw k of the trials that were made', () => {
    fc.assert(
      fc.property(counts, ({ passed, decided }) => {
        for (const [index, chance] of passAllK(passed, decided).entries())
          expect(chance).toBeCloseTo(ways(passed, index + 1) / ways(decided, index + 1), 8);
        for (const [index, chance] of passAtK(passed, decided).entries())
          expect(chance).toBeCloseTo(1 - ways(decided - passed, index + 1) / ways(decided, index + 1), 8);
      }),
    );
  });

  it('are known for small numbers', () => {
    expect(passAtK(1, 2)).toEqual([0.5, 1]);
    expect(passAllK(1, 2)).toEqual([0.5, 0]);
    expect(passAtK(0, 3)).toEqual([0, 0, 0]);
    expect(passAllK(3, 3)).toEqual([1, 1, 1]);
    expect(passAllK(0, 0)).toEqual([]);
  });

  function ways(n: number, k: number): number {
    return k > n ? 0 : jStat.combination(n, k);
  }
});

describe('McNemar’s exact test', () => {
  it('doubles the smaller tail of a fair coin', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300 }), (gained, lost) => {
        const tail = jStat.binomial.cdf(Math.min(gained, lost), gained + lost, 0.5);
        expect(mcnemar(gained, lost)).toBeCloseTo(gained + lost === 0 ? 1 : Math.min(1, 2 * tail), 9);
      }),
    );
  });

  it('is known for small numbers, and holds for large ones', () => {
    expect(mcnemar(5, 0)).toBeCloseTo(0.0625, 12);
    expect(mcnemar(6, 0)).toBeCloseTo(0.03125, 12);
    expect(mcnemar(9, 1)).toBeCloseTo(22 / 1024, 12);
    expect(mcnemar(5100, 4900)).toBeCloseTo(2 * normalTail(199 / 100), 3);
    expect(mcnemar(5000, 5000)).toBe(1);
  });
});

describe('the test for repeats', () => {
  it('is McNemar’s for single trials', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(12), { minLength: 4, maxLength: 4 }),
        ([both = 0, gained = 0, lost = 0, neither = 0]) => {
          const groups = groupPairs(singles(both, gained, lost, neither));
          expect(permutation(groups)).toBeCloseTo(mcnemar(gained, lost), 9);
        },
      ),
    );
  });

  it('is Fisher’s for one case', () => {
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const passed = a.passed + b.passed;
        const chance = (k: number) => jStat.hypgeom.pdf(k, a.decided + b.decided, passed, b.decided);
        const possible = Array.from({ length: b.decided + 1 }, (_, k) => k).filter(
          (k) => k <= passed && passed - k <= a.decided,
        );
        const sum = (list: number[]) => list.reduce((total, k) => total + chance(k), 0);
        const below = sum(possible.filter((k) => k <= b.passed));
        const above = sum(possible.filter((k) => k >= b.passed));
        expect(permutation(groupPairs([{ a, b }]))).toBeCloseTo(Math.min(1, 2 * Math.min(below, above)), 6);
      }),
    );
  });

  it('counts, over several cases, every way the passes could have fallen', () => {
    const some = [pair(1, 3, 3, 3), pair(0, 2, 2, 3), pair(1, 1, 1, 1)];
    expect(permutation(groupPairs(some))).toBeCloseTo(bruteForce(some), 12);
    const mixed = [pair(2, 3, 1, 2), pair(0, 2, 1, 2), pair(1, 2, 2, 3)];
    expect(permutation(groupPairs(mixed))).toBeCloseTo(bruteForce(mixed), 12);
  });

  it('does not depend on which run comes first, nor on cases that never or always pass', () => {
    fc.assert(
      fc.property(pairs, (some) => {
        const turned = some.map(({ a, b }) => ({ a: b, b: a }));
        const padded = [...some, pair(4, 4, 3, 3), pair(0, 2, 0, 5)];
        const pValue = permutation(groupPairs(some)) ?? Number.NaN;
        expect(permutation(groupPairs(turned))).toBeCloseTo(pValue, 9);
        expect(permutation(groupPairs(padded))).toBeCloseTo(pValue, 9);
      }),
    );
  });

  it('is told apart from the approximation that takes over when there are too many trials', () => {
    const many = Array.from({ length: 600 }, (_, index) =>
      pair(index % 7, 10, (index % 7) + (index % 2), 10),
    );
    expect(permutation(groupPairs(many))).toBeNull();
    expect(pairedTest(many)?.method).toBe('Mantel–Haenszel test by case');
    const fewer = many.slice(0, 60);
    expect(pairedTest(fewer)?.method).toBe('exact permutation test by case');
    expect(mantelHaenszel(groupPairs(fewer))).toBeCloseTo(permutation(groupPairs(fewer)) ?? Number.NaN, 2);
    expect(pairedTest(singles(3, 2, 1, 0))?.method).toBe('exact McNemar test');
    expect(pairedTest([])).toBeNull();
  });

  it('is not McNemar’s as soon as one case was tried more than once on either side', () => {
    for (const repeated of [pair(1, 1, 1, 2), pair(1, 2, 1, 1)])
      expect(pairedTest([pair(0, 1, 1, 1), repeated])?.method).toBe('exact permutation test by case');
  });

  it('sees nothing where every trial ended alike', () => {
    for (const alike of [pair(3, 3, 2, 2), pair(0, 3, 0, 2)]) {
      expect(mantelHaenszel(groupPairs([alike]))).toBe(1);
      expect(permutation(groupPairs([alike]))).toBe(1);
    }
  });

  /** Every assignment of the trials of each case to the two runs. */
  function bruteForce(some: readonly Pair[]): number {
    const totals = some.map(({ a, b }) => {
      const outcomes = Array.from({ length: a.decided + b.decided }, (_, k) =>
        k < a.passed + b.passed ? 1 : 0,
      );
      return subsets(outcomes, b.decided);
    });
    const all = totals.reduce((sums, list) => sums.flatMap((sum) => list.map((it) => sum + it)), [0]);
    const seen = some.reduce((sum, { b }) => sum + b.passed, 0);
    const below = all.filter((it) => it <= seen).length / all.length;
    const above = all.filter((it) => it >= seen).length / all.length;
    return Math.min(1, 2 * Math.min(below, above));
  }

  function subsets(outcomes: readonly number[], size: number): number[] {
    if (size === 0) return [0];
    const [first, ...rest] = outcomes;
    if (first === undefined) return [];
    return [...subsets(rest, size - 1).map((sum) => sum + first), ...subsets(rest, size)];
  }
});

describe('the normal tail', () => {
  it('is jstat’s and simple-statistics’', () => {
    for (let z = 0; z <= 6; z += 0.05) {
      expect(normalTail(z)).toBeCloseTo(1 - jStat.normal.cdf(z, 0, 1), 9);
      if (z < 3) expect(normalTail(z)).toBeCloseTo(1 - cumulativeStdNormalProbability(z), 3);
    }
    expect(normalTail(Z95)).toBeCloseTo(0.025, 12);
  });

  it.each([
    [3, 1.349898031630095e-3],
    [5, 2.866515718791939e-7],
    [8, 6.220960574271785e-16],
    [10, 7.61985302416047e-24],
  ])('is exact far out too, at %i', (z, chance) => {
    expect(normalTail(z) / chance).toBeCloseTo(1, 9);
  });
});

describe('the interval of a difference', () => {
  it('for single trials is Tango’s, as his paper has it', () => {
    // Tango 1998, crossover trial of contact lens solutions: 44 pairs, 0 against 1 discordant.
    const [low = 0, high = 0] = differenceInterval(singles(43, 0, 1, 0)) ?? [];
    expect(low).toBeCloseTo(-0.118, 3);
    expect(high).toBeCloseTo(0.06, 2);
  });

  it('for one case is that of Miettinen and Nurminen', () => {
    // Newcombe 1998, paper on unpaired differences, method 6 (56/70 against 48/80).
    const [low = 0, high = 0] = differenceInterval([pair(48, 80, 56, 70)]) ?? [];
    expect(low).toBeCloseTo(0.0528, 3);
    expect(high).toBeCloseTo(0.3382, 3);
  });

  it('holds the difference, and turns round with the runs', () => {
    fc.assert(
      fc.property(pairs, (some) => {
        const seen = meanDifference(some) ?? Number.NaN;
        const [low, high] = differenceInterval(some) ?? [Number.NaN, Number.NaN];
        const [turnedLow, turnedHigh] = differenceInterval(some.map(({ a, b }) => ({ a: b, b: a }))) ?? [
          0, 0,
        ];
        expect(low).toBeLessThanOrEqual(seen + 1e-9);
        expect(high).toBeGreaterThanOrEqual(seen - 1e-9);
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
        expect(turnedLow).toBeCloseTo(-high, 6);
        expect(turnedHigh).toBeCloseTo(-low, 6);
      }),
    );
  });

  it('does not exist without cases', () => {
    expect([differenceInterval([]), meanDifference([])]).toEqual([null, null]);
  });
});

describe('runs that are needed', () => {
  it('grow as the difference shrinks, and are none when there is no difference', () => {
    const needed = [9, 8, 7, 6].map((passed) =>
      runsNeeded([pair(5, 10, passed, 10), pair(5, 10, passed, 10)]),
    );
    expect(needed).toEqual([...needed].sort((a, b) => Number(a) - Number(b)));
    expect(runsNeeded([pair(5, 10, 5, 10)])).toBeNull();
    expect(runsNeeded([pair(2, 3, 3, 3), pair(3, 3, 2, 3)])).toBeNull();
    expect(runsNeeded([])).toBeNull();
  });

  it('are those of the textbook, with the correction for whole numbers', () => {
    // Fleiss: (1.96 + 0.8416)² · 2 · 0.65 · 0.35 / 0.3² = 39.7, which the correction makes 46.1.
    expect(runsNeeded([pair(5000, 10_000, 8000, 10_000)])).toBe(47);
    expect(runsNeeded([pair(8000, 10_000, 5000, 10_000)])).toBe(47);
    // Each case brings its trials; few of them know less about the spread.
    expect(runsNeeded(Array.from({ length: 10 }, () => pair(5000, 10_000, 8000, 10_000)))).toBe(5);
    expect(runsNeeded([pair(1, 2, 2, 2)])).toBe(20);
    expect(runsNeeded(Array.from({ length: 10 }, () => pair(0, 9, 9, 9)))).toBe(1);
  });
});

describe('normalised gain', () => {
  it('is the share of what could be gained', () => {
    expect(normalisedGain(0.5, 0.75)).toBe(0.5);
    expect(normalisedGain(0, 1)).toBe(1);
    expect(normalisedGain(0.5, 0.25)).toBe(-0.5);
    expect(normalisedGain(1, 1)).toBeNull();
  });
});
