/** Totals of a run, and the exit code that follows from them. */
import type { EvalReport } from '../model/report.ts';
import type { Verdict } from '../model/trial.ts';
import { round } from './numbers.ts';

export function summarize(cases: readonly { readonly verdict: Verdict }[]): EvalReport['summary'] {
  const count = (verdict: Verdict) => cases.filter((it) => it.verdict === verdict).length;
  const passed = count('PASS');
  return {
    total: cases.length,
    passed,
    failed: count('FAIL'),
    skipped: count('SKIP'),
    pass_rate: cases.length > 0 ? round(passed / cases.length, 4) : null,
  };
}

/**
 * 0 all pass · 1 something failed · 3 nothing failed but something is undecided · 130 interrupted · 2 nothing ran, or all
 * pass and a tape that was asked for could not be kept.
 */
export function exitCode(
  { total, failed, skipped }: EvalReport['summary'],
  interrupted: boolean,
  tapesNotKept = 0,
): number {
  if (interrupted) return 130;
  if (total === 0) return 2;
  if (failed > 0) return 1;
  if (skipped > 0) return 3;
  return tapesNotKept > 0 ? 2 : 0;
}
