/** Keeps count of what trials take from models, and stops the run when the budget is used up. */
import { bothSpent, type ModelFailure, NO_USAGE, type Spent, type Usage } from '../model/usage.ts';
import type { Observation, Tokens } from './observe.ts';

export interface Budget {
  /** Of the whole run: input, output and cache tokens together. */
  readonly maxTokens?: number;
  /** Of the whole run. Needs a price for every model that answers: one without stops the run. */
  readonly maxCostUsd?: number;
}

/** What one answer costs; null when the model has no known price. */
export type Price = (usage: Usage, model: string) => number | null;

/** Live numbers of a door. */
export interface Account {
  readonly usage: Usage;
  readonly tokensByModel: Readonly<Record<string, number>>;
  readonly costUsd: number | null;
  /** To be called once for every request that the upstream answered. */
  answer(): AnswerEntry;
}

export interface AnswerEntry {
  /** Counts in an answer only grow, so the highest seen is the truth. */
  observe(observation: Observation): void;
  /** What was observed so far. */
  readonly observed: Tokens & { readonly model: string | null };
}

const NO_TOKENS: Tokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const KINDS = Object.keys(NO_TOKENS) as (keyof Tokens)[];

const NOTHING: Spent = { tokens: 0, costUsd: 0 };

export class Ledger {
  readonly #budget: Budget;
  readonly #price: Price | undefined;
  readonly #total: Tally;
  readonly #before: Spent;
  #others: Spent = NOTHING;
  #stopped: ModelFailure | null = null;

  constructor(budget: Budget, price: Price | undefined, before: Spent = NOTHING) {
    if (budget.maxCostUsd !== undefined && !price) throw new Error('a budget in dollars needs prices');
    this.#budget = budget;
    this.#price = price;
    this.#before = before;
    this.#total = new Tally(price !== undefined);
    this.#check();
  }

  get usage(): Usage {
    return this.#total.usage;
  }

  get costUsd(): number | null {
    return this.#total.costUsd;
  }

  /** What was asked through this gateway. */
  get spent(): Spent {
    return { tokens: totalTokens(this.#total.usage), costUsd: this.#total.costUsd };
  }

  /** What other processes spent on the same run so far. */
  othersSpent(spent: Spent): void {
    this.#others = spent;
    this.#check();
  }

  get stopped(): ModelFailure | null {
    return this.#stopped;
  }

  open(): Account {
    const own = new Tally(this.#price !== undefined);
    return {
      get usage() {
        return own.usage;
      },
      get tokensByModel() {
        return own.tokensByModel;
      },
      get costUsd() {
        return own.costUsd;
      },
      answer: () => this.#answer([own, this.#total]),
    };
  }

  #answer(tallies: readonly Tally[]): AnswerEntry {
    let model: string | null = null;
    let tokens = NO_TOKENS;
    let cost = 0;
    let named = 0;
    for (const tally of tallies) tally.add({ requests: 1 });
    return {
      get observed() {
        return { ...tokens, model };
      },
      observe: (observation) => {
        model ??= observation.model ?? null;
        const next = highest(tokens, observation.tokens ?? NO_TOKENS);
        const grown = difference(next, tokens);
        tokens = next;
        const price = this.#priceOf(tokens, model);
        for (const tally of tallies) {
          tally.add(grown, model);
          if (model !== null) tally.name(model, totalTokens(tokens) - named);
          tally.spend(price === null ? null : price - cost);
        }
        if (model !== null) named = totalTokens(tokens);
        cost = price ?? cost;
        this.#check(model);
      },
    };
  }

  #priceOf(tokens: Tokens, model: string | null): number | null {
    if (KINDS.every((kind) => tokens[kind] === 0)) return 0;
    const usage = { ...NO_USAGE, ...tokens, requests: 1, models: model === null ? [] : [model] };
    return model === null ? null : (this.#price?.(usage, model) ?? null);
  }

  #check(model: string | null = null): void {
    const { maxTokens, maxCostUsd } = this.#budget;
    const { tokens: used, costUsd } = [this.#before, this.#others].reduce(bothSpent, this.spent);
    if (maxTokens !== undefined && used >= maxTokens) {
      this.#stop(`the run has used ${used} tokens, and its budget is ${maxTokens}`);
    } else if (maxCostUsd !== undefined && costUsd === null) {
      const isOurs = this.#total.costUsd === null || this.#others.costUsd !== null;
      const name = model ?? 'a model without a name';
      const what = isOurs ? `the price of ${name}` : 'the cost of what other workers asked';
      this.#stop(`${what} is unknown, so the budget of ${dollars(maxCostUsd)} cannot be kept`);
    } else if (maxCostUsd !== undefined && costUsd !== null && costUsd >= maxCostUsd) {
      this.#stop(`the run has cost ${dollars(costUsd)}, and its budget is ${dollars(maxCostUsd)}`);
    }
  }

  #stop(message: string): void {
    this.#stopped ??= { kind: 'budget', status: null, message };
  }
}

class Tally {
  #usage: Usage = NO_USAGE;
  readonly #tokens = new Map<string, number>();
  #costUsd: number | null;

  constructor(isPriced: boolean) {
    this.#costUsd = isPriced ? 0 : null;
  }

  get usage(): Usage {
    return this.#usage;
  }

  get costUsd(): number | null {
    return this.#costUsd;
  }

  add(more: Partial<Usage>, model: string | null = null): void {
    const was = this.#usage;
    this.#usage = {
      requests: was.requests + (more.requests ?? 0),
      inputTokens: was.inputTokens + (more.inputTokens ?? 0),
      outputTokens: was.outputTokens + (more.outputTokens ?? 0),
      cacheReadTokens: was.cacheReadTokens + (more.cacheReadTokens ?? 0),
      cacheWriteTokens: was.cacheWriteTokens + (more.cacheWriteTokens ?? 0),
      models: model === null || was.models.includes(model) ? was.models : [...was.models, model],
    };
  }

  get tokensByModel(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#tokens);
  }

  name(model: string, tokens: number): void {
    this.#tokens.set(model, (this.#tokens.get(model) ?? 0) + tokens);
  }

  /** One unknown price makes the sum unknown. */
  spend(usd: number | null): void {
    this.#costUsd = usd === null || this.#costUsd === null ? null : this.#costUsd + usd;
  }
}

function totalTokens(usage: Tokens): number {
  return KINDS.reduce((sum, kind) => sum + usage[kind], 0);
}

function highest(a: Tokens, b: Tokens): Tokens {
  return combined(a, b, Math.max);
}

function difference(a: Tokens, b: Tokens): Tokens {
  return combined(a, b, (left, right) => left - right);
}

function combined(a: Tokens, b: Tokens, operation: (left: number, right: number) => number): Tokens {
  return {
    inputTokens: operation(a.inputTokens, b.inputTokens),
    outputTokens: operation(a.outputTokens, b.outputTokens),
    cacheReadTokens: operation(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: operation(a.cacheWriteTokens, b.cacheWriteTokens),
  };
}

function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}
