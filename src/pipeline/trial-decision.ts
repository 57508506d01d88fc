/** From graders and criteria to the verdict of a trial, and the words for it. Pure. */
import { decideCase, type Part } from '../check/verdict.ts';
import type { Case } from '../model/case.ts';
import type { Scoring } from '../model/grader.ts';
import type { CheckOutcome, ErrorKind, Judged, TrialResult } from '../model/trial.ts';

/** Why criteria are undecided. */
export interface Undecided {
  readonly errorKind: ErrorKind;
  readonly error: string;
}

type Decided = Pick<TrialResult, 'verdict' | 'score' | 'error' | 'errorKind'>;

/** As far as it can be told without the judge. */
export function decideByChecks(it: Case, checks: readonly CheckOutcome[]): Decided {
  if (it.graders.length + it.criteria.length === 0) return UNGRADED;
  return decideTrial(it, checks, null, OPEN);
}

/** `why`: what keeps criteria from being decided, when something does. */
export function decideTrial(
  it: Case,
  checks: readonly CheckOutcome[],
  judged: Judged | null,
  why: Undecided | null,
): Decided {
  const parts = [...checkParts(it, checks), ...criterionParts(it, judged)];
  return words(it, checks, judged, decideCase(parts, it.scoring), why);
}

const OPEN: Undecided = { errorKind: 'no-judge', error: 'the criteria are not decided yet' };

const UNGRADED: Decided = {
  verdict: 'SKIP',
  score: null,
  errorKind: 'ungraded',
  error: 'the case says nothing that could be graded: add assertions or an expected output',
};

function checkParts({ graders }: Case, checks: readonly CheckOutcome[]): Part[] {
  return graders.map(({ id, weight, required }) => ({
    weight,
    required,
    verdict: checks.find(({ check }) => check === id)?.verdict ?? 'SKIP',
  }));
}

function criterionParts({ criteria }: Case, judged: Judged | null): Part[] {
  return criteria.map(({ id, weight, required }) => ({
    weight,
    required,
    verdict: judged?.judgement.criteria.find((it) => it.id === id)?.result ?? 'SKIP',
  }));
}

function words(
  { scoring }: Case,
  checks: readonly CheckOutcome[],
  judged: Judged | null,
  { verdict, score }: Pick<Decided, 'verdict' | 'score'>,
  why: Undecided | null,
): Decided {
  if (verdict === 'PASS') return { verdict, score, error: null, errorKind: null };
  const failed = checks.filter((it) => it.verdict === 'FAIL').map(({ message }) => message);
  const against =
    judged?.judgement.result === 'FAIL' ? `the judge decided against it: ${judged.judgement.reason}` : null;
  if (verdict === 'FAIL') {
    const isFast = scoring.mode === 'all' && failed.length > 0;
    const reasons = isFast || against === null ? failed : [...failed, against];
    return { verdict, score, error: `${shortfall(scoring, score)}${reasons.join('; ')}`, errorKind: null };
  }
  const open = checks.find((it) => it.verdict === 'SKIP');
  if (open) return { verdict, score, errorKind: 'check-undecided', error: `${open.check}: ${open.message}` };
  return { verdict, score, errorKind: why?.errorKind ?? 'judge-unusable', error: why?.error ?? null };
}

function shortfall(scoring: Scoring, score: number | null): string {
  if (scoring.mode === 'all' || score === null) return '';
  if (score >= scoring.threshold) return 'a part that is required failed: ';
  return `the score is ${percent(score)}, needed are ${percent(scoring.threshold)}: `;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
