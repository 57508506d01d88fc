/** One request of a client, from its first byte to the end of its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ModelFailure } from '../model/usage.ts';
import { ask } from './ask.ts';
import type { Pool } from './attempt.ts';
import type { Backoff } from './backoff.ts';
import type { BodyStore } from './body.ts';
import type { Upstream } from './credentials.ts';
import type { DoorState } from './door-state.ts';
import { cutOff, foreignAnswer, kindOfStatus, stalled, statusFailure, streamFailure } from './failures.ts';
import { requestHeaders } from './headers.ts';
import type { Account, Ledger } from './ledger.ts';
import { createErrorMeter, createMeter, type Meter } from './meter.ts';
import type { WireError } from './observe.ts';
import { relay } from './relay.ts';
import { type Refusal, type Route, refuse, routeOf } from './routes.ts';
import type { Timings } from './timings.ts';

export interface ExchangeContext {
  readonly upstream: Upstream;
  readonly account: Account;
  readonly ledger: Pick<Ledger, 'stopped'>;
  readonly backoff: Backoff;
  readonly pool: Pool;
  readonly timings: Timings;
  readonly state: DoorState;
  readonly bodies: BodyStore;
}

/** Never rejects: a fault of the gateway itself is told as a failure of the model, so that it decides nothing. */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  context: ExchangeContext,
): Promise<void> {
  const { upstream, state } = context;
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    await serve(request, response, context, gone.signal);
  } catch (error) {
    if (gone.signal.aborted) return;
    state.fail({ kind: 'server-error', status: null, message: `the gateway failed: ${String(error)}` });
    if (response.headersSent) response.destroy();
    else refuse(response, upstream.provider, { status: 500, message: 'the gateway failed' });
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: ExchangeContext,
  signal: AbortSignal,
): Promise<void> {
  const { upstream, bodies } = context;
  const route = routeOf(upstream.provider, request);
  if ('status' in route) {
    refuse(response, upstream.provider, route);
    return;
  }
  const body = await bodies.read(request);
  if (body === null) return;
  if (body === 'too-large') {
    refuse(response, upstream.provider, TOO_LARGE);
    return;
  }
  try {
    await forward(request, response, { ...context, route, body: body.bytes, signal });
  } finally {
    body.release();
  }
}

const TOO_LARGE: Refusal = {
  status: 413,
  message: 'the request is too large for the gateway',
  headers: { connection: 'close' },
};

interface Forward extends ExchangeContext {
  readonly route: Route;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

async function forward(request: IncomingMessage, response: ServerResponse, context: Forward): Promise<void> {
  const { upstream, state, route, body, ledger } = context;
  const begunAt = state.begin();
  const headers = requestHeaders(request, upstream, body.length);
  const asked = await ask(
    { baseUrl: upstream.baseUrl, path: route.path, headers, body },
    {
      ...context,
      refusal: () => ledger.stopped,
      onRetry: () => state.retried(),
      onWaited: (ms) => state.waited(ms),
    },
  );
  if ('failure' in asked) {
    if (route.isModel) state.fail(asked.failure);
    refuse(response, upstream.provider, refusalFor(asked.failure));
    return;
  }
  const failure = await passOn(asked.answer, response, context);
  if (failure === 'client-gone' || !route.isModel) return;
  if (failure) state.fail(failure);
  else state.succeed(begunAt);
}

/** Details of the host's network stay out of the sandbox. */
function refusalFor({ kind, message }: ModelFailure): Refusal {
  if (kind === 'budget') return { status: 403, message: `budget: ${message}` };
  if (kind === 'stalled') return { status: 504, message: 'the model server did not answer in time' };
  return { status: 502, message: 'the model server cannot be reached' };
}

/** Says how the model failed; null when it did not. */
async function passOn(
  answer: IncomingMessage,
  response: ServerResponse,
  { upstream, account, route, timings, signal }: Forward,
): Promise<ModelFailure | 'client-gone' | null> {
  const status = answer.statusCode ?? 0;
  const isGood = status >= 200 && status < 300;
  const entry = route.isModel ? account.answer() : null;
  let error: WireError | null = null;
  const meter =
    isGood && entry
      ? createMeter(answer, upstream.provider, (it) => entry.observe(it))
      : createErrorMeter((it) => {
          error = it;
        });
  // A client does not repeat what it did wrong itself, and may have a way of its own to mend it.
  const isFinalFailure = !isGood && kindOfStatus(status) !== 'bad-request';
  const options = { meter, idleMs: timings.idleMs, isFinalFailure, signal };
  const outcome = await relay(answer, response, options);
  if (outcome === 'client-gone') return outcome;
  if (!isGood) {
    meter.end();
    return statusFailure(upstream, status, error);
  }
  if (outcome === 'stalled') return stalled(upstream, 'rest', timings.idleMs);
  return outcome === 'cut-off' ? cutOff(upstream) : failureIn(meter, upstream, status);
}

function failureIn(meter: Meter, upstream: Upstream, status: number): ModelFailure | null {
  const reading = meter.end();
  if (reading.state === 'failed') return streamFailure(upstream, reading.error);
  if (reading.state === 'foreign') return foreignAnswer(upstream, status, reading.contentType);
  return reading.state === 'unfinished' ? cutOff(upstream) : null;
}
