/** What a door lets through, and the shape in which it refuses the rest. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from '../model/usage.ts';

export interface Route {
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

/** By path at the door. The base URL of OpenAI already ends with the version. */
const ROUTES: Readonly<Record<Provider, ReadonlyMap<string, Route>>> = {
  anthropic: new Map([
    ['/v1/messages', { path: '/v1/messages', isModel: true }],
    ['/v1/messages/count_tokens', { path: '/v1/messages/count_tokens', isModel: false }],
  ]),
  openai: new Map([
    ['/v1/responses', { path: '/responses', isModel: true }],
    ['/responses', { path: '/responses', isModel: true }],
  ]),
};

/** The path is compared as it is, so that nothing a client writes can lead to another place. */
export function routeOf(provider: Provider, { url = '', method, headers }: IncomingMessage): Route | Refusal {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const query = end < 0 ? '' : url.slice(end);
  const route = ROUTES[provider].get(path);
  if (!route || !/^[\x21-\x7e]*$/.test(query)) {
    return { status: 404, message: 'the gateway passes on requests to the model only' };
  }
  if (method === 'GET' && headers.upgrade !== undefined) {
    // Codex tries a websocket first and takes this as the sign to use HTTP.
    return { status: 426, message: 'use plain HTTP', headers: { upgrade: 'HTTP/1.1', connection: 'close' } };
  }
  if (method !== 'POST') return { status: 405, message: 'use POST', headers: { allow: 'POST' } };
  return { ...route, path: route.path + query };
}

/** Answers in the place of the upstream; tells the client that to repeat is useless. */
export function refuse(response: ServerResponse, provider: Provider, refusal: Refusal): void {
  const { status, message, headers } = refusal;
  const type = ERROR_TYPES[status] ?? 'api_error';
  const body = JSON.stringify(
    provider === 'anthropic'
      ? { type: 'error', error: { type, message } }
      : { error: { type, message, param: null, code: null } },
  );
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-should-retry': 'false',
    ...headers,
  });
  response.end(body);
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'request_too_large',
  426: 'invalid_request_error',
  504: 'timeout_error',
};
