/** One trial as one line of JSON, with the names that AgentV has for things. */
import type { Case } from '../model/case.ts';
import { REPORT_MARK } from '../model/report.ts';
import type { TrialResult } from '../model/trial.ts';
import type { Finished } from './benchmark.ts';
import { type GradedPart, partsOf, passedBy } from './graded-parts.ts';
import { round } from './numbers.ts';

interface RowFacts {
  readonly dataset: string;
  readonly timestamp: string;
}

export function jsonlRow({ trial, result }: Finished, { dataset, timestamp }: RowFacts) {
  const parts = partsOf(trial.case, result);
  const lines = (passed: boolean) =>
    parts.filter((part) => part.passed === passed).map(({ id, evidence }) => `${id}: ${evidence}`);
  const { usage } = result;
  return {
    record: REPORT_MARK,
    timestamp,
    test_id: trial.case.name,
    dataset,
    target: trial.engine,
    verdict: result.verdict,
    score: scoreOf(trial.case, result),
    hits: lines(true),
    misses: lines(false),
    answer: result.output,
    token_usage: {
      input: usage.inputTokens,
      output: usage.outputTokens,
      cached: usage.cacheReadTokens + usage.cacheWriteTokens,
    },
    cost_usd: result.costUsd,
    duration_ms: Math.round(result.durationMs),
    scores: scoresOf(trial.case, result, parts),
    execution_status: statusOf(result),
    ...(result.error !== null && { error: result.error }),
    ...(result.errorKind !== null && { failure_reason_code: result.errorKind }),
    trial: trial.id,
    arm: trial.arm,
    repetition: trial.repetition,
    model: result.model,
    session_id: result.sessionId,
  };
}

interface Score {
  readonly name: string;
  readonly type: string;
  readonly weight: number;
  readonly score: number | null;
  readonly verdict: 'pass' | 'fail' | 'skip';
  readonly reasoning: string;
  /** Of a group: its members. */
  readonly scores?: readonly Score[];
}

/** Members stand in their group. */
function scoresOf(it: Case, { groups = [] }: TrialResult, parts: readonly GradedPart[]): Score[] {
  const declared = it.scoring.mode === 'score' ? (it.scoring.groups ?? []) : [];
  const members = new Set(declared.flatMap((group) => group.members));
  const single = parts.map(({ id, type, weight, passed, score, evidence }): Score => {
    return { name: id, type, weight, score: rounded(score), verdict: wordFor(passed), reasoning: evidence };
  });
  const grouped = (id: string, inside: readonly string[]): Score[] => {
    const group = declared.find((one) => one.id === id);
    const outcome = groups.find((one) => one.group === id);
    // One that contains itself ends here.
    if (!group || inside.includes(id)) return single.filter(({ name }) => name === id);
    return [
      {
        ...{ name: id, type: 'composite', weight: group.weight, score: rounded(outcome?.score ?? null) },
        ...{ verdict: wordFor(passedBy(outcome?.verdict)), reasoning: outcome?.message ?? '' },
        scores: group.members.flatMap((member) => grouped(member, [...inside, id])),
      },
    ];
  };
  return [
    ...single.filter(({ name }) => !members.has(name)),
    ...declared.filter(({ id }) => !members.has(id)).flatMap(({ id }) => grouped(id, [])),
  ];
}

function rounded(score: number | null): number | null {
  return score === null ? null : round(score, 4);
}

function wordFor(passed: boolean | null): Score['verdict'] {
  return passed === null ? 'skip' : passed ? 'pass' : 'fail';
}

/** As the report has it; formats that do not score have only all or nothing. */
function scoreOf({ scoring }: Case, { score, verdict }: Finished['result']): number | null {
  if (scoring.mode === 'score') return score === null ? null : round(score, 4);
  return verdict === 'SKIP' ? null : Number(verdict === 'PASS');
}

function statusOf({ verdict, errorKind }: Finished['result']): string {
  if (errorKind !== null) return 'execution_error';
  return verdict === 'PASS' ? 'ok' : 'quality_failure';
}
