/** One request of a client, from its first byte to the end of its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LimitFunction } from 'p-limit';
import type { SharedLimits } from '../model/shared-limits.ts';
import { kindOfStatus, type ModelFailure } from '../model/usage.ts';
import { ask } from './ask.ts';
import type { Pool } from './attempt.ts';
import type { Backoff } from './backoff.ts';
import type { BodyStore } from './body.ts';
import type { Upstream } from './credentials.ts';
import type { DoorState } from './door-state.ts';
import type { DoorTape } from './door-tape.ts';
import { cutOff, failureIn, redirected, stalled, statusFailure } from './failures.ts';
import type { Flight } from './flight.ts';
import { requestHeaders } from './headers.ts';
import type { Account, Ledger } from './ledger.ts';
import { createMeter, NO_METER } from './meter.ts';
import { beginRecording, type Recording } from './recording.ts';
import type { Redact } from './redact.ts';
import { relay } from './relay.ts';
import { relayError } from './relay-error.ts';
import { replay } from './replay.ts';
import { checkBody } from './request-body.ts';
import { type Access, type Refusal, type Route, refuse, routeOf } from './routes.ts';
import type { Timings } from './timings.ts';

export interface ExchangeContext {
  readonly upstream: Upstream;
  readonly access: Access;
  /** Requests may make the model's server reach out to other places. */
  readonly hostedTools: boolean;
  /** See DoorSettings. */
  readonly finalStatus: number | null;
  readonly redact: Redact;
  readonly account: Account;
  readonly ledger: Pick<Ledger, 'stopped'>;
  readonly backoff: Backoff;
  /** null: none. */
  readonly shared: SharedLimits | null;
  /** See TurnContext. */
  onUnasked(): void;
  readonly pool: Pool;
  readonly timings: Timings;
  readonly state: DoorState;
  readonly bodies: BodyStore;
  /** Whoever finds none free waits. */
  readonly places: LimitFunction;
  /** null: none. */
  readonly tape: DoorTape | null;
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
    state.fail({ kind: 'server-error', status: null, message: `the gateway failed: ${String(error)}` }, null);
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
  const { upstream, bodies, places, access, hostedTools, state } = context;
  const { provider } = upstream;
  const route = routeOf(provider, request, access);
  if ('status' in route) {
    refuse(response, provider, route);
    return;
  }
  const body = await bodies.read(request);
  if (body === null) return;
  if (body === 'too-large') {
    refuse(response, provider, TOO_LARGE);
    return;
  }
  try {
    if (route.method === 'GET') {
      await places(() => fly(request, response, { ...context, route, body: null, model: null, signal }));
      return;
    }
    const checked = checkBody(provider, body.bytes, hostedTools);
    if ('bytes' in checked) {
      const model = checked.model ?? modelInPath(route);
      await places(() => fly(request, response, { ...context, route, body: checked.bytes, model, signal }));
      return;
    }
    if (checked.wayOut !== null) state.refuse(checked.wayOut);
    refuse(response, provider, checked.refusal);
  } finally {
    body.release();
  }
}

/** Google has it there. */
function modelInPath({ path }: Route): string | null {
  return /^\/models\/([\w.-]+):/.exec(path)?.[1] ?? null;
}

const TOO_LARGE: Refusal = {
  status: 413,
  message: 'the request is too large for the gateway',
  headers: { connection: 'close' },
};

interface Journey extends ExchangeContext {
  readonly route: Route;
  /** null: none. */
  readonly body: Buffer | null;
  /** The one that is asked; null: none is named. */
  readonly model: string | null;
  readonly signal: AbortSignal;
}

async function fly(request: IncomingMessage, response: ServerResponse, journey: Journey): Promise<void> {
  const { state, route, body, signal, tape } = journey;
  if (tape && 'play' in tape) {
    replay(tape.play, response, journey);
    return;
  }
  const flight = state.begin(route.isModel, body);
  const abandon = () => state.abandon(flight);
  // The first listener: what the request was waiting for is still to be seen.
  signal.addEventListener('abort', abandon);
  if (signal.aborted) abandon();
  try {
    await forward(request, response, { ...journey, flight });
  } finally {
    signal.removeEventListener('abort', abandon);
    state.end(flight);
  }
}

interface Forward extends Journey {
  readonly flight: Flight;
}

async function forward(request: IncomingMessage, response: ServerResponse, context: Forward): Promise<void> {
  const { upstream, state, route, body, ledger, flight, finalStatus, shared } = context;
  const headers = requestHeaders(request, upstream, body?.length ?? null);
  const recording = beginRecording(context);
  const asked = await ask(
    { method: route.method, baseUrl: upstream.baseUrl, path: route.path, headers, body },
    {
      ...context,
      shared: route.isModel ? shared : null,
      refusal: () => ledger.stopped,
      onRetry: () => state.retried(),
    },
  );
  if ('failure' in asked) {
    if (route.isModel) state.fail(asked.failure, flight);
    refuse(response, upstream.provider, refusalFor(asked.failure, finalStatus));
    return;
  }
  const failure = await passOn(asked.answer, response, { ...context, recording });
  if (failure === 'client-gone' || !route.isModel) return;
  if (failure) state.fail(failure, flight);
  else state.succeed(flight);
}

/** Details of the host's network stay out of the sandbox. */
function refusalFor({ kind, message }: ModelFailure, finalStatus: number | null): Refusal {
  if (kind === 'budget') return { status: finalStatus ?? 403, message: `budget: ${message}` };
  if (kind === 'rate-limit')
    return { status: finalStatus ?? 429, message: 'the limit of requests to the model is used up' };
  if (kind === 'stalled')
    return { status: finalStatus ?? 504, message: 'the model server did not answer in time' };
  return { status: finalStatus ?? 502, message: 'the model server cannot be reached' };
}

/** Says how the model failed; null when it did not. */
async function passOn(
  answer: IncomingMessage,
  response: ServerResponse,
  {
    upstream,
    account,
    route,
    redact,
    timings,
    flight,
    finalStatus,
    signal,
    recording,
  }: Forward & {
    readonly recording: Recording;
  },
): Promise<ModelFailure | 'client-gone' | null> {
  const { provider } = upstream;
  const status = answer.statusCode ?? 0;
  const entry = route.isModel ? account.answer() : null;
  if (status >= 300 && status < 400) {
    answer.on('error', () => {}).destroy();
    const message = `the model server answered ${status}: it redirects to another place`;
    refuse(response, provider, { status: finalStatus ?? 502, message });
    return redirected(upstream, status, answer.headers.location);
  }
  if (status < 200 || status >= 300) {
    // A client does not repeat what it did wrong itself, and may have a way of its own to mend it.
    const isFinal = kindOfStatus(status) !== 'bad-request';
    const { error, body } = await relayError(answer, response, {
      provider,
      redact,
      timeoutMs: timings.idleMs,
      isFinal,
      finalStatus: isFinal ? finalStatus : null,
    });
    recording.keep({ status, headers: { ...answer.headers, 'content-encoding': undefined }, body, entry });
    return statusFailure(upstream, status, error);
  }
  const meter = recording.meter(entry ? createMeter(answer, provider, (it) => entry.observe(it)) : NO_METER);
  const outcome = await relay(answer, response, { meter, flight, redact, signal });
  if (outcome === 'client-gone') return outcome;
  if (outcome === 'stalled') return stalled(upstream, 'rest', flight.silentMs);
  if (outcome === 'cut-off') return cutOff(upstream);
  const failure = failureIn(meter.end(), upstream, status);
  if (failure === null) recording.keep({ status, headers: answer.headers, entry });
  return failure;
}
