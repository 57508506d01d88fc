/** How figures stand in a report. */
import type { EvalCaseRecord } from '../model/report.ts';
import { NO_USAGE, type Usage } from '../model/usage.ts';

export function usageRecord(usage: Usage): EvalCaseRecord['usage'] {
  return usage === NO_USAGE ? NO_RECORD : recordOf(usage);
}

function recordOf(usage: Usage): EvalCaseRecord['usage'] {
  return {
    requests: usage.requests,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    models: [...usage.models],
  };
}

/** One for all cases without. */
const NO_RECORD = recordOf(NO_USAGE);

export function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}
