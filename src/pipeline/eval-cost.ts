/** What a run costs, and when to stop it. */
import type { ModelPrice, SuiteSettings } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import type { Judged, TrialResult } from '../model/trial.ts';
import type { Usage } from '../model/usage.ts';

const MILLION = 1_000_000;

/** The price of an answer by the config's list; null for models that are not on it. The longest matching name counts. */
export function priceBy(prices: SuiteSettings['prices']): (usage: Usage, model: string) => number | null {
  const names = Object.keys(prices).sort((a, b) => b.length - a.length);
  return (usage, model) => {
    const price = prices[names.find((name) => model.startsWith(name)) ?? ''];
    return price ? cost(usage, price) : null;
  };
}

function cost(usage: Usage, { input, output, cacheRead = input, cacheWrite = input }: ModelPrice): number {
  const total =
    usage.inputTokens * input +
    usage.outputTokens * output +
    usage.cacheReadTokens * cacheRead +
    usage.cacheWriteTokens * cacheWrite;
  return total / MILLION;
}

/** Of agents and judges together. */
export function spentOn(results: readonly Pick<TrialResult, 'usage' | 'costUsd' | 'judged'>[]): {
  readonly tokens: number;
  /** null: not all of it is known. */
  readonly costUsd: number | null;
} {
  const parts = results.flatMap((result) => [result, ...(result.judged ? [result.judged] : [])]);
  const isKnown = parts.every(({ usage, costUsd }) => costUsd !== null || usage.requests === 0);
  return {
    tokens: parts.reduce((sum, { usage }) => sum + tokensOf(usage), 0),
    costUsd: isKnown ? parts.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0) : null,
  };
}

function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** A limit that nothing can measure would be no limit. */
export function requireMeasurableCost(
  maxCostUsd: number | null,
  engine: string,
  prices: SuiteSettings['prices'],
): void {
  if (maxCostUsd === null || isMeasurable(engine, prices)) return;
  throw new UserError(
    `--max-cost-usd needs to know what a token costs, and ${engine} does not tell`,
    'add to evals/eval-config.json, in US dollars per million tokens:  "prices": {"gpt-": {"input": 1, "output": 8}}',
    'or limit the tokens:  --max-tokens 2000000',
  );
}

export function isMeasurable(engine: string, prices: SuiteSettings['prices']): boolean {
  return engine === 'claude-code' || Object.keys(prices).length > 0;
}

/**
 * What a session may spend by the agent's own count, where nobody else can stop it. Claude Code tells its model: so it is
 * the limit of the run, not what other sessions have left of it, and nothing where the model's words are kept.
 */
export function sessionBudget(
  maxCostUsd: number | null,
  prices: SuiteSettings['prices'],
  tape: 'record' | 'replay' | 'off',
): number | null {
  return Object.keys(prices).length > 0 || tape !== 'off' ? null : maxCostUsd;
}

/** Where that leaves a hole. */
export function budgetWarnings(
  maxCostUsd: number | null,
  prices: SuiteSettings['prices'],
  tape: 'record' | 'replay' | 'off',
): string[] {
  if (maxCostUsd === null || tape !== 'record' || Object.keys(prices).length > 0) return [];
  return [
    '--max-cost-usd is looked at only between cases while tapes are recorded; with "prices" in eval-config.json also within them',
  ];
}

/** Adds up what finished trials cost as their engines told it. */
export class CostBudget {
  readonly #limit: number | null;
  #spent = 0;
  #unknown: string | null = null;
  #hasFreeJudge = false;

  /** `before`: what the run has taken already. */
  constructor(limit: number | null, before: readonly TrialResult[] = []) {
    this.#limit = limit;
    for (const result of before) {
      this.spend(result);
      if (result.judged) this.spendOnJudge(result.judged);
    }
  }

  spend({ case: name, costUsd, usage }: Pick<TrialResult, 'case' | 'costUsd' | 'usage'>): void {
    if (costUsd === null && usage.requests > 0) this.#unknown ??= name;
    this.#spent += costUsd ?? 0;
  }

  /** Agents are done by then, so that a cost that nobody knows stops nothing, but it is told. */
  spendOnJudge({ costUsd, usage }: Pick<Judged, 'costUsd' | 'usage'>): void {
    if (costUsd === null && usage.requests > 0) this.#hasFreeJudge = true;
    this.#spent += costUsd ?? 0;
  }

  get warnings(): string[] {
    if (this.#limit === null || !this.#hasFreeJudge) return [];
    return [
      '--max-cost-usd does not count the judge, whose price is not known; with "prices" in eval-config.json it does',
    ];
  }

  /** Of the whole run; null: any amount. No agent is told. */
  get left(): number | null {
    return this.#limit === null ? null : Math.max(0, this.#limit - this.#spent);
  }

  /** Why nothing more may be spent; null while there is money left. */
  get stopped(): string | null {
    if (this.#limit === null) return null;
    if (this.#spent >= this.#limit)
      return `the limit of $${this.#limit} is reached: $${this.#spent.toFixed(4)} are spent`;
    if (this.#unknown === null) return null;
    return `the limit of $${this.#limit} cannot be kept: ${this.#unknown} ended before it told what it cost; with "prices" in eval-config.json aam counts for itself`;
  }
}
