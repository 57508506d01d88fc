/** Why a turn of Codex failed, from its words: it gives no codes. */
import type { AgentEvent } from '../../model/agent-event.ts';
import { statusInWords } from '../../model/usage.ts';

type ModelError = Extract<AgentEvent, { type: 'end' }>['modelError'];

/** null: it was not for the model. What is unknown is taken for the model's, so that no agent is blamed for it. */
export function readFailure(message: string): ModelError {
  if (AGENTS_OWN.test(message)) return null;
  return { status: statusInWords(message), message: bodyMessage(withoutUrl(message)) };
}

const AGENTS_OWN = /ran out of room in the model.s context window|agent loop died|turn aborted|^interrupted/i;

/** The port of the bridge means nothing to anyone. */
export function withoutUrl(message: string): string {
  return message.replace(/,? url: http:\/\/127\.0\.0\.1:\d+[^\s,)]*/, '');
}

/** Some failures are told as the bare body of the answer. */
function bodyMessage(message: string): string {
  try {
    const told = JSON.parse(message)?.error?.message;
    return typeof told === 'string' ? told : message;
  } catch {
    return message;
  }
}
