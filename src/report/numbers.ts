/** How figures stand in a report. */
import type { EvalCaseRecord } from '../model/report.ts';
import type { Usage } from '../model/usage.ts';

export function usageRecord(usage: Usage): EvalCaseRecord['usage'] {
  return {
    requests: usage.requests,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    models: [...usage.models],
  };
}

export function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}
