/** What one event of a stream, or one whole JSON answer, says about the answer it belongs to. */
import type { Provider } from '../model/usage.ts';

export interface Observation {
  readonly model?: string | undefined;
  readonly tokens?: Tokens | undefined;
  /** The model has said all it wanted. */
  readonly ended?: boolean;
  /** The model failed after the answer had begun. */
  readonly error?: WireError | undefined;
}

/** No token is in two of these, whichever way the provider counts. */
export interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export interface WireError {
  readonly type: string;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Never throws, whatever the value. */
export const OBSERVERS: Readonly<Record<Provider, (value: unknown) => Observation>> = {
  anthropic(value) {
    const event = fields(value);
    switch (event['type']) {
      case 'message_start': {
        const message = fields(event['message']);
        return { model: text(message['model']), tokens: anthropicTokens(message['usage']) };
      }
      case 'message_delta':
        return {
          tokens: anthropicTokens(event['usage']),
          ended: typeof fields(event['delta'])['stop_reason'] === 'string',
        };
      case 'message_stop':
        return { ended: true };
      case 'message':
        return { model: text(event['model']), tokens: anthropicTokens(event['usage']), ended: true };
      case 'error':
        return { error: wireError(event['error']) };
      default:
        return {};
    }
  },

  openai(value) {
    const event = fields(value);
    if (event['type'] === 'error') return { error: wireError(event['error'] ?? event) };
    if ('choices' in event) return ofChat(event);
    if (isObject(event['error']) && !('object' in event)) return { error: wireError(event['error']) };
    const isWhole = event['object'] === 'response' || 'output' in event;
    const response = isWhole ? event : fields(event['response']);
    const status = response['status'] ?? text(event['type'])?.replace(/^response\./, '');
    const failed = status === 'failed' || event['type'] === 'response.failed';
    return {
      model: text(response['model']),
      tokens: openaiTokens(response['usage']),
      ended: status === 'completed' || status === 'incomplete',
      error: failed ? wireError(response['error']) : undefined,
    };
  },

  google(value) {
    const answer = fields(value);
    const candidates = Array.isArray(answer['candidates']) ? answer['candidates'] : [];
    const hasFinished = candidates.some((it) => text(fields(it)['finishReason']) !== undefined);
    return {
      model: text(answer['modelVersion']),
      tokens: googleTokens(answer['usageMetadata']),
      ended: hasFinished || text(fields(answer['promptFeedback'])['blockReason']) !== undefined,
      error: isObject(answer['error']) ? wireError(answer['error']) : undefined,
    };
  },
};

/** A chat completion, or a chunk of one; the last chunk has the tokens and no choice. */
function ofChat(event: Fields): Observation {
  const choices = Array.isArray(event['choices']) ? event['choices'] : [];
  return {
    model: text(event['model']),
    tokens: openaiTokens(event['usage']),
    ended: choices.some((it) => text(fields(it)['finish_reason']) !== undefined),
    error: isObject(event['error']) ? wireError(event['error']) : undefined,
  };
}

/** The error in the body of an answer that is one: all providers put it below `error`. */
export function errorIn(value: unknown): WireError | null {
  const error = fields(value)['error'] ?? fields(value)['detail'] ?? fields(value)['message'];
  if (typeof error === 'string') return { type: '', message: error };
  return error === undefined ? null : wireError(error);
}

function anthropicTokens(value: unknown): Tokens {
  const usage = fields(value);
  return {
    inputTokens: count(usage['input_tokens']),
    outputTokens: count(usage['output_tokens']),
    cacheReadTokens: count(usage['cache_read_input_tokens']),
    cacheWriteTokens: count(usage['cache_creation_input_tokens']),
  };
}

/** Here the input includes what came from the cache. Chat completions have names of their own. */
function openaiTokens(value: unknown): Tokens | undefined {
  if (!isObject(value)) return undefined;
  const usage = fields(value);
  const details = fields(usage['input_tokens_details'] ?? usage['prompt_tokens_details']);
  const cacheReadTokens = count(details['cached_tokens']);
  const cacheWriteTokens = count(details['cache_write_tokens']);
  const input = count(usage['input_tokens'] ?? usage['prompt_tokens']);
  return {
    inputTokens: Math.max(0, input - cacheReadTokens - cacheWriteTokens),
    outputTokens: count(usage['output_tokens'] ?? usage['completion_tokens']),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

/** Here too, and thoughts are counted beside the answer. */
function googleTokens(value: unknown): Tokens | undefined {
  if (!isObject(value)) return undefined;
  const usage = fields(value);
  const cacheReadTokens = count(usage['cachedContentTokenCount']);
  const input = count(usage['promptTokenCount']) + count(usage['toolUsePromptTokenCount']);
  return {
    inputTokens: Math.max(0, input - cacheReadTokens),
    outputTokens: count(usage['candidatesTokenCount']) + count(usage['thoughtsTokenCount']),
    cacheReadTokens,
    cacheWriteTokens: 0,
  };
}

function wireError(value: unknown): WireError {
  const error = fields(value);
  const type = text(error['code']) ?? text(error['type']) ?? text(error['status']) ?? '';
  return { type, message: text(error['message']) ?? (type || 'the model failed') };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function count(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}
