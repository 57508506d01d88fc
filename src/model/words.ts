/** Figures as people say them. */

/** 0.825 → 83 %; what is not all is never shown as all. */
export function percent(rate: number): string {
  const rounded = Math.round(rate * 100);
  if (rounded === 100 && rate < 1) return '>99 %';
  if (rounded === 0 && rate > 0) return '<1 %';
  return `${rounded} %`;
}

/** A difference of two rates: 0.075 → +7.5. */
export function points(difference: number): string {
  return signed(Math.round(difference * 1000) / 10);
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '±0';
}

export function chance(pValue: number): string {
  return pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(pValue < 0.1 ? 3 : 2)}`;
}

export function seconds(value: number): string {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

/** Of a usage record, cached ones included. */
export function allTokens(usage: Readonly<Record<`${TokenKind}_tokens`, number>>): number {
  return usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
}

type TokenKind = 'input' | 'output' | 'cache_read' | 'cache_write';

export function tokenCount(count: number): string {
  return count < 10_000 ? String(Math.round(count)) : `${Math.round(count / 1000)}k`;
}

export function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** What a run cost, as far as is known; null: nothing is. A replay costs nothing. */
export function costWords(
  {
    cost_usd: usd,
    cost_is_complete: isAll,
  }: { readonly cost_usd: number | null; readonly cost_is_complete: boolean },
  isReplay: boolean,
): string | null {
  if (usd === null) return null;
  return `${isReplay ? 'would have cost ' : ''}${dollars(usd)}${isAll ? '' : ' and what has no known price'}`;
}

/** `+1.2 s (+10 %)`: the difference in the figure's own words, and as a share of what it was. */
export function change(before: number, after: number, words: (value: number) => string): string {
  const difference = after - before;
  const sign = difference < 0 ? '−' : '+';
  const share = before > 0 ? ` (${sign}${Math.round((Math.abs(difference) / before) * 100)} %)` : '';
  return difference === 0 ? '±0' : `${sign}${words(Math.abs(difference))}${share}`;
}

/** The lists of cases in a comparison of arms, in the order and the words in which they are told. */
export const ARM_LISTS = [
  ['gained', 'pass only with it'],
  ['lost', 'pass only without it'],
  ['passed_in_both', 'pass either way, so they show nothing'],
  ['passed_in_neither', 'fail either way'],
  ['undecided', 'undecided'],
  ['skills_never_activated', 'skills never used'],
] as const;
