/** Is an answer of the judge one that can be used? Says in words what is wrong with one that cannot. */
import {
  answerOf,
  type CriterionVerdict,
  type JudgedCriterion,
  judgeAnswer,
  MAX_SCORE,
} from '../model/judgement.ts';
import { verdictOfScore } from '../model/score.ts';
import { abridge } from './cut.ts';
import { findQuote, type Library } from './quotes.ts';

export type ReadAnswer =
  | { readonly usable: true; readonly criteria: readonly CriterionVerdict[] }
  | { readonly usable: false; readonly problems: readonly string[] };

const MAX_PROBLEMS = 20;

export function readAnswer(
  answer: unknown,
  criteria: readonly JudgedCriterion[],
  library: Library,
): ReadAnswer {
  const parsed = parseAnswer(answer, criteria);
  if ('issues' in parsed) {
    const issues = parsed.issues.map(({ path, message }) => `${path.join('.') || 'answer'}: ${message}`);
    return unusable(issues.map((it) => `the answer does not have the required form: ${abridge(it, 200)}`));
  }
  const { verdicts } = parsed;
  const known = new Map(criteria.map((criterion) => [criterion.id, criterion]));
  const problems = [
    ...idProblems(
      verdicts.map(({ id }) => id),
      criteria.map(({ id }) => id),
    ),
    ...verdicts.flatMap((verdict) => evidenceProblems(verdict, known.get(verdict.id), library)),
  ];
  if (problems.length > 0) return unusable(problems);
  const order = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  return { usable: true, criteria: criteria.flatMap(({ id }) => order.get(id) ?? []) };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Parsed = { readonly issues: readonly Issue[] } | { readonly verdicts: readonly CriterionVerdict[] };

function parseAnswer(answer: unknown, criteria: readonly JudgedCriterion[]): Parsed {
  const outer = judgeAnswer.safeParse(answer);
  if (!outer.success) return { issues: outer.error.issues };
  const entries = outer.data.criteria.map((entry) => {
    const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : null;
    const criterion = criteria.find((it) => it.id === id) ?? {};
    return { criterion, parsed: answerOf(criterion).safeParse(entry) };
  });
  const issues = entries.flatMap(({ parsed }, at) =>
    parsed.success
      ? []
      : parsed.error.issues.map((it): Issue => ({ message: it.message, path: ['criteria', at, ...it.path] })),
  );
  if (issues.length > 0) return { issues };
  return {
    verdicts: entries.flatMap(({ criterion, parsed }) =>
      parsed.success ? [verdictOf(parsed.data, criterion)] : [],
    ),
  };
}

type Answered = NonNullable<ReturnType<ReturnType<typeof answerOf>['safeParse']>['data']>;

function verdictOf(answered: Answered, { negate, minScore }: Partial<JudgedCriterion>): CriterionVerdict {
  if ('verdict' in answered) return answered;
  const verdict = verdictOfScore(shareOf(answered.score, negate), minScore) === 'PASS' ? 'PASS' : 'FAIL';
  return { ...answered, verdict };
}

/** From 0 to 1, of what a model gave from 0 to 10. */
export function shareOf(score: number, negate = false): number {
  return (negate ? MAX_SCORE - score : score) / MAX_SCORE;
}

function unusable(problems: readonly string[]): ReadAnswer {
  return { usable: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

function idProblems(given: readonly string[], asked: readonly string[]): string[] {
  const known = new Set(asked);
  const count = (id: string) => given.filter((it) => it === id).length;
  return [
    ...asked.filter((id) => count(id) === 0).map((id) => `criterion ${quoted(id)} has no verdict`),
    ...asked.filter((id) => count(id) > 1).map((id) => `criterion ${quoted(id)} has more than one verdict`),
    ...[...new Set(given)]
      .filter((id) => !known.has(id))
      .map((id) => `${quoted(id)} is not the id of a criterion`),
  ];
}

function evidenceProblems(
  { id, verdict, score, reason, evidence }: CriterionVerdict,
  criterion: JudgedCriterion | undefined,
  library: Library,
): string[] {
  const of = `criterion ${quoted(id)}`;
  const problems = evidence.flatMap((quote): string[] => {
    if (quote.trim() === '') return [`${of}: a passage of the evidence is empty`];
    const found = findQuote(quote, library.all);
    if (found === 'found') return [];
    return found === 'too-short'
      ? [`${of}: ${quoted(quote)} is too short to show anything`]
      : [`${of}: ${quoted(quote)} does not stand in the material`];
  });
  if (reason.trim() === '') problems.push(`${of}: there is no reason`);
  // What earns nothing needs no proof.
  const earns = score === undefined ? verdict === 'PASS' : shareOf(score, criterion?.negate) > 0;
  if (!earns || problems.length > 0) return problems;
  const what = score === undefined ? 'PASS' : `a score of ${score}`;
  if (evidence.length === 0) return [`${of}: ${what} without evidence`];
  const isShown = evidence.some((quote) => findQuote(quote, library.deeds) === 'found');
  return isShown ? [] : [`${of}: ${what} without evidence of what the agent did`];
}

function quoted(text: string): string {
  return JSON.stringify(abridge(text, 200));
}
