/** Answers a request from a tape: no upstream, no key, no pause. Counts and failures are those of any other answer. */

import type { ServerResponse } from 'node:http';
import { jsonOrNull } from '../model/json-or-null.ts';
import { kindOfStatus, type Provider } from '../model/usage.ts';
import type { Upstream } from './credentials.ts';
import type { DoorState } from './door-state.ts';
import { failureIn, statusFailure } from './failures.ts';
import type { Account, Ledger } from './ledger.ts';
import { createMeter, NO_METER } from './meter.ts';
import { errorIn } from './observe.ts';
import { finalRefusal } from './relay-error.ts';
import { type Route, refuse } from './routes.ts';
import type { Played, TapePlayer } from './tape/player.ts';

export interface ReplayContext {
  readonly upstream: Upstream;
  readonly account: Account;
  readonly ledger: Pick<Ledger, 'stopped'>;
  readonly state: DoorState;
  /** See DoorSettings. */
  readonly finalStatus: number | null;
  readonly route: Route;
  /** null: none. */
  readonly body: Buffer | null;
}

/** Stands where an upstream would; nothing is ever sent to it. */
export function noUpstream(provider: Provider): Upstream {
  return { state: 'ready', provider, baseUrl: 'http://the-tape', headers: () => ({}), source: 'none' };
}

export function replay(player: TapePlayer, response: ServerResponse, context: ReplayContext): void {
  const { upstream, state, route, body, ledger, finalStatus } = context;
  const { provider } = upstream;
  if (ledger.stopped) {
    if (route.isModel) state.fail(ledger.stopped, null);
    refuse(response, provider, { status: finalStatus ?? 403, message: `budget: ${ledger.stopped.message}` });
    return;
  }
  const played = player.play(provider, route.path, body ?? Buffer.alloc(0));
  if ('miss' in played) {
    state.miss(played.miss.message);
    // The difference is for people: an agent that reads it could act on it.
    refuse(response, provider, { status: 400, message: 'the tape has no answer to this request' });
    return;
  }
  answer(played.answer, response, context);
}

type PlayedAnswer = Extract<Played, { answer: unknown }>['answer'];

function answer(played: PlayedAnswer, response: ServerResponse, context: ReplayContext): void {
  const { upstream, account, state, route, finalStatus } = context;
  const { status, headers, body } = played;
  const isGood = status >= 200 && status < 300;
  const error = isGood ? null : errorIn(jsonOrNull(body.toString()));
  if (!isGood && finalStatus !== null && kindOfStatus(status) !== 'bad-request')
    refuse(response, upstream.provider, finalRefusal(finalStatus, status, error));
  else {
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.end(body);
  }
  if (!route.isModel) return;
  const flight = state.begin(true, context.body);
  const entry = account.answer();
  const meter = isGood ? createMeter({ headers }, upstream.provider, (it) => entry.observe(it)) : NO_METER;
  meter.add(body);
  const failure = isGood ? failureIn(meter.end(), upstream, status) : statusFailure(upstream, status, error);
  if (failure) state.fail(failure, flight);
  else state.succeed(flight);
  state.end(flight);
}
