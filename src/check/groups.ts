/** What became of the groups of a case, in words too. Pure. */
import type { Group } from '../model/grader.ts';
import type { GroupOutcome } from '../model/trial.ts';
import type { GraderResult } from './check.ts';
import { isSettled, type Outcome, outcomesOf, type Part, verdictOfOutcome } from './outcomes.ts';

/** What programs and judges made of the members of groups, by the group's id. */
export type Aggregates = ReadonlyMap<string, GraderResult>;

/** In the order of the case. */
export function groupOutcomes(
  parts: readonly Part[],
  groups: readonly Group[],
  aggregates: Aggregates,
): GroupOutcome[] {
  const outcomes = outcomesOf(parts, groups, scoresOf(aggregates));
  return groups.flatMap((group) => {
    const outcome = outcomes.get(group.id);
    if (!outcome) return [];
    const members = group.members.flatMap((id) => outcomes.get(id) ?? []);
    return [
      {
        group: group.id,
        verdict: verdictOfOutcome(outcome),
        score: isSettled(outcome) ? outcome.low : null,
        message: aggregates.get(group.id)?.message ?? countOf(group, members),
        members: group.members,
      },
    ];
  });
}

export function scoresOf(aggregates: Aggregates): Map<string, number | null> {
  return new Map(
    [...aggregates].map(([id, { verdict, score }]) => [
      id,
      verdict === 'SKIP' ? null : (score ?? Number(verdict === 'PASS')),
    ]),
  );
}

function countOf({ aggregator, negate, members: ids }: Group, members: readonly Outcome[]): string {
  const passed = members.filter(({ hasPassed }) => hasPassed).length;
  const open = members.filter((it) => !it.hasPassed && it.canPass).length + ids.length - members.length;
  const undecided = open > 0 ? `, ${open} undecided` : '';
  const needed = aggregator.kind === 'threshold' ? `; ${aggregator.threshold} of them must` : '';
  return `${passed} of ${ids.length} passed${undecided}${needed}${negate ? ', which must not be' : ''}`;
}
