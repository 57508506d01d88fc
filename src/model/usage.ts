/** What a trial took from the model, counted on the wire. */
export interface Usage {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Model ids as the upstream named them, in the order they first answered. */
  readonly models: readonly string[];
}

export const NO_USAGE: Usage = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  models: [],
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests + b.requests,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    models: [...new Set([...a.models, ...b.models])],
  };
}

/** What counts for a budget. */
export interface Spent {
  readonly tokens: number;
  /** null: not known. */
  readonly costUsd: number | null;
}

export function bothSpent(a: Spent, b: Spent): Spent {
  const costUsd = a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd;
  return { tokens: a.tokens + b.tokens, costUsd };
}

/** Why the model did not answer. Such a failure decides nothing about the agent or the package. */
export interface ModelFailure {
  readonly kind:
    | 'auth'
    | 'rate-limit'
    | 'overloaded'
    | 'server-error'
    | 'bad-request'
    | 'unreachable'
    | 'cut-off'
    | 'stalled'
    | 'budget';
  readonly status: number | null;
  readonly message: string;
}

/** What an HTTP status that is no success says about a model; null: there was no answer at all. */
export function kindOfStatus(status: number | null): ModelFailure['kind'] {
  if (status === null) return 'unreachable';
  if (status === 401 || status === 402 || status === 403) return 'auth';
  if (status === 429) return 'rate-limit';
  if (status === 529) return 'overloaded';
  // A server that sends elsewhere, or that has nothing new to say, is no model.
  return status >= 500 || status === 408 || status < 400 ? 'server-error' : 'bad-request';
}

/** The status in what Codex says about a failure, which has no field for it; null: there is none. */
export function statusInWords(message: string): number | null {
  const status = /(?:unexpected status|last status:|model server answered) (\d{3})\b/.exec(message)?.[1];
  return status === undefined ? null : Number(status);
}

/** Agents use the first two; `google` is for judging only. */
export type Provider = 'anthropic' | 'openai' | 'google';
