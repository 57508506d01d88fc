/** Which headers cross the gateway. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Upstream } from './credentials.ts';
import type { Redact } from './redact.ts';

/** About one connection, not about the message: they end at the gateway. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Set by the gateway itself, or nothing a sandbox may say: credentials, and hints about where to route. */
const NOT_FROM_CLIENT = new Set([
  'accept-encoding',
  'api-key',
  'authorization',
  'chatgpt-account-id',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'openai-organization',
  'openai-project',
  'x-api-key',
  'x-auth-token',
  'x-goog-api-key',
  'x-host',
  'x-openai-actor-authorization',
  'x-rewrite-url',
]);
const NOT_FROM_CLIENT_PREFIXES = ['proxy-', 'sec-', 'x-forwarded-', 'x-original-', 'x-http-method'];

export function requestHeaders(
  request: IncomingMessage,
  upstream: Upstream,
  /** null: there is none. */
  bodyLength: number | null,
): OutgoingHttpHeaders {
  const connectionOnly = namedByConnection(request);
  const kept = Object.entries(request.headersDistinct).filter(
    ([name]) =>
      !HOP_BY_HOP.has(name) &&
      !connectionOnly.has(name) &&
      !NOT_FROM_CLIENT.has(name) &&
      !NOT_FROM_CLIENT_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  const { 'anthropic-beta': beta, ...credentials } = upstream.headers();
  return {
    ...Object.fromEntries(kept),
    ...(beta !== undefined && { 'anthropic-beta': merged(request.headersDistinct['anthropic-beta'], beta) }),
    ...credentials,
    host: new URL(upstream.baseUrl).host,
    // Counting reads the bytes as they come.
    'accept-encoding': 'identity',
    ...(bodyLength !== null && { 'content-type': 'application/json', 'content-length': bodyLength }),
  };
}

function merged(lists: readonly string[] = [], beta: string): string {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  return [...new Set([...names.filter(Boolean), beta])].join(',');
}

export interface AnswerHeaderOptions {
  /** To ask again is useless. */
  readonly isFinal?: boolean;
  /** Names to leave out, in small letters. */
  readonly without?: readonly string[];
}

/** Flat pairs of name and value, as Node takes them. Cookies of the upstream belong to the host's account. */
export function answerHeaders(
  answer: IncomingMessage,
  redact: Redact,
  { isFinal = false, without = [] }: AnswerHeaderOptions = {},
): string[] {
  const connectionOnly = namedByConnection(answer);
  const headers: string[] = [];
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(index, index + 2);
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || connectionOnly.has(lower) || lower === 'set-cookie') continue;
    // The gateway has done the waiting: a client that did its own would only use up the trial's time.
    if (isFinal && /^(retry-after(-ms)?|x-should-retry)$/.test(lower)) continue;
    if (without.includes(lower)) continue;
    headers.push(name, redact(value));
  }
  if (isFinal) headers.push('x-should-retry', 'false');
  return headers;
}

function namedByConnection(message: IncomingMessage): Set<string> {
  const list = message.headersDistinct['connection'] ?? [];
  return new Set(list.flatMap((it) => it.split(',')).map((name) => name.trim().toLowerCase()));
}
