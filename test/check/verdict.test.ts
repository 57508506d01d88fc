import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomesOf, type Part } from '../../src/check/outcomes.ts';
import { decideCase } from '../../src/check/verdict.ts';
import type { Aggregator, Group, Scoring } from '../../src/model/grader.ts';
import type { Verdict } from '../../src/model/trial.ts';

const SCORES = { PASS: 1, FAIL: 0, SKIP: null } as const;

const part = (verdict: Verdict, weight = 1, required = false): Part => ({
  id: 'a',
  score: SCORES[verdict],
  weight,
  required,
});
const scores = (score: number | null, more: Partial<Part> = {}): Part => ({
  ...part('PASS'),
  ...more,
  score,
});

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

describe('parts that hold in part', () => {
  it.each([
    ['count with what they scored', [scores(0.5), scores(1)], 'FAIL', 0.75],
    ['reach the threshold together', [scores(0.7), scores(0.9)], 'PASS', 0.8],
    ['are required from their own score on', [scores(0.8, { required: true, minScore: 0.8 })], 'PASS', 0.8],
    ['are required, and too low', [scores(0.9, { required: true }), scores(1)], 'FAIL', 0.95],
    ['leave room for what is undecided', [scores(0.7), scores(null)], 'SKIP', null],
    ['leave none', [scores(0.5), scores(null)], 'FAIL', null],
  ] as [string, Part[], Verdict, number | null][])('%s', (_, parts, verdict, score) => {
    const decided = decideCase(parts, SCORED);
    expect(decided.verdict).toBe(verdict);
    if (score === null) expect(decided.score).toBeNull();
    else expect(decided.score).toBeCloseTo(score, 9);
  });

  it('pass or fail where nothing is weighed', () => {
    expect(decideCase([scores(0.9)], ALL).verdict).toBe('FAIL');
    expect(decideCase([scores(0.9, { minScore: 0.9 })], ALL).verdict).toBe('PASS');
  });
});

describe('a group', () => {
  const named = (id: string, score: number | null, more: Partial<Part> = {}) =>
    scores(score, { id, ...more });
  const group = (aggregator: Aggregator, more: Partial<Group> = {}): Group => ({
    ...{ id: 'g', members: ['a', 'b', 'c'], weight: 1, required: false, negate: false },
    aggregator,
    ...more,
  });
  const AVERAGE: Aggregator = { kind: 'weighted-average' };
  const HALF: Aggregator = { kind: 'threshold', threshold: 0.5 };
  const PROGRAM: Aggregator = {
    kind: 'program',
    program: { argv: ['true'], cwd: '/', config: null, timeoutMs: 1 },
  };
  const decide = (it: Group, parts: readonly Part[], given?: number | null) => {
    const aggregated = new Map(given === undefined ? [] : [[it.id, given] as const]);
    const { verdict, score } = decideCase(parts, { mode: 'score', threshold: 0.8, groups: [it] }, aggregated);
    return [verdict, score === null ? null : Math.round(score * 1000) / 1000];
  };
  const abc = (...all: (number | null)[]) => all.map((score, at) => named('abc'[at] ?? '', score));

  it('is the mean of its members, by their weights', () => {
    expect(decide(group(AVERAGE), abc(1, 1, 0.4))).toEqual(['PASS', 0.8]);
    expect(decide(group(AVERAGE), [named('a', 1, { weight: 8 }), named('b', 0), named('c', 1)])).toEqual([
      'PASS',
      0.9,
    ]);
  });

  it('counts once, however many members it has', () => {
    expect(decide(group(AVERAGE, { weight: 9 }), [...abc(1, 1, 1), named('other', 0)])).toEqual([
      'PASS',
      0.9,
    ]);
  });

  it('is the share of members that passed', () => {
    expect(decide(group(HALF), abc(1, 1, 0.9))).toEqual(['FAIL', 0.667]);
    expect(outcomesOf(abc(1, 1, 0), [group(HALF)]).get('g')).toMatchObject({ hasPassed: true });
    expect(outcomesOf(abc(1, 0, 0), [group(HALF)]).get('g')).toMatchObject({ canPass: false });
    expect(outcomesOf(abc(1, 0, 0), [group(HALF, { negate: true })]).get('g')).toMatchObject({
      hasPassed: true,
    });
  });

  it('is what a program made of it, and undecided without', () => {
    expect(decide(group(PROGRAM), abc(0, 0, 0), 0.9)).toEqual(['PASS', 0.9]);
    expect(decide(group(PROGRAM), abc(1, 1, 1), null)).toEqual(['SKIP', null]);
    expect(decide(group(PROGRAM), abc(1, 1, 1))).toEqual(['SKIP', null]);
    expect(decide(group(PROGRAM, { negate: true }), abc(1, 1, 1), 0.1)).toEqual(['PASS', 0.9]);
  });

  it('scores nothing when a required member fails', () => {
    expect(
      decide(group(AVERAGE), [named('a', 0.9, { required: true }), named('b', 1), named('c', 1)]),
    ).toEqual(['FAIL', 0]);
  });

  it('that must pass and does not fails the case', () => {
    const needed = group(HALF, { required: true, weight: 0 });
    expect(decide(needed, [...abc(1, 0, 0), named('other', 1)])).toEqual(['FAIL', 1]);
  });

  it('of groups', () => {
    const groups = [
      group(AVERAGE, { members: ['inner', 'c'] }),
      group(AVERAGE, { id: 'inner', members: ['a', 'b'] }),
    ];
    const decided = decideCase(abc(1, 0, 1), { mode: 'score', threshold: 0.75, groups });
    expect(decided).toEqual({ verdict: 'PASS', score: 0.75 });
  });

  it('in itself, or of parts that are not there, decides nothing', () => {
    expect(decide(group(AVERAGE, { members: ['g'] }), [])).toEqual(['SKIP', null]);
    expect(decide(group(AVERAGE, { members: ['gone'] }), [])).toEqual(['SKIP', null]);
    expect(decide(group(AVERAGE, { members: [] }), [])).toEqual(['SKIP', null]);
  });
});

