/** How a session of Claude Code ended. */
import type { AgentEvent } from '../../model/agent-event.ts';
import { type JsonObject, list, numberOrNull, text, textOrNull } from '../json-lines.ts';

/** Its `subtype` says success for failures of the API too, so that one decides nothing. */
export function* readEnd(result: JsonObject): Iterable<AgentEvent> {
  for (const message of list(result['errors']).map(text)) yield { type: 'error', message };
  const output = text(result['result']);
  const terminal = textOrNull(result['terminal_reason']);
  const answered = answeredBadly(result);
  yield {
    type: 'end',
    // No reason: it never came to a turn, because a hook blocked the prompt or the CLI answered it by itself.
    ok: result['is_error'] === false && [null, 'completed', 'hook_stopped'].includes(terminal),
    output,
    reason: answered ?? terminal ?? textOrNull(result['subtype']),
    costUsd: numberOrNull(result['total_cost_usd']),
    ...(result['subtype'] === 'error_max_budget_usd' && { outOfBudget: true }),
    modelError:
      terminal === 'api_error' && answered === null
        ? { status: numberOrNull(result['api_error_status']), message: output }
        : null,
  };
}

/** A refusal and too long an answer come as failures of the API, but they are what the model answered. */
function answeredBadly(result: JsonObject): string | null {
  if (result['stop_reason'] === 'refusal') return 'refusal';
  return result['api_error'] === 'max_output_tokens' ? 'max_output_tokens' : null;
}
