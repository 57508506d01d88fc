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
};

/** The error in the body of an answer that is one: both providers put it below `error`. */
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

/** Here the input includes what came from the cache. */
function openaiTokens(value: unknown): Tokens | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const usage = fields(value);
  const details = fields(usage['input_tokens_details']);
  const cacheReadTokens = count(details['cached_tokens']);
  const cacheWriteTokens = count(details['cache_write_tokens']);
  return {
    inputTokens: Math.max(0, count(usage['input_tokens']) - cacheReadTokens - cacheWriteTokens),
    outputTokens: count(usage['output_tokens']),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

function wireError(value: unknown): WireError {
  const error = fields(value);
  const type = text(error['code']) ?? text(error['type']) ?? '';
  return { type, message: text(error['message']) ?? (type || 'the model failed') };
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function count(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}
