/** The contract of a deterministic check. */
import { verdictOfScore } from '../model/score.ts';
import type { Json } from '../model/tests.ts';
import type { Verdict } from '../model/trial.ts';

/** Decides one expectation from what was observed. Pure, and never throws: what cannot be decided fails and says why. */
export type Check<Expected, Observed> = (expected: Expected, observed: Observed) => CheckResult;

export interface CheckResult {
  readonly verdict: 'PASS' | 'FAIL';
  /** One line: what was expected and what was found. */
  readonly message: string;
  readonly actual: unknown;
  /** Where inside the expectation it failed, for pointing at the line: `[1]` is its second entry. */
  readonly at?: readonly (string | number)[];
  /** A readable difference, when one line is not enough. */
  readonly diff?: string;
}

/** What a grader of an eval case found. SKIP: it could not find out, and the agent had no part in that. */
export interface GraderResult {
  readonly verdict: Verdict;
  readonly message: string;
  /** From 0 to 1, where it can hold in part. Left out: all or nothing, as the verdict says. */
  readonly score?: number;
  /** What else a program told. */
  readonly details?: Json;
}

/** One that can hold in part: it passes from the `minScore` of its grader on. */
export function graded(score: number, message: string): GraderResult {
  return { verdict: verdictOfScore(score), score, message };
}

export function unknown(message: string): GraderResult {
  return { verdict: 'SKIP', message };
}
