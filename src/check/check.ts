/** The contract of a deterministic check. */
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
export type GraderResult = Pick<CheckResult, 'message'> & { readonly verdict: Verdict };
