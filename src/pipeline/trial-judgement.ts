/** Joins what the checks decided with what the judge did. */
import type { Judged, Trial, TrialResult } from '../model/trial.ts';
import type { RunJudge } from './eval-judge.ts';
import type { Ran } from './trial.ts';
import { excuseFor } from './trial-verdict.ts';

export interface JudgeRules {
  /** null: there is no judge, see `whyNone`. */
  readonly judge: RunJudge | null;
  readonly whyNone: string;
  /** Ask the judge also where a check has failed. */
  readonly judgeAll: boolean;
}

/** Else its result is final as it is. */
export function needsJudge({ result, happening }: Ran, { judgeAll }: JudgeRules): boolean {
  return happening !== null && (result.verdict !== 'FAIL' || judgeAll);
}

/** Never rejects. A case whose criteria were not decided is undecided, whatever its checks say. */
export async function judgeTrial(trial: Trial, ran: Ran, rules: JudgeRules): Promise<TrialResult> {
  const { result, happening, unrecovered } = ran;
  const { judge, whyNone } = rules;
  if (happening === null || !needsJudge(ran, rules)) return result;
  if (judge === null) return undecided(result, 'no-judge', whyNone);
  try {
    const judged = await judge.judge(trial, happening, result.model);
    if (judged) return decide(result, judged, unrecovered);
    return undecided(result, 'no-judge', 'the agent did not tell its model, so there is none to judge by');
  } catch (error) {
    return undecided(result, 'internal', `the case could not be judged: ${(error as Error).message}`);
  }
}

function decide(result: TrialResult, judged: Judged, unrecovered: Ran['unrecovered']): TrialResult {
  const { judgement } = judged;
  const kept = { ...result, judged, warnings: [...result.warnings, ...judged.warnings] };
  if (result.verdict === 'FAIL' || judgement.result === 'PASS') return kept;
  if (judgement.result === 'FAIL') {
    const error = `the judge decided against it: ${judgement.reason}`;
    return { ...kept, ...(excuseFor(unrecovered, error) ?? { verdict: 'FAIL', error }) };
  }
  return undecided(kept, judgement.errorKind ?? 'judge-unusable', judgement.error ?? judgement.reason);
}

/** A failed check stays a failed check. */
function undecided(result: TrialResult, errorKind: TrialResult['errorKind'], error: string): TrialResult {
  return result.verdict === 'FAIL' ? result : { ...result, verdict: 'SKIP', errorKind, error };
}
