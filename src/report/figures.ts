/** Time, tokens and cost of trials. */
import type { EvalTrialRecord } from '../model/report.ts';
import { allTokens } from '../model/words.ts';

type Figure = (trial: EvalTrialRecord) => number | null;

/** null: not observed. */
export const FIGURES = {
  score: ({ score }) => score ?? null,
  seconds: ({ duration_seconds }) => duration_seconds,
  tokens: ({ usage }) => (usage.requests === 0 ? null : allTokens(usage)),
  cost_usd: ({ cost_usd }) => cost_usd,
} as const satisfies Record<string, Figure>;

/** Over the decided trials that tell it; a trial that the harness broke off says nothing about the agent. */
export function meanFigure(trials: readonly EvalTrialRecord[], name: keyof typeof FIGURES): number | null {
  const told = trials.filter(({ verdict }) => verdict !== 'SKIP').map(FIGURES[name]);
  return mean(told.filter((it) => it !== null));
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, it) => sum + it, 0) / values.length;
}