const anyPart = fc.record({
  score: fc.constantFrom(null, 0, 0.5, 0.8, 1),
  weight: fc.constantFrom(0, 0.5, 1, 2, 5),
  required: fc.boolean(),
  minScore: fc.constantFrom(0.5, 0.8, 1),
});

const anyParts = fc
  .array(anyPart, { maxLength: 6 })
  .map((parts) => parts.map((it, at): Part => ({ ...it, id: String(at) })));

const anyAggregator = fc.oneof(
  fc.constant<Aggregator>({ kind: 'weighted-average' }),
  fc.constantFrom(0.3, 0.5, 1).map((threshold): Aggregator => ({ kind: 'threshold', threshold })),
);

/** The first three parts in one group, that one in another. */
const anyGroups = fc
  .tuple(anyAggregator, fc.boolean(), anyAggregator, fc.boolean(), anyPart, fc.boolean())
  .map(([inner, innerNegate, outer, outerNegate, { weight, required }, isNested]): Group[] => [
    { id: 'inner', members: ['0', '1', '2'], aggregator: inner, negate: innerNegate, weight, required },
    ...(isNested
      ? [
          {
            id: 'outer',
            members: ['inner', '3'],
            aggregator: outer,
            negate: outerNegate,
            weight: 1,
            required,
          },
        ]
      : []),
  ]);

const anyThreshold = fc.constantFrom(0.2, 0.5, 0.8, 1);

const anyScoring: fc.Arbitrary<Scoring> = fc.oneof(
  fc.constant(ALL),
  anyThreshold.map((threshold): Scoring => ({ mode: 'score', threshold })),
  fc
    .tuple(anyThreshold, anyGroups)
    .map(([threshold, groups]): Scoring => ({ mode: 'score', threshold, groups })),
);

/** Ways in which the undecided parts could still turn out: the ends, and something between. */
function completions([first, ...rest]: readonly Part[]): Part[][] {
  if (!first) return [[]];
  const outcomes = first.score === null ? [0, 0.6, 1] : [first.score];
  return completions(rest).flatMap((others) => outcomes.map((score) => [{ ...first, score }, ...others]));
}

describe('undecided parts', () => {
  it('change nothing where no outcome of theirs could', () => {
    fc.assert(
      fc.property(anyParts, anyScoring, (parts, scoring) => {
        const possible = new Set(completions(parts).map((it) => decideCase(it, scoring).verdict));
        const { verdict } = decideCase(parts, scoring);
        if (verdict !== 'SKIP') expect([...possible]).toEqual([verdict]);
      }),
      { numRuns: 1000 },
    );
  });

  it('leave a case open exactly where they could change it', () => {
    const flat = anyScoring.filter((it) => it.mode === 'all' || !it.groups);
    fc.assert(
      fc.property(anyParts, flat, (parts, scoring) => {
        const possible = new Set(completions(parts).map((it) => decideCase(it, scoring).verdict));
        const [only] = possible;
        expect(decideCase(parts, scoring).verdict).toBe(possible.size === 1 ? only : 'SKIP');
      }),
    );
  });

  it('leave no score behind that could still be another', () => {
    fc.assert(
      fc.property(anyParts, anyScoring, (parts, scoring) => {
        const { score } = decideCase(parts, scoring);
        if (score === null) return;
        for (const it of completions(parts)) expect(decideCase(it, scoring).score).toBeCloseTo(score, 6);
      }),
    );
  });
});
