/** Groups that a program or a judge decides, from what their members came to. After everything else is decided. */
import { type GraderResult, graded, unknown } from '../check/check.ts';
import type { Aggregates } from '../check/groups.ts';
import { scoresOf } from '../check/groups.ts';
import { isSettled, type Outcome, outcomesOf, type Part, verdictOfOutcome } from '../check/outcomes.ts';
import type { Material } from '../judge/judge.ts';
import type { Case } from '../model/case.ts';
import type { GraderProgram, Group } from '../model/grader.ts';
import type { CriterionJudgement } from '../model/judgement.ts';
import type { CheckOutcome, Judged } from '../model/trial.ts';
import { addUsage } from '../model/usage.ts';
import { groupsOf, partsOf } from './trial-decision.ts';

export interface AggregationTools {
  runProgram(program: GraderProgram, stdin: string): Promise<GraderResult>;
  /** A text: why nobody can be asked. */
  ask(material: Material): Promise<Judged | string>;
}

/** Whether some of its groups are not decided by counting. */
export function needsAggregation(it: Case): boolean {
  return groupsOf(it).some(({ aggregator: { kind } }) => kind === 'program' || kind === 'judge');
}

/** Gives also what the judges of groups said, one by one. */
export async function aggregateGroups(
  it: Case,
  checks: readonly CheckOutcome[],
  judged: Judged | null,
  tools: AggregationTools,
): Promise<{ readonly aggregates: Aggregates; readonly asked: readonly Judged[] }> {
  const groups = groupsOf(it);
  const parts = partsOf(it, checks, judged);
  const words = wordsOf(checks, judged);
  const aggregates = new Map<string, GraderResult>();
  const asked: Judged[] = [];
  for (const group of membersFirst(groups)) {
    const { aggregator } = group;
    if (aggregator.kind !== 'program' && aggregator.kind !== 'judge') continue;
    const results = resultsOf(group, parts, groups, aggregates, words);
    if (typeof results === 'string') aggregates.set(group.id, unknown(results));
    else if (aggregator.kind === 'program')
      aggregates.set(group.id, await tools.runProgram(aggregator.program, JSON.stringify({ results })));
    else {
      const answer = await tools.ask(materialFor(group, aggregator.instructions, results));
      if (typeof answer !== 'string') asked.push(answer);
      aggregates.set(group.id, typeof answer === 'string' ? unknown(answer) : readJudged(answer));
    }
    words.set(group.id, aggregates.get(group.id)?.message ?? '');
  }
  return { aggregates, asked };
}

/** What became of a member, in the words of the protocol. */
interface MemberResult {
  readonly score: number;
  readonly verdict: 'pass' | 'fail';
  readonly hits: readonly string[];
  readonly misses: readonly string[];
}

/** A text: why there is nothing to aggregate yet. */
function resultsOf(
  group: Group,
  parts: readonly Part[],
  groups: readonly Group[],
  aggregates: Aggregates,
  words: ReadonlyMap<string, string>,
): Readonly<Record<string, MemberResult>> | string {
  const outcomes = outcomesOf(parts, groups, scoresOf(aggregates));
  const members = group.members.map((id) => [id, outcomes.get(id)] as const);
  const open = members.filter(([, outcome]) => !outcome || !isSettled(outcome)).map(([id]) => id);
  if (open.length > 0) return `members of the group are undecided: ${open.join(', ')}`;
  return Object.fromEntries(
    members.flatMap(([id, outcome]) => (outcome ? [[id, memberResult(outcome, words.get(id) ?? '')]] : [])),
  );
}

function memberResult(outcome: Outcome, said: string): MemberResult {
  const passed = verdictOfOutcome(outcome) === 'PASS';
  const lines = said === '' ? [] : [said];
  return {
    score: outcome.low,
    verdict: passed ? 'pass' : 'fail',
    hits: passed ? lines : [],
    misses: passed ? [] : lines,
  };
}

function wordsOf(checks: readonly CheckOutcome[], judged: Judged | null): Map<string, string> {
  return new Map([
    ...checks.map(({ check, message }) => [check, message] as const),
    ...(judged?.judgement.criteria ?? []).map(({ id, reason }) => [id, reason] as const),
  ]);
}

function membersFirst(groups: readonly Group[]): Group[] {
  const open = new Map(groups.map((group) => [group.id, group]));
  const inOrder = (id: string): Group[] => {
    const group = open.get(id);
    open.delete(id);
    return group ? [...group.members.flatMap(inOrder), group] : [];
  };
  return groups.flatMap(({ id }) => inOrder(id));
}

const RESULTS = 'the results of the graders, which are given as material';

/** Results repeat words of the agent, so they are material and never part of the instructions. */
function materialFor(
  { id, minScore }: Group,
  instructions: string,
  results: Readonly<Record<string, MemberResult>>,
): Material {
  const text = instructions.replace(/\{\{\s*EVALUATOR_RESULTS_JSON\s*\}\}/g, RESULTS);
  const shown = Object.entries(results).map(([grader, result]) => JSON.stringify({ grader, ...result }));
  return {
    criteria: [{ id, text, scale: [], ...(minScore !== undefined && { minScore }) }],
    exhibits: [
      {
        title: 'the results of the graders of what the agent did, one to a line',
        text: shown.join('\n'),
        deeds: [shown.join('\n')],
      },
    ],
  };
}

function readJudged({ judgement }: Judged): GraderResult {
  const [found] = judgement.criteria as readonly (CriterionJudgement | undefined)[];
  if (!found || typeof found.score !== 'number') return unknown(judgement.error ?? judgement.reason);
  return graded(found.score, found.reason);
}

/** One judgement of several, for the report. */
export function mergeJudged(all: readonly Judged[]): Judged | null {
  const [first, ...others] = all;
  if (!first) return null;
  return others.reduce((sum, it): Judged => {
    const [a, b] = [sum.judgement, it.judgement];
    const result =
      [a, b].find((one) => one.result === 'FAIL') ?? [a, b].find((one) => one.result === 'SKIP') ?? a;
    return {
      judgement: {
        ...a,
        result: result.result,
        error: result.error,
        errorKind: result.errorKind,
        reason: `${a.reason} ${b.reason}`,
        criteria: [...a.criteria, ...b.criteria],
        votes: a.votes.map((vote, at) => {
          const other = b.votes[at];
          if (vote.state !== 'cast' || other?.state !== 'cast') return vote;
          return { ...vote, criteria: [...vote.criteria, ...other.criteria] };
        }),
        attempts: a.attempts + b.attempts,
      },
      durationMs: sum.durationMs + it.durationMs,
      usage: addUsage(sum.usage, it.usage),
      costUsd: sum.costUsd === null || it.costUsd === null ? null : sum.costUsd + it.costUsd,
      warnings: [...sum.warnings, ...it.warnings],
    };
  }, first);
}
