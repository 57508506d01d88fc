/** Puts a failure of the model into words, without keys. */
import type { ModelFailure } from '../model/usage.ts';
import type { Upstream } from './credentials.ts';
import type { WireError } from './observe.ts';

type Kind = ModelFailure['kind'];

export function kindOfStatus(status: number): Kind {
  if (status === 401 || status === 402 || status === 403) return 'auth';
  if (status === 429) return 'rate-limit';
  if (status === 529) return 'overloaded';
  return status >= 500 || status === 408 ? 'server-error' : 'bad-request';
}

/** An error in the middle of a stream has a name instead of a status. */
const KIND_OF_TYPE: Readonly<Record<string, Kind>> = {
  authentication_error: 'auth',
  billing_error: 'auth',
  permission_error: 'auth',
  insufficient_quota: 'rate-limit',
  rate_limit_error: 'rate-limit',
  rate_limit_exceeded: 'rate-limit',
  overloaded_error: 'overloaded',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
  context_length_exceeded: 'bad-request',
  invalid_prompt: 'bad-request',
  invalid_request_error: 'bad-request',
  not_found_error: 'bad-request',
  request_too_large: 'bad-request',
};

export function statusFailure(upstream: Upstream, status: number, error: WireError | null): ModelFailure {
  const kind = kindOfStatus(status);
  const key = kind === 'auth' && upstream.source !== 'none' ? ` (key: ${upstream.source})` : '';
  const said = error ? `: ${quote(error.message, upstream)}` : '';
  return { kind, status, message: `${server(upstream)} answered ${status}${key}${said}` };
}

export function streamFailure(upstream: Upstream, error: WireError): ModelFailure {
  const kind = Object.hasOwn(KIND_OF_TYPE, error.type) ? KIND_OF_TYPE[error.type] : undefined;
  const message = `${server(upstream)} failed during its answer: ${quote(error.message, upstream)}`;
  return { kind: kind ?? 'server-error', status: null, message };
}

export function foreignAnswer(upstream: Upstream, status: number, contentType: string): ModelFailure {
  const what = contentType || 'nothing that can be read';
  const message = `${server(upstream)} answered with ${what}, which is not the answer of a model`;
  return { kind: 'server-error', status, message };
}

export function unreachable(upstream: Upstream, error: Error): ModelFailure {
  const message = `${server(upstream)} cannot be reached: ${quote(error.message || error.name, upstream)}`;
  return { kind: 'unreachable', status: null, message };
}

export function stalled(upstream: Upstream, what: 'answer' | 'rest', ms: number): ModelFailure {
  const did = what === 'answer' ? 'did not begin to answer' : 'stopped in the middle of an answer';
  return { kind: 'stalled', status: null, message: `${server(upstream)} ${did}: nothing for ${ms / 1000} s` };
}

export function cutOff(upstream: Upstream): ModelFailure {
  const message = `${server(upstream)} broke off in the middle of an answer`;
  return { kind: 'cut-off', status: null, message };
}

/** Path and query of a base URL may hold a secret. */
function server(upstream: Upstream): string {
  return new URL(upstream.baseUrl).host;
}

/** The words of a server, short and on one line. Some servers repeat the key they refuse. */
function quote(text: string, upstream: Upstream): string {
  const secrets = Object.values(upstream.headers()).flatMap((value) => [
    value,
    value.replace(/^Bearer /, ''),
  ]);
  return secrets
    .reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text)
    .replace(/\b(sk|pk|sess|key|token)-[\w*.-]{4,}/gi, '[key]')
    .replace(/\beyJ[\w-]+\.[\w.-]+/g, '[key]')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
