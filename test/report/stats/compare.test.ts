import { describe, expect, it } from 'vitest';
import { comparePairs } from '../../../src/report/stats/compare.ts';
import { differenceInterval } from '../../../src/report/stats/difference.ts';
import type { Pair } from '../../../src/report/stats/pairs.ts';
import { runsNeeded } from '../../../src/report/stats/runs-needed.ts';

function pair(passedA: number, decidedA: number, passedB: number, decidedB: number): Pair {
  return { a: { passed: passedA, decided: decidedA }, b: { passed: passedB, decided: decidedB } };
}

const times = (count: number, one: Pair) => Array.from({ length: count }, () => one);
const turned = (pairs: readonly Pair[]) => pairs.map(({ a, b }) => ({ a: b, b: a }));

const SAME = pair(1, 1, 1, 1);
const GAINED = pair(0, 1, 1, 1);
/** Six cases of twelve changed, all of them in one direction. */
const CLEAR = [...times(6, GAINED), ...times(6, SAME)];
/** One fewer: that may be chance. */
const UNCLEAR = [...times(5, GAINED), ...times(7, SAME)];
/** One case got worse beyond doubt, and several with a single trial each got better. */
const MIXED = [...times(8, GAINED), pair(60, 60, 30, 60)];

describe('what pairs tell together', () => {
  it('is evidence when the test and the interval say the same, whichever run comes first', () => {
    const better = comparePairs(CLEAR);
    expect(better).toMatchObject({ a: 0.5, b: 1, isEvidence: true, isMixed: false, direction: 1 });
    expect(better).toMatchObject({ method: 'exact McNemar test', pValue: expect.closeTo(0.03125, 9) });
    expect(better?.interval).toEqual(differenceInterval(CLEAR));
    expect(better?.interval[0]).toBeGreaterThan(0);
    expect(better?.runsNeeded).toBe(runsNeeded(CLEAR));
    const worse = comparePairs(turned(CLEAR));
    expect(worse).toMatchObject({ a: 1, b: 0.5, isEvidence: true, isMixed: false, direction: -1 });
    expect(worse?.interval).toEqual(differenceInterval(turned(CLEAR)));
    expect(worse?.interval[1]).toBeLessThan(0);
  });

  it('is no evidence when it may be chance: then the interval has a 0 in it', () => {
    const [low = 0, high = 0] = differenceInterval(UNCLEAR) ?? [];
    expect(low).toBeGreaterThan(0);
    expect(comparePairs(UNCLEAR)).toMatchObject({ isEvidence: false, isMixed: false, interval: [0, high] });
    const worse = comparePairs(turned(UNCLEAR));
    expect(worse).toMatchObject({ isEvidence: false, isMixed: false, direction: -1 });
    expect(worse?.interval).toEqual([expect.closeTo(-high, 9), 0]);
  });

  it('keeps an interval that has a 0 in it as it is', () => {
    const some = [GAINED, GAINED, pair(1, 1, 0, 1), SAME];
    expect(comparePairs(some)).toMatchObject({ isEvidence: false, interval: differenceInterval(some) });
  });

  it('is mixed where the test sees what the mean does not', () => {
    for (const pairs of [MIXED, turned(MIXED)]) {
      const { isEvidence, isMixed, pValue = 1, interval = [1, -1] } = comparePairs(pairs) ?? {};
      expect([isEvidence, isMixed]).toEqual([false, true]);
      expect(pValue).toBeLessThan(0.001);
      expect(interval[0]).toBeLessThanOrEqual(0);
      expect(interval[1]).toBeGreaterThanOrEqual(0);
    }
  });

  it('asks for more trials than were made of any case, when those did not do', () => {
    expect(comparePairs(UNCLEAR)?.runsNeeded).toBe(2);
    const uneven = [GAINED, pair(0, 2, 5, 7)];
    const { isEvidence, runsNeeded: asked } = comparePairs(uneven) ?? {};
    expect(runsNeeded(uneven)).toBeLessThan(8);
    expect([isEvidence, asked]).toEqual([false, 8]);
    expect(comparePairs(turned(uneven))?.runsNeeded).toBe(8);
    const hard = [pair(5, 10, 6, 10)];
    expect(comparePairs(hard)).toMatchObject({ a: 0.5, b: 0.6, runsNeeded: runsNeeded(hard) });
    expect(runsNeeded(hard)).toBeGreaterThan(11);
  });

  it('is nothing where the runs are alike, and where there are none', () => {
    const alike = [GAINED, pair(1, 1, 0, 1)];
    expect(comparePairs(alike)).toMatchObject({ isEvidence: false, isMixed: false, direction: 0 });
    expect(comparePairs(alike)).toMatchObject({ a: 0.5, b: 0.5, pValue: 1, runsNeeded: null });
    expect(comparePairs([])).toBeNull();
  });
});
