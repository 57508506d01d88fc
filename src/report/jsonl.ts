/** One trial as one line of JSON, with the names that AgentV has for things. */
import type { Case } from '../model/case.ts';
import { REPORT_MARK } from '../model/report.ts';
import type { Finished } from './benchmark.ts';
import { partsOf } from './graded-parts.ts';
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
    scores: parts.map(({ id, type, weight, passed, evidence }) => ({
      name: id,
      type,
      weight,
      score: passed === null ? null : Number(passed),
      verdict: passed === null ? 'skip' : passed ? 'pass' : 'fail',
      reasoning: evidence,
    })),
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

/** As the report has it; formats that do not score have only all or nothing. */
function scoreOf({ scoring }: Case, { score, verdict }: Finished['result']): number | null {
  if (scoring.mode === 'score') return score === null ? null : round(score, 4);
  return verdict === 'SKIP' ? null : Number(verdict === 'PASS');
}

function statusOf({ verdict, errorKind }: Finished['result']): string {
  if (errorKind !== null) return 'execution_error';
  return verdict === 'PASS' ? 'ok' : 'quality_failure';
}
