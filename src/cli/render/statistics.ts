/** What several trials of each case tell, and what the package changes. */
import type { ArmComparison, EvalReport } from '../../model/report.ts';
import {
  ARM_LISTS,
  chance,
  change,
  dollars,
  percent,
  points,
  seconds,
  tokenCount,
} from '../../model/words.ts';
import type { Cli } from '../cli.ts';
import { columns, cut, wrap } from './layout.ts';
import { safeLine } from './safe-text.ts';

type Colors = Cli['colors'];

const SHOWN = 40;

/** A line for each case, when there is more than one trial of them; those that pass always come last and may be cut. */
export function renderStatistics({ cases, config }: EvalReport, colors: Colors): string[] {
  if (config.runs < 2) return [];
  const sorted = [...cases].sort((a, b) => (a.statistics.pass_rate ?? -1) - (b.statistics.pass_rate ?? -1));
  const rows = columns(
    sorted.map(({ name, statistics: { passed, decided, total, pass_rate, interval, flaky } }) => [
      `  ${cut(safeLine(name), 36)}`,
      `${passed}/${decided}`,
      pass_rate === null ? '' : percent(pass_rate),
      interval === null ? '' : `${percent(interval[0])} to ${percent(interval[1])}`,
      [flaky && 'flaky', decided < total && `${total - decided} undecided`].filter(Boolean).join(', '),
    ]),
  );
  const more = rows.length - SHOWN;
  return [
    colors.dim('trials that passed, their share and its 95 % interval'),
    ...rows.slice(0, SHOWN),
    ...(more > 0 ? [colors.dim(`  and ${more} more, in the report`)] : []),
    '',
  ];
}

export function renderComparison({ comparison }: EvalReport, colors: Colors): string[] {
  if (comparison === null) return [];
  const { pass_rate: rate, lift, normalised_gain: gain } = comparison;
  const row = (name: string, arms: ArmComparison['seconds'], words: (value: number) => string) =>
    arms === null
      ? []
      : [[`  ${name}`, words(arms.without), '→', words(arms.with), change(arms.without, arms.with, words)]];
  const verdict =
    rate === null || lift === null
      ? ['No case is decided both with and without the package.']
      : wrap(
          `${points(rate.difference)} points, 95 % interval ${points(lift.interval[0])} to ${points(lift.interval[1])}; ${chance(lift.p_value)}, ${safeLine(lift.method)}${gain === null ? '' : `; ${percent(gain)} of what could be gained`}`,
          '  ',
        ).map((line, index) => (index === 0 ? `  ${line}` : line));
  return [
    colors.dim('without the package → with it'),
    ...columns([
      ...(rate === null ? [] : [['  pass rate', percent(rate.without), '→', percent(rate.with)]]),
      ...row('time', comparison.seconds, seconds),
      ...row('tokens', comparison.tokens, tokenCount),
      ...row('cost', comparison.cost_usd, dollars),
    ]),
    ...verdict,
    ...namedCases(comparison),
    '',
  ];
}

function namedCases(comparison: ArmComparison): string[] {
  const named = (what: string, names: readonly string[] | null) =>
    names === null || names.length === 0
      ? []
      : wrap(
          `  ${what}: ${names.slice(0, SHOWN).map(safeLine).join(', ')}${names.length > SHOWN ? ', …' : ''}`,
          '    ',
        );
  return ARM_LISTS.flatMap(([list, words]) => named(words, comparison[list]));
}
