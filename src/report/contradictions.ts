/** Refuses reports that say two things at once: whoever wrote them, no verdict may be taken from them. */
import { UserError } from '../model/errors.ts';
import type { EvalCaseRecord, EvalReport, EvalTrialRecord, TrialStatistics } from '../model/report.ts';
import type { Verdict } from '../model/trial.ts';
import { statisticsOf, verdictOf } from './cases.ts';

/** `path` is only for messages. */
export function refuseContradictions(report: EvalReport, path: string): void {
  const { cases, config, interrupted } = report;
  const threshold = config.pass_threshold;
  if (cases.length === 0 && !interrupted)
    throw new UserError(`${path} has no cases, so it is not the report of a finished run`);
  if (!(threshold > 0 && threshold <= 1))
    throw new UserError(`${path}: config.pass_threshold is ${threshold}, and must be above 0 and at most 1`);
  const names = new Set<string>();
  for (const it of cases) {
    if (names.has(it.name)) throw new UserError(`${path} has two cases called ${it.name}`);
    names.add(it.name);
    const problem = problemOf(it, threshold);
    if (problem !== null) throw new UserError(`${path} contradicts itself: the case ${it.name} ${problem}`);
  }
}

function problemOf({ verdict, statistics, baseline, trials }: EvalCaseRecord, threshold: number) {
  const of = (arm: EvalTrialRecord['arm']) => trials.filter((it) => it.arm === arm);
  const [installed, without] = [of('with'), of('without')];
  if (installed.length === 0) return 'has no trial with the package';
  if ((baseline === null) !== (without.length === 0))
    return 'has trials without the package and no baseline, or the other way round';
  return (
    armProblem(verdict, statistics, installed, threshold) ??
    (baseline && armProblem(baseline.verdict, baseline, without, threshold))
  );
}

const COUNTED = ['total', 'decided', 'passed', 'flaky', 'threshold'] as const;
/** Figures are rounded. */
const TOLERANCE = 0.001;

function armProblem(
  verdict: Verdict,
  told: TrialStatistics,
  trials: readonly EvalTrialRecord[],
  threshold: number,
): string | null {
  const found = statisticsOf(trials, threshold);
  const key = COUNTED.find((it) => told[it] !== found[it]);
  if (key !== undefined) return `says ${key} ${told[key]}, and its trials say ${found[key]}`;
  const isRate = Math.abs((told.pass_rate ?? -1) - (found.pass_rate ?? -1)) <= TOLERANCE;
  if (!isRate) return `says pass_rate ${told.pass_rate}, and its trials say ${found.pass_rate}`;
  const earned = verdictOf(trials, threshold);
  return earned === verdict ? null : `says ${verdict}, and its trials say ${earned}`;
}
