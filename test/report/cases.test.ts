import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/model/trial.ts';
import { statisticsOf, verdictOf } from '../../src/report/cases.ts';
import { reportOf } from './reports.ts';

const LETTERS = { P: 'PASS', F: 'FAIL', S: 'SKIP' } as const;

function trials(letters: string): { verdict: Verdict }[] {
  return [...letters].map((letter) => ({ verdict: LETTERS[letter as keyof typeof LETTERS] }));
}

describe('the verdict of several trials', () => {
  it.each([
    ['PPP', 1, 'PASS'],
    ['PPF', 1, 'FAIL'],
    ['PPS', 1, 'SKIP'],
    ['PFS', 1, 'FAIL'],
    ['SSS', 1, 'SKIP'],
    ['PPPPF', 0.8, 'PASS'],
    ['PPPFF', 0.8, 'FAIL'],
    ['PPPSF', 0.8, 'SKIP'],
    ['PPPPS', 0.8, 'PASS'],
    ['PPFSS', 0.4, 'PASS'],
    ['SFFFF', 0.4, 'FAIL'],
  ])('%s at %d is %s', (letters, threshold, verdict) => {
    expect(verdictOf(trials(letters), threshold)).toBe(verdict);
  });

  it('is PASS or FAIL only if it is so however the undecided ones would have ended', () => {
    const letters = fc.array(fc.constantFrom('P', 'F', 'S'), { minLength: 1, maxLength: 8 });
    const threshold = fc.integer({ min: 1, max: 20 }).map((it) => it / 20);
    fc.assert(
      fc.property(letters, threshold, (some, share) => {
        const ends = some.reduce<string[]>(
          (all, letter) => all.flatMap((it) => (letter === 'S' ? [`${it}P`, `${it}F`] : [it + letter])),
          [''],
        );
        const passes = ends.map((it) => it.split('P').length - 1 >= share * it.length - 1e-9);
        const expected = passes.every(Boolean) ? 'PASS' : passes.some(Boolean) ? 'SKIP' : 'FAIL';
        expect(verdictOf(trials(some.join('')), share)).toBe(expected);
      }),
    );
  });
});

describe('the statistics of a case', () => {
  it('count only decided trials', () => {
    expect(statisticsOf(trials('PPFS'), 0.5)).toEqual({
      total: 4,
      decided: 3,
      passed: 2,
      pass_rate: 0.6667,
      interval: [0.2077, 0.9385],
      pass_at_k: [0.6667, 1, 1],
      pass_all_k: [0.6667, 0.3333, 0],
      flaky: true,
      threshold: 0.5,
    });
    expect(statisticsOf(trials('SS'), 1)).toMatchObject({
      total: 2,
      decided: 0,
      pass_rate: null,
      interval: null,
      pass_at_k: [],
      flaky: false,
    });
    expect(statisticsOf(trials('PPS'), 1).flaky).toBe(false);
  });
});

describe('a case of several trials', () => {
  it('shows the first trial that stands for its verdict, and tells how many passed', () => {
    const [it] = reportOf({ one: 'PPFF' }).cases;
    expect(it).toMatchObject({
      verdict: 'FAIL',
      trial: 'one.claude-code.with.3',
      deterministic_checks: { contains: 'FAIL' },
      judge_verdict: null,
      error: '2 of 4 trials passed; one that did not: the output does not contain "x"',
    });
    expect(it?.trials.map(({ arm, repetition, verdict }) => [arm, repetition, verdict])).toEqual([
      ['with', 1, 'PASS'],
      ['with', 2, 'PASS'],
      ['with', 3, 'FAIL'],
      ['with', 4, 'FAIL'],
    ]);
    const [open] = reportOf({ one: 'PSP' }).cases;
    expect(open).toMatchObject({
      verdict: 'SKIP',
      error_kind: 'model-overloaded',
      error: '2 of 3 trials passed, 1 undecided; one that did not: the model was overloaded',
    });
    const [passed] = reportOf({ one: 'FPPPP' }, { threshold: 0.8 }).cases;
    expect(passed).toMatchObject({ verdict: 'PASS', trial: 'one.claude-code.with.2' });
    expect(passed).not.toHaveProperty('error');
  });

  it('shows a single trial as it is', () => {
    expect(reportOf({ one: 'F' }).cases[0]?.error).toBe('the output does not contain "x"');
  });

  it('keeps the warnings of all its trials', () => {
    const each = ({ repetition }: { repetition: number }) => ({ warnings: ['always', `in ${repetition}`] });
    expect(reportOf({ one: 'PP/P' }, { each }).cases[0]?.warnings).toEqual(['always', 'in 1', 'in 2']);
  });
});

describe('the comparison with the baseline', () => {
  const report = reportOf(
    { gained: 'PP/FF', both: 'PP/PP', neither: 'FF/FF', lost: 'FF/PP', open: 'SS/PP' },
    {
      skills: ['echo', 'unused'],
      each: ({ arm }) => ({
        duration_seconds: arm === 'with' ? 4 : 1,
        cost_usd: arm === 'with' ? 0.03 : null,
        skills_activated: arm === 'with' ? ['echo'] : [],
      }),
    },
  );

  it('is decided by trials with the package alone', () => {
    expect(report.cases.map(({ verdict }) => verdict)).toEqual(['PASS', 'PASS', 'FAIL', 'FAIL', 'SKIP']);
    expect(report.cases[0]?.baseline).toMatchObject({ verdict: 'FAIL', decided: 2, passed: 0 });
    expect(report.summary).toMatchObject({ passed: 2, failed: 2, skipped: 1 });
  });

  it('tells lift, gain, and what the package costs', () => {
    expect(report.comparison).toMatchObject({
      cases: 4,
      pass_rate: { with: 0.5, without: 0.5, difference: 0 },
      normalised_gain: 0,
      seconds: { with: 4, without: 1, difference: 3 },
      tokens: { with: 120, without: 120, difference: 0 },
      cost_usd: null,
      gained: ['gained'],
      lost: ['lost'],
      passed_in_both: ['both'],
      passed_in_neither: ['neither'],
      undecided: ['open'],
      skills_never_activated: ['unused'],
    });
    expect(report.comparison?.lift).toMatchObject({ p_value: 1 });
    const better = reportOf({ a: 'PPPPP/FFFFF', b: 'PPPPP/PFFFF' }).comparison;
    expect(better).toMatchObject({ pass_rate: { difference: 0.9 }, normalised_gain: 1 });
    expect(better?.lift?.p_value).toBeLessThan(0.001);
    expect(better?.lift?.interval[0]).toBeGreaterThan(0.4);
  });

  it('does not exist without a baseline, and says when nothing can be compared', () => {
    expect(reportOf({ one: 'PP' }).comparison).toBeNull();
    expect(reportOf({ one: 'SS/PP' }).comparison).toMatchObject({ cases: 0, pass_rate: null, lift: null });
    expect(reportOf({ one: 'P/P' }, { skills: null }).comparison?.skills_never_activated).toBeNull();
  });
});
