/** Is an answer of the judge one that can be used? Says in words what is wrong with one that cannot. */
import { type CriterionVerdict, type JudgedCriterion, judgeAnswer } from '../model/judgement.ts';
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
  const parsed = judgeAnswer.safeParse(answer);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'answer'}: ${message}`,
    );
    return unusable(issues.map((it) => `the answer does not have the required form: ${abridge(it, 200)}`));
  }
  const verdicts = parsed.data.criteria;
  const problems = [
    ...idProblems(
      verdicts.map(({ id }) => id),
      criteria.map(({ id }) => id),
    ),
    ...verdicts.flatMap((verdict) => evidenceProblems(verdict, library)),
  ];
  if (problems.length > 0) return unusable(problems);
  const order = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  return { usable: true, criteria: criteria.flatMap(({ id }) => order.get(id) ?? []) };
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

function evidenceProblems({ id, verdict, reason, evidence }: CriterionVerdict, library: Library): string[] {
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
  if (verdict === 'FAIL' || problems.length > 0) return problems;
  if (evidence.length === 0) return [`${of}: PASS without evidence`];
  const isShown = evidence.some((quote) => findQuote(quote, library.deeds) === 'found');
  return isShown ? [] : [`${of}: PASS without evidence of what the agent did`];
}

function quoted(text: string): string {
  return JSON.stringify(abridge(text, 200));
}
