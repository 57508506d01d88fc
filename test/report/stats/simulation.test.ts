/** What the statistics promise, tried on thousands of made-up runs whose truth is known. */
import { describe, expect, it } from 'vitest';
import { comparePairs } from '../../../src/report/stats/compare.ts';
import { SIGNIFICANCE } from '../../../src/report/stats/evidence.ts';
import type { Pair } from '../../../src/report/stats/pairs.ts';
import { wilson } from '../../../src/report/stats/proportion.ts';
import { runsNeeded } from '../../../src/report/stats/runs-needed.ts';
import { type Random, random } from './random.ts';

const RUNS = 2000;

/** The true pass rates of one case in both runs. */
type Truth = (rnd: Random) => readonly [a: number, b: number];

const SAME: Truth = (rnd) => {
  const rate = rnd.next();
  return [rate, rate];
};
const BETTER: Truth = (rnd) => {
  const rate = 0.2 + 0.6 * rnd.next();
  return [rate, rate + 0.15];
};

function simulate(seed: number, cases: number, runs: number, truth: Truth, share = 0) {
  const rnd = random(seed);
  return Array.from({ length: RUNS }, () => {
    const rates = Array.from({ length: cases }, () => truth(rnd));
    // Some trials stay undecided, so that the runs are not of the same size.
    const decided = () => (runs > 1 && rnd.next() < share ? runs - 1 : runs);
    const pairs: Pair[] = rates.map(([rateA, rateB]) => {
      const [a, b] = [decided(), decided()];
      return {
        a: { passed: rnd.passes(a, rateA), decided: a },
        b: { passed: rnd.passes(b, rateB), decided: b },
      };
    });
    return { pairs, difference: rates.reduce((sum, [a, b]) => sum + b - a, 0) / cases };
  });
}

function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.filter(holds).length / items.length;
}

const SIZES = [
  { cases: 20, runs: 1 },
  { cases: 60, runs: 1 },
  { cases: 1, runs: 20 },
  { cases: 3, runs: 10 },
  { cases: 12, runs: 4 },
  { cases: 40, runs: 3 },
];

describe('over thousands of simulated runs', () => {
  it('the interval of a pass rate holds the true one in 93 to 97 of 100', () => {
    for (const trials of [5, 10, 30, 100]) {
      const rnd = random(trials);
      const runs = Array.from({ length: 4 * RUNS }, () => {
        const rate = rnd.next();
        return { rate, interval: wilson(rnd.passes(trials, rate), trials) ?? [1, 0] };
      });
      const covered = share(runs, ({ rate, interval: [low, high] }) => low <= rate && rate <= high);
      expect(covered, `${trials} trials`).toBeGreaterThan(0.93);
      expect(covered, `${trials} trials`).toBeLessThan(0.97);
    }
  });

  it.each(SIZES)('the interval of a difference does too: $cases cases, $runs runs', ({ cases, runs }) => {
    for (const undecided of [0, 0.3]) {
      const made = simulate(7 * cases + runs, cases, runs, BETTER, undecided);
      const covered = share(made, ({ pairs, difference }) => {
        const [low, high] = comparePairs(pairs)?.interval ?? [1, -1];
        return low <= difference && difference <= high;
      });
      expect(covered).toBeGreaterThan(0.93);
      expect(covered).toBeLessThan(0.97);
    }
  });

  it.each(SIZES)('fewer than 5 of 100 give a false alarm: $cases cases, $runs runs', ({ cases, runs }) => {
    for (const undecided of [0, 0.3]) {
      const made = simulate(11 * cases + runs, cases, runs, SAME, undecided);
      const alarms = share(made, ({ pairs }) => comparePairs(pairs)?.isEvidence ?? true);
      expect(alarms).toBeLessThan(SIGNIFICANCE);
    }
  });

  it('what is said to be enough runs finds the difference about 4 times out of 5', () => {
    for (const [cases, a, b] of [
      [5, 0.5, 0.8],
      [10, 0.4, 0.6],
      [20, 0.7, 0.8],
    ] as const) {
      const known = { a: { passed: 100 * a, decided: 100 }, b: { passed: 100 * b, decided: 100 } };
      const runs = runsNeeded(Array.from({ length: cases }, () => known)) ?? 0;
      const made = simulate(13 * cases, cases, runs, () => [a, b]);
      const found = share(made, ({ pairs }) => comparePairs(pairs)?.isEvidence ?? true);
      expect(found, `${cases} cases, ${runs} runs`).toBeGreaterThan(0.77);
      expect(found, `${cases} cases, ${runs} runs`).toBeLessThan(0.9);
    }
  });
});
