/** Sends a request to the upstream once. */
import * as http from 'node:http';
import * as https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Timings } from './timings.ts';

export interface Pool {
  readonly http: http.Agent;
  readonly https: https.Agent;
  destroy(): void;
}

export function createPool(): Pool {
  const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
  return {
    ...agents,
    destroy() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

export interface Call {
  readonly method: 'POST' | 'GET';
  readonly baseUrl: string;
  /** Below the base URL, query included. */
  readonly path: string;
  readonly headers: http.OutgoingHttpHeaders;
  /** null: none. */
  readonly body: Buffer | null;
}

export type Attempt =
  | { readonly state: 'answered'; readonly answer: http.IncomingMessage }
  /** `isStale`: the connection had been kept from an earlier request and the server had dropped it. */
  | { readonly state: 'unreachable'; readonly error: Error; readonly isStale: boolean }
  | { readonly state: 'silent' };

/** Never rejects. When the signal aborts, the connection is destroyed, also while an answer is being read. */
export function attempt(call: Call, pool: Pool, timings: Timings, signal: AbortSignal): Promise<Attempt> {
  const url = new URL(call.baseUrl);
  const isSecure = url.protocol === 'https:';
  return new Promise((settle) => {
    const request = (isSecure ? https : http).request({
      ...urlToHttpOptions(url),
      path: pathOf(url, call.path),
      method: call.method,
      headers: call.headers,
      agent: isSecure ? pool.https : pool.http,
      signal,
    });
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      request.destroy();
    }, timings.headerMs);
    let connecting: NodeJS.Timeout | undefined;
    request.on('socket', (socket) => {
      if (!socket.connecting) return;
      const late = () => request.destroy(new Error(`no connection within ${timings.connectMs / 1000} s`));
      connecting = setTimeout(late, timings.connectMs);
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    const finish = (result: Attempt) => {
      clearTimeout(silence);
      clearTimeout(connecting);
      settle(result);
    };
    request.on('response', (answer) => finish({ state: 'answered', answer }));
    // Stays for the life of the request: without a listener an error while the answer is read would be thrown.
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      finish(isSilent ? { state: 'silent' } : { state: 'unreachable', error, isStale });
    });
    request.end(call.body ?? undefined);
  });
}

/** The base URL may have a path and a query of its own. */
function pathOf(base: URL, path: string): string {
  const [below = '', query = ''] = path.split(/\?(.*)/s);
  const queries = [base.search.slice(1), query].filter(Boolean).join('&');
  return base.pathname.replace(/\/+$/, '') + below + (queries && `?${queries}`);
}
