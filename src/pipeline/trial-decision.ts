/** From graders, criteria and groups to the verdict of a trial, and the words for it. Pure. */
import { type Aggregates, groupOutcomes, scoresOf } from '../check/groups.ts';
import type { Part } from '../check/outcomes.ts';
import { decideCase } from '../check/verdict.ts';
import type { Case } from '../model/case.ts';
import type { Group, Scoring } from '../model/grader.ts';
import { isPartial, outOfTen, reaches, scoreWords } from '../model/score.ts';
import type { CheckOutcome, ErrorKind, GroupOutcome, Judged, TrialResult } from '../model/trial.ts';

/** Why criteria are undecided. */
export interface Undecided {
  readonly errorKind: ErrorKind;
  readonly error: string;
}

type Decided = Pick<TrialResult, 'verdict' | 'score' | 'groups' | 'error' | 'errorKind'>;

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
  aggregates: Aggregates = new Map(),
): Decided {
  const parts = partsOf(it, checks, judged);
  const decision = decideCase(parts, it.scoring, scoresOf(aggregates));
  const groups = groupOutcomes(parts, groupsOf(it), aggregates);
  const told = words(it, { checks, groups, judged }, decision, why);
  return { ...told, ...(groups.length > 0 && { groups }) };
}

export function groupsOf({ scoring }: Pick<Case, 'scoring'>): readonly Group[] {
  return scoring.mode === 'score' ? (scoring.groups ?? []) : [];
}

/** Graders and criteria as they count. */
export function partsOf(
  { graders, criteria }: Case,
  checks: readonly CheckOutcome[],
  judged: Judged | null,
): Part[] {
  return [
    ...graders.map((grader) => ({
      ...grader,
      score: checks.find(({ check }) => check === grader.id)?.score ?? null,
    })),
    ...criteria.map((criterion) => ({ ...criterion, score: criterionScore(criterion.id, judged) })),
  ];
}

function criterionScore(id: string, judged: Judged | null): number | null {
  const found = judged?.judgement.criteria.find((it) => it.id === id);
  if (!found || found.result === 'SKIP') return null;
  return found.score ?? Number(found.result === 'PASS');
}

const OPEN: Undecided = { errorKind: 'no-judge', error: 'the criteria are not decided yet' };

const UNGRADED: Decided = {
  verdict: 'SKIP',
  score: null,
  errorKind: 'ungraded',
  error: 'the case says nothing that could be graded: add assertions or an expected output',
};

interface Graded {
  readonly checks: readonly CheckOutcome[];
  readonly groups: readonly GroupOutcome[];
  readonly judged: Judged | null;
}

function words(
  it: Case,
  { checks, groups, judged }: Graded,
  { verdict, score }: Pick<Decided, 'verdict' | 'score'>,
  why: Undecided | null,
): Decided {
  const { scoring } = it;
  if (verdict === 'PASS') return { verdict, score, error: null, errorKind: null };
  const failed = checks.filter((check) => check.verdict === 'FAIL').map(({ message }) => message);
  const against =
    judged?.judgement.result === 'FAIL' ? `the judge decided against it: ${judged.judgement.reason}` : null;
  if (verdict === 'FAIL') {
    const isFast = scoring.mode === 'all' && failed.length > 0;
    const reasons = isFast || against === null ? failed : [...failed, against];
    const lost = groups.filter((group) => group.verdict === 'FAIL').map(inWords);
    const all = [...reasons, ...lost];
    const told = all.length > 0 ? all : inPart(checks, judged);
    return { verdict, score, error: `${shortfall(scoring, score)}${told.join('; ')}`, errorKind: null };
  }
  const open = checks.find((check) => check.verdict === 'SKIP');
  if (open) return { verdict, score, errorKind: 'check-undecided', error: `${open.check}: ${open.message}` };
  const isJudged = it.criteria.every(({ id }) => criterionScore(id, judged) !== null);
  const openGroup = groups.find((group) => group.verdict === 'SKIP' || group.score === null);
  if (isJudged && openGroup)
    return { verdict, score, errorKind: 'check-undecided', error: inWords(openGroup) };
  return { verdict, score, errorKind: why?.errorKind ?? 'judge-unusable', error: why?.error ?? null };
}

/** Parts that passed, and still were not all they could be. */
function inPart(checks: readonly CheckOutcome[], judged: Judged | null): string[] {
  return [
    ...checks.flatMap(({ check, score, message }) =>
      isPartial(score) ? [`${check} scored ${scoreWords(score)}: ${message}`] : [],
    ),
    ...(judged?.judgement.criteria ?? []).flatMap(({ id, score, reason }) =>
      isPartial(score) ? [`${id} scored ${outOfTen(score)}: ${reason}`] : [],
    ),
  ];
}

function inWords({ group, message }: GroupOutcome): string {
  return `${group}: ${message}`;
}

function shortfall(scoring: Scoring, score: number | null): string {
  if (scoring.mode === 'all' || score === null) return '';
  if (reaches(score, scoring.threshold)) return 'a part that is required failed: ';
  return `the score is ${percent(score)}, needed are ${percent(scoring.threshold)}: `;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
