/** Joins what the checks decided with what the judge did. */
import type { Judged, Trial, TrialResult } from '../model/trial.ts';
import type { RunJudge } from './eval-judge.ts';
import type { Ran } from './trial.ts';
import { decideTrial, type Undecided } from './trial-decision.ts';
import { excuseFor } from './trial-verdict.ts';

export interface JudgeRules {
  /** null: there is no judge, see `whyNone`. */
  readonly judge: RunJudge | null;
  readonly whyNone: string;
  /** Ask the judge also where a check has failed. */
  readonly judgeAll: boolean;
}

/** Else its result is final as it is. A score is not known until everything is decided. */
export function needsJudge(
  { case: { scoring } }: Trial,
  { result, happening }: Ran,
  { judgeAll }: JudgeRules,
): boolean {
  const isLost = result.verdict === 'FAIL' && scoring.mode === 'all';
  return happening !== null && (!isLost || judgeAll);
}

/** Never rejects. Criteria that were not decided leave the case undecided, unless they could not change it. */
export async function judgeTrial(trial: Trial, ran: Ran, rules: JudgeRules): Promise<TrialResult> {
  const { result, happening, unrecovered } = ran;
  const { judge, whyNone } = rules;
  if (happening === null || !needsJudge(trial, ran, rules)) return result;
  const decided = (judged: Judged | null, why: Undecided | null): TrialResult => {
    const outcome = decideTrial(trial.case, result.checks, judged, why);
    const isNew = outcome.verdict === 'FAIL' && result.verdict !== 'FAIL';
    return {
      ...result,
      judged,
      warnings: [...result.warnings, ...(judged?.warnings ?? [])],
      ...outcome,
      ...(isNew && excuseFor(unrecovered, outcome.error ?? '')),
    };
  };
  if (judge === null) return decided(null, { errorKind: 'no-judge', error: whyNone });
  try {
    const judged = await judge.judge(trial, happening, result.model);
    if (judged === null) return decided(null, NO_MODEL);
    const { errorKind, error, reason } = judged.judgement;
    return decided(judged, { errorKind: errorKind ?? 'judge-unusable', error: error ?? reason });
  } catch (error) {
    const why = `the case could not be judged: ${(error as Error).message}`;
    return decided(null, { errorKind: 'internal', error: why });
  }
}

const NO_MODEL: Undecided = {
  errorKind: 'no-judge',
  error: 'the agent did not tell its model, so there is none to judge by',
};
