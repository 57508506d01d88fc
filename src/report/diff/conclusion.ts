/** Better, worse, or can't tell yet. */
import { MAX_RUNS } from '../../model/case.ts';
import type { CaseDiff, CaseSide, EvalDiff } from '../../model/diff.ts';
import { chance, percent, points } from '../../model/words.ts';
import { round } from '../numbers.ts';
import { comparePairs } from '../stats/compare.ts';

/** A case that is in both reports and asked the same question in both. */
export interface Compared {
  readonly name: string;
  readonly a: CaseSide;
  readonly b: CaseSide;
}

type Conclusion = Pick<EvalDiff, 'comparable' | 'conclusion' | 'reason' | 'test'>;

export function conclude(compared: readonly Compared[], all: readonly CaseDiff[]): Conclusion {
  const pairs = compared.filter(({ a, b }) => a.decided > 0 && b.decided > 0);
  const found = comparePairs(pairs);
  if (found === null)
    return { comparable: false, conclusion: 'no-evidence', reason: whyNot(all), test: null };
  const { a, b, interval, isEvidence } = found;
  const conclusion = !isEvidence ? 'no-evidence' : b > a ? 'better' : 'worse';
  const test = {
    method: found.method,
    cases: pairs.length,
    pass_rate: { a: round(a, 4), b: round(b, 4), difference: round(b - a, 4) },
    interval: [round(interval[0], 4), round(interval[1], 4)] as [number, number],
    p_value: round(found.pValue, 6),
    runs_needed: found.runsNeeded,
  };
  return { comparable: true, conclusion, reason: sentence(conclusion, test, found.isMixed), test };
}

function sentence(
  conclusion: EvalDiff['conclusion'],
  test: NonNullable<EvalDiff['test']>,
  isMixed: boolean,
): string {
  const { a, b, difference } = test.pass_rate;
  const [low, high] = test.interval;
  const interval = `, 95 % interval ${points(low)} to ${points(high)}`;
  const cases = test.cases === 1 ? '1 case' : `${test.cases} cases`;
  const figures = `pass rate ${percent(a)} → ${percent(b)} over ${cases} (${points(difference)} points${interval}; ${chance(test.p_value)}, ${test.method})`;
  if (conclusion === 'better') return `Better: ${figures}.`;
  if (conclusion === 'worse') return `Worse: ${figures}.`;
  const more = isMixed ? MIXED : runsSentence(test.runs_needed);
  return `No evidence of a difference: ${figures}.${more}`;
}

const MIXED =
  ' The test and the mean do not agree: the cases differ in how many of their trials are decided.';

function runsSentence(runs: number | null): string {
  if (runs === null) return '';
  return runs > MAX_RUNS
    ? ` A difference of this size would take more than ${MAX_RUNS} runs of each case to show.`
    : ` A difference of this size would show with about ${runs} runs of each case (--runs ${runs}).`;
}

function whyNot(all: readonly CaseDiff[]): string {
  const shared = all.filter(({ a, b }) => a && b);
  if (shared.length === 0) return 'Not comparable: no case is in both reports.';
  const reasons = new Set(shared.flatMap(({ kept_out }) => kept_out ?? []));
  if (shared.every(({ kept_out }) => kept_out !== null))
    return `Not comparable: of every case that is in both reports, ${[...reasons].join('; or ')}.`;
  return 'Not comparable: no case is decided in both reports.';
}
