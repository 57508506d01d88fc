/** Puts a failure of the model into words, without keys. */
import type { Hold } from '../model/shared-limits.ts';
import { kindOfStatus, type ModelFailure } from '../model/usage.ts';
import type { Upstream } from './credentials.ts';
import type { Reading } from './meter.ts';
import type { WireError } from './observe.ts';
import { createRedactor } from './redact.ts';
import { scrub } from './tape/scrub.ts';

type Kind = ModelFailure['kind'];

/**
 * Why a request has to wait: a status, an error when there was no answer, or a limit that all workers keep (null: it is
 * not known yet which).
 */
export type Trouble = StatusTrouble | { readonly error: Error } | { readonly limit: string | null };

export interface StatusTrouble {
  readonly status: number;
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

/** Path and query of where it leads to may hold a secret. */
export function redirected(upstream: Upstream, status: number, location: string | undefined): ModelFailure {
  const isKnown = location !== undefined && URL.canParse(location, upstream.baseUrl);
  const host = isKnown ? new URL(location, upstream.baseUrl).host : '';
  const where = host ? `to ${quote(host, upstream)}` : 'without saying where to';
  const message = `${server(upstream)} answered ${status}: it redirects ${where}, and redirects are not followed`;
  return { kind: 'server-error', status, message };
}

/** How the model failed in an answer that came whole; null: it did not. */
export function failureIn(reading: Reading, upstream: Upstream, status: number): ModelFailure | null {
  if (reading.state === 'failed') return streamFailure(upstream, reading.error);
  if (reading.state === 'foreign') return foreignAnswer(upstream, status, reading.contentType);
  return reading.state === 'unfinished' ? cutOff(upstream) : null;
}

function streamFailure(upstream: Upstream, error: WireError): ModelFailure {
  const kind = Object.hasOwn(KIND_OF_TYPE, error.type) ? KIND_OF_TYPE[error.type] : undefined;
  const message = `${server(upstream)} failed during its answer: ${quote(error.message, upstream)}`;
  return { kind: kind ?? 'server-error', status: null, message };
}

function foreignAnswer(upstream: Upstream, status: number, contentType: string): ModelFailure {
  const what = contentType || 'nothing that can be read';
  const message = `${server(upstream)} answered with ${what}, which is not the answer of a model`;
  return { kind: 'server-error', status, message };
}

export function unreachable(upstream: Upstream, error: Error): ModelFailure {
  return { kind: 'unreachable', status: null, message: `${server(upstream)} ${did(upstream, { error })}` };
}

/** The request was not sent again, because its client did not live that long. */
export function heldBack(upstream: Upstream, trouble: Trouble | null, ms: number): ModelFailure {
  const status = trouble && 'status' in trouble ? trouble.status : null;
  const why = trouble ? did(upstream, trouble) : 'was not ready';
  const message = `${server(upstream)} ${why}, and the request was still held back after ${seconds(ms)}`;
  const kind = trouble && 'limit' in trouble ? 'rate-limit' : kindOfStatus(status);
  return { kind, status, message };
}

/** The limits that all workers share leave no room in the time that the request may wait. */
export function limited(upstream: Upstream, { ms, limit }: Hold, waitedMs: number): ModelFailure {
  const waited = `the request has waited ${seconds(waitedMs)} and would have to wait ${seconds(ms)} more`;
  const message = `${server(upstream)} ${did(upstream, { limit })}, and ${waited}`;
  return { kind: 'rate-limit', status: null, message };
}

/** `before`: what came of the same request earlier. */
export function stalled(
  upstream: Upstream,
  what: 'answer' | 'rest',
  ms: number,
  before: Trouble | null = null,
): ModelFailure {
  const failed = what === 'answer' ? 'did not begin to answer' : 'stopped in the middle of an answer';
  const earlier = before && !('limit' in before) ? ` (before, it ${did(upstream, before)})` : '';
  const message = `${server(upstream)} ${failed}: nothing for ${seconds(ms)}${earlier}`;
  return { kind: 'stalled', status: null, message };
}

export function cutOff(upstream: Upstream): ModelFailure {
  const message = `${server(upstream)} broke off in the middle of an answer`;
  return { kind: 'cut-off', status: null, message };
}

/** Path and query of a base URL may hold a secret. */
function server(upstream: Upstream): string {
  return new URL(upstream.baseUrl).host;
}

function did(upstream: Upstream, trouble: Trouble): string {
  if ('status' in trouble) return `answered ${trouble.status}`;
  if ('limit' in trouble) {
    if (trouble.limit === null) return 'is asked only within the limits of all workers';
    return `is asked by all workers together no more than ${trouble.limit} allows`;
  }
  return `cannot be reached: ${quote(trouble.error.message || trouble.error.name, upstream)}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

const MAX_QUOTED = 300;
const MAX_SEEN = 100_000;

/** The words of a server, short and on one line. Some servers repeat the key they refuse. */
function quote(text: string, upstream: Upstream): string {
  const said = scrub(createRedactor([upstream])(text.slice(0, MAX_SEEN)))
    .replace(/\b(sk|pk|sess|key|token)-[\w*.-]{4,}/gi, '[key]')
    .replace(/\beyJ[\w-]+\.[\w.-]+/g, '[key]')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  // Half a word could be half a key.
  return said.length <= MAX_QUOTED ? said : `${said.slice(0, MAX_QUOTED).replace(/\S+$/, '')}…`;
}
