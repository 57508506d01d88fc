import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideCase, type Part } from '../../src/check/verdict.ts';
import type { Scoring } from '../../src/model/grader.ts';
import type { Verdict } from '../../src/model/trial.ts';

const part = (verdict: Verdict, weight = 1, required = false): Part => ({ verdict, weight, required });

const ALL: Scoring = { mode: 'all' };
const SCORED: Scoring = { mode: 'score', threshold: 0.8 };

describe('every part', () => {
  it.each([
    [[], 'SKIP'],
    [['PASS', 'PASS'], 'PASS'],
    [['PASS', 'FAIL', 'SKIP'], 'FAIL'],
    [['PASS', 'SKIP'], 'SKIP'],
  ] as [Verdict[], Verdict][])('%j: %s', (verdicts, expected) => {
    expect(
      decideCase(
        verdicts.map((it) => part(it)),
        ALL,
      ),
    ).toEqual({ verdict: expected, score: null });
  });
});

describe('a score', () => {
  it.each([
    ['nothing to grade', [], 'SKIP', null],
    ['only parts without weight', [part('PASS', 0)], 'SKIP', null],
    ['four of five', [...Array(4).fill(part('PASS')), part('FAIL')], 'PASS', 0.8],
    ['two of three', [part('PASS'), part('PASS'), part('FAIL')], 'FAIL', 2 / 3],
    ['weights', [part('PASS', 9), part('FAIL', 1)], 'PASS', 0.9],
    [
      'weights that sum up a little off',
      [part('PASS', 0.1), part('PASS', 0.7), part('FAIL', 0.2)],
      'PASS',
      0.8,
    ],
    ['a required part that failed', [part('PASS', 9), part('FAIL', 1, true)], 'FAIL', 0.9],
    ['a required part without weight', [part('PASS', 9), part('FAIL', 0, true)], 'FAIL', 1],
    ['only that', [part('PASS', 0, true)], 'PASS', null],
    ['undecided, and cannot matter', [part('PASS', 9), part('SKIP', 1)], 'PASS', null],
    ['undecided, and cannot save it', [part('FAIL', 9), part('SKIP', 1)], 'FAIL', null],
    ['undecided, and could matter', [part('PASS', 7), part('SKIP', 3)], 'SKIP', null],
    ['undecided and required', [part('PASS', 9), part('SKIP', 1, true)], 'SKIP', null],
  ] as [string, Part[], Verdict, number | null][])('%s', (_, parts, verdict, score) => {
    const decided = decideCase(parts, SCORED);
    expect(decided.verdict).toBe(verdict);
    if (score === null) expect(decided.score).toBeNull();
    else expect(decided.score).toBeCloseTo(score, 9);
  });
});

const anyPart = fc.record({
  verdict: fc.constantFrom<Verdict>('PASS', 'FAIL', 'SKIP'),
  weight: fc.constantFrom(0, 0.5, 1, 2, 5),
  required: fc.boolean(),
});

const anyScoring: fc.Arbitrary<Scoring> = fc.oneof(
  fc.constant(ALL),
  fc.constantFrom(0.2, 0.5, 0.8, 1).map((threshold): Scoring => ({ mode: 'score', threshold })),
);

/** Every way in which the undecided parts could still turn out. */
function completions([first, ...rest]: readonly Part[]): Part[][] {
  if (!first) return [[]];
  const verdicts: Verdict[] = first.verdict === 'SKIP' ? ['PASS', 'FAIL'] : [first.verdict];
  return completions(rest).flatMap((others) => verdicts.map((verdict) => [{ ...first, verdict }, ...others]));
}

describe('undecided parts', () => {
  it('change nothing exactly where no outcome of theirs could', () => {
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 6 }), anyScoring, (parts, scoring) => {
        const possible = new Set(completions(parts).map((it) => decideCase(it, scoring).verdict));
        const { verdict } = decideCase(parts, scoring);
        const [only] = possible;
        expect(verdict).toBe(possible.size === 1 ? only : 'SKIP');
      }),
    );
  });
});
