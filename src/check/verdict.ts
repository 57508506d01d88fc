/** From the parts of a case to its verdict. Pure. */
import type { Scoring } from '../model/grader.ts';
import { reaches } from '../model/score.ts';
import type { Verdict } from '../model/trial.ts';
import {
  type Aggregated,
  isSettled,
  meanBounds,
  type Outcome,
  outcomesOf,
  type Part,
  partOutcome,
} from './outcomes.ts';

export interface Decision {
  readonly verdict: Verdict;
  /** null: the case is not scored, or a part that counts is undecided. */
  readonly score: number | null;
}

/** Undecided parts leave the case undecided only where they could change it. */
export function decideCase(
  parts: readonly Part[],
  scoring: Scoring,
  aggregated: Aggregated = new Map(),
): Decision {
  const single = parts.map(partOutcome);
  if (scoring.mode === 'all') return { verdict: all(single), score: null };
  const groups = scoring.groups ?? [];
  const members = new Set(groups.flatMap((group) => group.members));
  const outcomes = outcomesOf(parts, groups, aggregated);
  const roots = [...single, ...groups.flatMap(({ id }) => outcomes.get(id) ?? [])];
  return scored(
    roots.filter(({ id }) => !members.has(id)),
    scoring.threshold,
  );
}

function all(parts: readonly Outcome[]): Verdict {
  if (parts.some(({ canPass }) => !canPass)) return 'FAIL';
  return parts.length > 0 && parts.every(({ hasPassed }) => hasPassed) ? 'PASS' : 'SKIP';
}

function scored(parts: readonly Outcome[], threshold: number): Decision {
  // Parts without weight only count where they are required.
  if (!parts.some(({ weight, required }) => weight > 0 || required)) return { verdict: 'SKIP', score: null };
  const mean = meanBounds(parts);
  const score = mean !== null && isSettled(mean) ? mean.low : null;
  const { low, high } = mean ?? { low: 1, high: 1 };
  const required = parts.filter((part) => part.required);
  if (!reaches(high, threshold) || required.some(({ canPass }) => !canPass))
    return { verdict: 'FAIL', score };
  const isReached = reaches(low, threshold) && required.every(({ hasPassed }) => hasPassed);
  return { verdict: isReached ? 'PASS' : 'SKIP', score };
}
