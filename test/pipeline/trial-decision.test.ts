import { describe, expect, it } from 'vitest';
import type { Case } from '../../src/model/case.ts';
import { type Grader, grader } from '../../src/model/grader.ts';
import type { CriterionJudgement, Judgement } from '../../src/model/judgement.ts';
import type { CheckOutcome, Judged, Verdict } from '../../src/model/trial.ts';
import { NO_USAGE } from '../../src/model/usage.ts';
import { decideByChecks, decideTrial } from '../../src/pipeline/trial-decision.ts';

const CASE: Case = {
  ...{ name: 'a', aliases: [], description: null, target: null, prompt: 'Do it.', followUps: [], files: [] },
  graders: [],
  criteria: [],
  reference: null,
  scoring: { mode: 'score', threshold: 0.5 },
  fault: null,
  metadata: {},
  ...{ file: 'a.json', line: 1, hash: '' },
};

const contains = (id: string, required = false): Grader =>
  grader(id, 'contains', { of: 'said', values: ['x'], match: 'all' }, { required });
const criterion = (id: string) => ({ id, text: id, weight: 1, required: false });
const outcome = (check: string, verdict: Verdict): CheckOutcome => ({
  check,
  verdict,
  score: { PASS: 1, FAIL: 0, SKIP: null }[verdict],
  message: `${check} said ${verdict}`,
});

function judgedAs(results: Readonly<Record<string, Verdict>>): Judged {
  const criteria = Object.entries(results).map(
    ([id, result]): CriterionJudgement => ({
      ...{ id, text: id, result, reason: `${id} is ${result}`, evidence: [] },
      ...{ votes: { pass: 0, fail: 0, undecided: 0 }, agreement: null },
    }),
  );
  const failed = criteria.filter(({ result }) => result === 'FAIL');
  const judgement = {
    result: failed.length > 0 ? 'FAIL' : 'PASS',
    reason: failed.map(({ reason }) => reason).join(' '),
    criteria,
  } as unknown as Judgement;
  return { judgement, durationMs: 1, usage: NO_USAGE, costUsd: null, warnings: [] };
}

const WHY = { errorKind: 'no-judge', error: 'there is no judge' } as const;

describe('a case with a score', () => {
  const it2: Case = { ...CASE, graders: [contains('g')], criteria: [criterion('c')] };

  it('passes with enough of it, whoever decided', () => {
    expect(decideTrial(it2, [outcome('g', 'FAIL')], judgedAs({ c: 'PASS' }), null)).toEqual({
      verdict: 'PASS',
      score: 0.5,
      error: null,
      errorKind: null,
    });
  });

  it('says how much was missing, and why', () => {
    const strict: Case = { ...it2, scoring: { mode: 'score', threshold: 0.8 } };
    expect(decideTrial(strict, [outcome('g', 'FAIL')], judgedAs({ c: 'PASS' }), null)).toMatchObject({
      verdict: 'FAIL',
      error: 'the score is 50 %, needed are 80 %: g said FAIL',
    });
    expect(decideTrial(strict, [outcome('g', 'PASS')], judgedAs({ c: 'FAIL' }), null).error).toBe(
      'the score is 50 %, needed are 80 %: the judge decided against it: c is FAIL',
    );
  });

  it('fails over a required part, however high the score', () => {
    const required: Case = { ...it2, graders: [contains('g', true)] };
    expect(decideTrial(required, [outcome('g', 'FAIL')], judgedAs({ c: 'PASS' }), null)).toMatchObject({
      verdict: 'FAIL',
      score: 0.5,
      error: 'a part that is required failed: g said FAIL',
    });
  });

  it('needs no judge where the judge could change nothing', () => {
    expect(decideTrial(it2, [outcome('g', 'PASS')], null, WHY)).toMatchObject({
      verdict: 'PASS',
      score: null,
    });
    expect(decideTrial(it2, [outcome('g', 'FAIL')], null, WHY)).toMatchObject({ verdict: 'SKIP', ...WHY });
  });

  it('is undecided with a check that is', () => {
    const alone: Case = { ...CASE, graders: [contains('g')] };
    expect(decideByChecks(alone, [outcome('g', 'SKIP')])).toEqual({
      verdict: 'SKIP',
      score: null,
      errorKind: 'check-undecided',
      error: 'g: g said SKIP',
    });
  });
});

describe('a case in which everything must pass', () => {
  const all: Case = {
    ...CASE,
    graders: [contains('g')],
    criteria: [criterion('c')],
    scoring: { mode: 'all' },
  };

  it('is not scored', () => {
    expect(decideTrial(all, [outcome('g', 'PASS')], judgedAs({ c: 'PASS' }), null)).toMatchObject({
      verdict: 'PASS',
      score: null,
    });
  });

  it('fails by its checks first, then by the judge', () => {
    expect(decideByChecks(all, [outcome('g', 'FAIL')])).toMatchObject({
      verdict: 'FAIL',
      error: 'g said FAIL',
    });
    expect(decideTrial(all, [outcome('g', 'FAIL')], judgedAs({ c: 'FAIL' }), null).error).toBe('g said FAIL');
    expect(decideTrial(all, [outcome('g', 'PASS')], judgedAs({ c: 'FAIL' }), null).error).toBe(
      'the judge decided against it: c is FAIL',
    );
  });
});

it('a case without anything to grade is undecided', () => {
  for (const scoring of [{ mode: 'all' }, { mode: 'score', threshold: 0 }] as const)
    expect(decideByChecks({ ...CASE, scoring }, [])).toMatchObject({
      verdict: 'SKIP',
      errorKind: 'ungraded',
    });
});
