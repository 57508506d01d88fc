/** Joins what the checks decided with what the judge did. */

import type { Happening } from '../judge/digest.ts';
import type { Material } from '../judge/judge.ts';
import type { Judged, Trial, TrialResult } from '../model/trial.ts';
import { questionOf, type RunJudge } from './eval-judge.ts';
import type { Ran } from './trial.ts';
import { type AggregationTools, aggregateGroups, mergeJudged } from './trial-aggregation.ts';
import { decideTrial, type Undecided } from './trial-decision.ts';
import { excuseFor } from './trial-verdict.ts';

export interface JudgeRules {
  /** null: there is no judge, see `whyNone`. */
  readonly judge: RunJudge | null;
  readonly whyNone: string;
  /** Ask the judge also where a check has failed. */
  readonly judgeAll: boolean;
  /** For groups that a program decides. */
  readonly runProgram: AggregationTools['runProgram'];
}

/** Else its result is final as it is. A score is not known until everything is decided. */
export function needsJudge(
  { case: { scoring } }: Trial,
  { result, happening }: Ran,
  { judgeAll }: JudgeRules,
): boolean {
  if (result.errorKind === 'interrupted') return false;
  const isLost = result.verdict === 'FAIL' && scoring.mode === 'all';
  return happening !== null && (!isLost || judgeAll);
}

/** Never rejects. Criteria that were not decided leave the case undecided, unless they could not change it. */
export async function judgeTrial(trial: Trial, ran: Ran, rules: JudgeRules): Promise<TrialResult> {
  const { result, happening, unrecovered } = ran;
  if (happening === null || !needsJudge(trial, ran, rules)) return result;
  const { judged, why } = await decideCriteria(trial, happening, result.model, rules);
  const { aggregates, asked } = await aggregate(trial, result, judged, rules);
  const all = mergeJudged([...(judged ? [judged] : []), ...asked]);
  const outcome = decideTrial(trial.case, result.checks, judged, why, aggregates);
  const isNew = outcome.verdict === 'FAIL' && result.verdict !== 'FAIL';
  return {
    ...result,
    judged: all,
    warnings: [...new Set([...result.warnings, ...(all?.warnings ?? [])])],
    ...outcome,
    ...(isNew && excuseFor(unrecovered, outcome.error ?? '')),
  };
}

interface CriteriaDecided {
  readonly judged: Judged | null;
  readonly why: Undecided | null;
}

async function decideCriteria(
  trial: Trial,
  happening: Happening,
  model: string | null,
  rules: JudgeRules,
): Promise<CriteriaDecided> {
  if (trial.case.criteria.length === 0) return { judged: null, why: null };
  const judged = await askFor(trial, questionOf(trial.case, happening), model, rules);
  if ('errorKind' in judged) return { judged: null, why: judged };
  const { errorKind, error, reason } = judged.judgement;
  return { judged, why: { errorKind: errorKind ?? 'judge-unusable', error: error ?? reason } };
}

/** Why nobody decided, where nobody did. */
async function askFor(
  trial: Trial,
  material: Material,
  model: string | null,
  { judge, whyNone }: JudgeRules,
): Promise<Judged | Undecided> {
  if (judge === null) return { errorKind: 'no-judge', error: whyNone };
  try {
    return (await judge.judge(trial, material, model)) ?? NO_MODEL;
  } catch (error) {
    return { errorKind: 'internal', error: `the case could not be judged: ${(error as Error).message}` };
  }
}

function aggregate(trial: Trial, { checks, model }: TrialResult, judged: Judged | null, rules: JudgeRules) {
  return aggregateGroups(trial.case, checks, judged, {
    runProgram: rules.runProgram,
    ask: async (material) => {
      const answer = await askFor(trial, material, model, rules);
      return 'errorKind' in answer ? answer.error : answer;
    },
  });
}

const NO_MODEL: Undecided = {
  errorKind: 'no-judge',
  error: 'the agent did not tell its model, so there is none to judge by',
};
