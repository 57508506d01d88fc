/** Reads what a shell agent answered: plain text, or JSON with its messages, tool calls and what it took. */
import type { AgentEvent } from '../../model/agent-event.ts';
import type { Json } from '../../model/tests.ts';
import { type JsonObject, list, numberOrNull, object, text, textOrNull } from '../json-lines.ts';
import { readAll } from '../read-all.ts';

type End = Extract<AgentEvent, { type: 'end' }>;

export async function* readShellAnswer(lines: AsyncIterable<string>): AsyncGenerator<AgentEvent> {
  const { output, cut } = await readAll(lines);
  if (cut !== null) yield { type: 'cut', what: cut };
  const told = cut === null ? structured(output) : null;
  if (told === null) {
    if (output !== '') yield { type: 'message', text: output, subAgent: false };
    yield endOf(output, {});
    return;
  }
  const messages = list(told['output'] ?? told['messages']).map(object);
  let spoken = '';
  for (const [index, message] of messages.entries()) {
    if (message['role'] !== undefined && message['role'] !== 'assistant') continue;
    yield* callsIn(message, index);
    const said = contentOf(message['content']);
    if (said === '') continue;
    spoken = said;
    yield { type: 'message', text: said, subAgent: false };
  }
  const answer = textOrNull(told['text']) ?? spoken;
  if (answer !== '' && answer !== spoken) yield { type: 'message', text: answer, subAgent: false };
  yield endOf(answer, told);
}

/** Any other JSON is an answer as it is. */
function structured(output: string): JsonObject | null {
  if (!output.trimStart().startsWith('{')) return null;
  try {
    const told = object(JSON.parse(output) as Json);
    const isOne =
      typeof told['text'] === 'string' || Array.isArray(told['output']) || Array.isArray(told['messages']);
    return isOne ? told : null;
  } catch {
    return null;
  }
}

function* callsIn(message: JsonObject, turn: number): Iterable<AgentEvent> {
  const calls = list(message['tool_calls'] ?? message['toolCalls']).map(object);
  for (const [index, call] of calls.entries()) {
    const inner = object(call['function']);
    const id = textOrNull(call['id']) ?? `${turn + 1}.${index + 1}`;
    const tool = text(call['tool'] ?? call['name'] ?? inner['name']);
    const input = argumentsOf(call['input'] ?? call['arguments'] ?? inner['arguments']);
    yield { type: 'tool-call', id, tool, input, subAgent: false };
    const { output } = call;
    if (output === undefined) continue;
    const durationMs = numberOrNull(call['duration_ms'] ?? call['durationMs']);
    yield {
      type: 'tool-result',
      id,
      output: typeof output === 'string' ? output : JSON.stringify(output),
      isError: call['is_error'] === true,
      ...(durationMs !== null && { durationMs }),
    };
  }
}

/** Some write them as a text of JSON. */
function argumentsOf(input: Json | undefined): Json {
  if (typeof input !== 'string') return input ?? null;
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}

function contentOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => text(object(part)['text'] ?? object(part)['value']))
    .filter((it) => it !== '')
    .join('\n');
}

function endOf(output: string, told: JsonObject): End {
  const tokens = object(told['token_usage'] ?? told['tokenUsage']);
  const [input, answered] = [numberOrNull(tokens['input']), numberOrNull(tokens['output'])];
  return {
    type: 'end',
    ok: true,
    output,
    reason: null,
    costUsd: numberOrNull(told['cost_usd'] ?? told['costUsd']),
    modelError: null,
    // Half of it would pass for all of it.
    ...(input !== null &&
      answered !== null && {
        claimed: {
          inputTokens: input,
          outputTokens: answered,
          cacheReadTokens: numberOrNull(tokens['cached']) ?? 0,
        },
      }),
  };
}
