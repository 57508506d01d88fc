/** Joins what the checks decided with what the judge did. */
import type { Judged, Trial, TrialResult } from '../model/trial.ts';
import type { RunJudge } from './eval-judge.ts';
import type { Ran } from './trial.ts';
import { decideTrial, type Undecided } from './trial-decision.ts';

export interface JudgeRules {
  /** null: there is no judge, see `whyNone`. */
  readonly judge: RunJudge | null;
  readonly whyNone: string;
  /** Ask the judge also where a check has failed. */
  readonly judgeAll: boolean;
}

/** Never rejects. Criteria that were not decided leave the case undecided, unless they could not change it. */
export async function judgeTrial(
  trial: Trial,
  { result, happening }: Ran,
  { judge, whyNone, judgeAll }: JudgeRules,
): Promise<TrialResult> {
  if (happening === null) return result;
  // A score is not known until everything is decided.
  const isLost = result.verdict === 'FAIL' && trial.case.scoring.mode === 'all';
  if (isLost && !judgeAll) return result;
  const decided = (judged: Judged | null, why: Undecided | null): TrialResult => ({
    ...result,
    judged,
    ...decideTrial(trial.case, result.checks, judged, why),
  });
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
