/** What the package changes: the trials with it against those without it. */
import type { ArmComparison, EvalCaseRecord } from '../model/report.ts';
import type { Verdict } from '../model/trial.ts';
import { type FIGURES, mean, meanFigure } from './figures.ts';
import { round } from './numbers.ts';
import { comparePairs } from './stats/compare.ts';
import type { Pair } from './stats/pairs.ts';
import { normalisedGain } from './stats/runs-needed.ts';

/** null when no case has a baseline. `offered`: skills that agents could use; null: the engine does not tell which it used. */
export function compareArms(
  cases: readonly EvalCaseRecord[],
  offered: readonly string[] | null,
): ArmComparison | null {
  const compared = cases.flatMap((it) => (it.baseline ? [{ ...it, baseline: it.baseline }] : []));
  if (compared.length === 0) return null;
  const pairs = compared
    .map(({ statistics, baseline }): Pair => ({ a: baseline, b: statistics }))
    .filter(({ a, b }) => a.decided > 0 && b.decided > 0);
  const withRate = mean(pairs.map(({ b }) => b.passed / b.decided));
  const withoutRate = mean(pairs.map(({ a }) => a.passed / a.decided));
  const known = withRate !== null && withoutRate !== null;
  const gain = known ? normalisedGain(withoutRate, withRate) : null;
  const named = (withPackage: Verdict, without: Verdict) =>
    compared
      .filter(({ verdict, baseline }) => verdict === withPackage && baseline.verdict === without)
      .map(({ name }) => name);
  const installed = cases.flatMap(({ trials }) => trials.filter(({ arm }) => arm === 'with'));
  const activated = new Set(installed.flatMap((it) => it.skills_activated));
  return {
    cases: pairs.length,
    pass_rate: known ? arms(withRate, withoutRate, 4) : null,
    lift: lift(pairs),
    normalised_gain: gain === null ? null : round(gain, 4),
    seconds: figureArms(compared, 'seconds', 3),
    tokens: figureArms(compared, 'tokens', 0),
    cost_usd: figureArms(compared, 'cost_usd', 6),
    passed_in_both: named('PASS', 'PASS'),
    passed_in_neither: named('FAIL', 'FAIL'),
    gained: named('PASS', 'FAIL'),
    lost: named('FAIL', 'PASS'),
    undecided: compared
      .filter(({ verdict, baseline }) => verdict === 'SKIP' || baseline.verdict === 'SKIP')
      .map(({ name }) => name),
    skills_never_activated: offered?.filter((skill) => !activated.has(skill)) ?? null,
  };
}

function lift(pairs: readonly Pair[]): ArmComparison['lift'] {
  const found = comparePairs(pairs);
  if (found === null) return null;
  const { interval, pValue, method } = found;
  return {
    interval: [round(interval[0], 4), round(interval[1], 4)],
    p_value: round(pValue, 6),
    method,
  };
}

/** Over the cases that tell the figure in both arms, each with the same weight. */
function figureArms(
  cases: readonly EvalCaseRecord[],
  figure: keyof typeof FIGURES,
  digits: number,
): ArmComparison['seconds'] {
  const told = cases.flatMap(({ trials }) => {
    const of = (arm: 'with' | 'without') =>
      meanFigure(
        trials.filter((it) => it.arm === arm),
        figure,
      );
    const [installed, without] = [of('with'), of('without')];
    return installed === null || without === null ? [] : [{ installed, without }];
  });
  const installed = mean(told.map((it) => it.installed));
  const without = mean(told.map((it) => it.without));
  return installed === null || without === null ? null : arms(installed, without, digits);
}

function arms(installed: number, without: number, digits: number) {
  return {
    with: round(installed, digits),
    without: round(without, digits),
    difference: round(installed - without, digits),
  };
}
