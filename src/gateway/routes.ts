/** What a door lets through, and the shape in which it refuses the rest. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from '../model/usage.ts';

export interface Route {
  readonly method: 'POST' | 'GET';
  /** Below the base URL, query included. */
  readonly path: string;
  /** The answer is the model's: it counts, and it can be a failure of the model. */
  readonly isModel: boolean;
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a door allows beyond what agents need. */
export interface Access {
  /** To list the models of the provider. */
  readonly listModels: boolean;
  /** OpenAI: chat completions. */
  readonly chat: boolean;
}

interface Passage extends Route {
  readonly needs?: keyof Access;
  /** Any printable one when left out. */
  readonly query?: RegExp;
}

const asks = (path: string): Passage => ({ method: 'POST', path, isModel: true });
const lists = (path: string, query: RegExp): Passage => ({
  method: 'GET',
  path,
  isModel: false,
  needs: 'listModels',
  query,
});

const NO_QUERY = /^$/;
const PAGE = /^(\?(limit|after_id)=[\w-]+(&(limit|after_id)=[\w-]+)*)?$/;

/** By path at the door. The base URLs of OpenAI and Google already end with the version. */
const PASSAGES: Readonly<Record<Provider, (path: string) => Passage | undefined>> = {
  anthropic: inTable({
    '/v1/messages': asks('/v1/messages'),
    '/v1/messages/count_tokens': { ...asks('/v1/messages/count_tokens'), isModel: false },
    '/v1/models': lists('/v1/models', PAGE),
  }),
  openai: inTable({
    '/v1/responses': asks('/responses'),
    '/responses': asks('/responses'),
    '/v1/chat/completions': { ...asks('/chat/completions'), needs: 'chat' },
    '/v1/models': lists('/models', NO_QUERY),
    '/models': lists('/models', NO_QUERY),
  }),
  google(path) {
    const below = /^\/v1beta(\/models\/[\w.-]+:generateContent)$/.exec(path)?.[1];
    return below === undefined ? undefined : { ...asks(below), query: NO_QUERY };
  },
};

function inTable(table: Readonly<Record<string, Passage>>) {
  const passages = new Map(Object.entries(table));
  return (path: string) => passages.get(path);
}

/** The path is compared as it is, so that nothing a client writes can lead to another place. */
export function routeOf(
  provider: Provider,
  { url = '', method, headers }: IncomingMessage,
  access: Access,
): Route | Refusal {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const query = end < 0 ? '' : url.slice(end);
  const passage = PASSAGES[provider](path);
  if (
    !passage ||
    (passage.needs && !access[passage.needs]) ||
    !(passage.query ?? /^[\x21-\x7e]*$/).test(query)
  ) {
    return { status: 404, message: 'the gateway passes on requests to the model only' };
  }
  if (method === 'GET' && headers.upgrade !== undefined) {
    // Codex tries a websocket first and takes this as the sign to use HTTP.
    return { status: 426, message: 'use plain HTTP', headers: { upgrade: 'HTTP/1.1', connection: 'close' } };
  }
  if (method !== passage.method) {
    return { status: 405, message: `use ${passage.method}`, headers: { allow: passage.method } };
  }
  return { method: passage.method, path: passage.path + query, isModel: passage.isModel };
}

/** Answers in the place of the upstream; tells the client that to repeat is useless. */
export function refuse(response: ServerResponse, provider: Provider, refusal: Refusal): void {
  const { status, message, headers } = refusal;
  const body = errorBody(provider, status, message);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-should-retry': 'false',
    ...headers,
  });
  response.end(body);
}

/** An error as the provider would word it. */
export function errorBody(provider: Provider, status: number, message: string): string {
  const type = ERROR_TYPES[status] ?? 'api_error';
  return JSON.stringify(ERROR_SHAPES[provider](status, type, message));
}

const ERROR_SHAPES: Readonly<Record<Provider, (status: number, type: string, message: string) => object>> = {
  anthropic: (_, type, message) => ({ type: 'error', error: { type, message } }),
  openai: (_, type, message) => ({ error: { type, message, param: null, code: null } }),
  google: (code, type, message) => ({ error: { code, message, status: type.toUpperCase() } }),
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'request_too_large',
  426: 'invalid_request_error',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
