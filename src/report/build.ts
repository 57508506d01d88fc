/** Builds the report of a run from its results. */

import type { EvalCaseOutcome, EvalCaseRecord, EvalReport } from '../model/report.ts';
import { isPartial } from '../model/score.ts';
import type { CheckOutcome, GroupOutcome, Judged, Trial, TrialResult } from '../model/trial.ts';
import { addUsage, NO_USAGE } from '../model/usage.ts';
import { byName, gatherCase, listOf } from './cases.ts';
import { compareArms } from './comparison.ts';
import { judgeVerdictRecord } from './judge-verdict.ts';
import { round, usageRecord } from './numbers.ts';
import { exitCode, summarize } from './summary.ts';

/** Everything about a run that is not a result. */
export type RunFacts = Pick<
  EvalReport,
  | 'id'
  | 'timestamp'
  | 'duration_seconds'
  | 'config'
  | 'environment'
  | 'package'
  | 'suite'
  | 'certification'
  | 'sandbox'
  | 'warnings'
  | 'interrupted'
  | 'tape'
> & {
  readonly provider: string | null;
  readonly captureFolder: string;
  /** Skills that agents could use; null: the engine does not tell which it used. */
  readonly skillsOffered: readonly string[] | null;
};

const SNIPPET_LENGTH = 500;

/** `clean`: takes out of a case what must not be written down. One after the other: ten thousand take their room. */
export function buildReport(
  trials: readonly Trial[],
  results: ReadonlyMap<string, TrialResult>,
  facts: RunFacts,
  clean: (it: EvalCaseRecord) => EvalCaseRecord,
): EvalReport {
  const { provider, captureFolder, skillsOffered, ...run } = facts;
  const known = trials.flatMap((trial) => {
    const result = results.get(trial.id);
    return result ? [{ trial, result }] : [];
  });
  const cases = byName(known, ({ trial }) => trial.case.name).flatMap((all) => {
    const outcomes = all.map(({ trial, result }) => ({
      ...caseOutcome(trial, result, captureFolder),
      arm: trial.arm,
      repetition: trial.repetition,
    }));
    const gathered = gatherCase(outcomes, run.config.pass_threshold);
    return gathered ? [clean(gathered)] : [];
  });
  const summary = summarize(cases);
  const judged = known.flatMap(({ result }) => (result.judged ? [result.judged] : []));
  const agents = known.map(({ result }) => result);
  const first = (key: 'model' | 'sessionId') =>
    known.map(({ result }) => result[key]).find((value) => value !== null) ?? null;
  return {
    version: 1,
    ...run,
    agent: {
      runtime: run.config.engine,
      runtime_version: run.config.engine_version,
      model: first('model'),
      model_provider: provider,
      session_id: first('sessionId'),
    },
    judge: judgeOf(judged),
    summary,
    comparison: compareArms(cases, skillsOffered),
    warnings: [...new Set([...run.warnings, ...judged.flatMap(({ warnings }) => warnings)])],
    // Of an agent that brings its own model nobody knows what it cost.
    usage: totalOf([...agents, ...judged], provider !== null),
    exit_code: exitCode(summary, run.interrupted, run.tape.not_kept ?? 0),
    cases,
  };
}

function caseOutcome({ case: it, id }: Trial, result: TrialResult, captureFolder: string): EvalCaseOutcome {
  return {
    name: it.name,
    target: it.target,
    verdict: result.verdict,
    duration_seconds: round(result.durationMs / 1000, 3),
    ...(it.scoring.mode === 'score' && { score: result.score === null ? null : round(result.score, 4) }),
    deterministic_checks: Object.fromEntries(result.checks.map(({ check, verdict }) => [check, verdict])),
    judge_verdict: result.judged && judgeVerdictRecord(result.judged),
    agent_output_snippet: snippet(result.output),
    ...(result.error !== null && { error: result.error }),
    ...(result.errorKind !== null && { error_kind: result.errorKind }),
    check_details: result.checks.map((check) => checkRecord(check, it.scoring.mode === 'score')),
    ...(result.groups && { groups: result.groups.map(groupRecord) }),
    description: it.description,
    file: it.file,
    line: it.line,
    case_hash: it.hash,
    trial: id,
    agent: { model: result.model, session_id: result.sessionId },
    skills_activated: listOf(result.skillsActivated),
    usage: usageRecord(result.usage),
    cost_usd: result.costUsd,
    warnings: listOf(result.warnings),
    tape: result.tape && {
      file: result.tape.file,
      source: result.tape.source,
      recorded_at: result.tape.recordedAt,
    },
    capture: result.capture === null ? null : `${captureFolder}/${result.capture}`,
  };
}

function snippet(output: string): string {
  if (output.length <= SNIPPET_LENGTH) return output;
  // A sign may take two places.
  return [...output.slice(0, 2 * SNIPPET_LENGTH)].slice(0, SNIPPET_LENGTH).join('');
}

/** Where nothing is scored, a score says something only of what holds in part. */
function checkRecord(
  { check, verdict, score, message, details }: CheckOutcome,
  isScored: boolean,
): EvalCaseOutcome['check_details'][number] {
  return {
    check,
    verdict,
    ...((isScored || isPartial(score)) && { score: score === null ? null : round(score, 4) }),
    message,
    ...(details !== undefined && { details }),
  };
}

function groupRecord(it: GroupOutcome): NonNullable<EvalCaseOutcome['groups']>[number] {
  return { ...it, score: it.score === null ? null : round(it.score, 4), members: [...it.members] };
}

function judgeOf(judged: readonly Judged[]): EvalReport['judge'] {
  const all = judged.map(({ judgement }) => judgement);
  const [first] = all;
  return {
    model: all.find(({ model }) => model !== null)?.model ?? null,
    model_provider: first?.provider ?? null,
    transport: first?.transport ?? null,
    votes: first?.votes.length ?? null,
    prompt_sha256: first?.prompt.sha256 ?? null,
    usage: totalOf(judged, true),
  };
}

function totalOf(
  parts: readonly Pick<Judged, 'usage' | 'costUsd'>[],
  isCounted: boolean,
): EvalReport['usage'] {
  const costs = parts.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
  const sum = costs.reduce((total, cost) => total + cost, 0);
  const usage = parts.map((part) => part.usage).reduce(addUsage, NO_USAGE);
  const isComplete = isCounted && parts.every((part) => part.costUsd !== null || part.usage.requests === 0);
  return {
    ...usageRecord(usage),
    cost_usd: costs.length > 0 ? round(sum, 6) : null,
    cost_is_complete: isComplete,
  };
}
