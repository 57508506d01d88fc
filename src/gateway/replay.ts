/** Answers a request from a tape: no upstream, no key, no pause. Counts and failures are those of any other answer. */
import type { ServerResponse } from 'node:http';
import type { Provider } from '../model/usage.ts';
import type { Upstream } from './credentials.ts';
import type { DoorState } from './door-state.ts';
import { failureIn, statusFailure } from './failures.ts';
import type { Account, Ledger } from './ledger.ts';
import { createMeter, NO_METER } from './meter.ts';
import { errorIn } from './observe.ts';
import { type Route, refuse } from './routes.ts';
import type { Played, TapePlayer } from './tape/player.ts';

export interface ReplayContext {
  readonly upstream: Upstream;
  readonly account: Account;
  readonly ledger: Pick<Ledger, 'stopped'>;
  readonly state: DoorState;
  readonly route: Route;
  /** null: none. */
  readonly body: Buffer | null;
}

/** Stands where an upstream would; nothing is ever sent to it. */
export function noUpstream(provider: Provider): Upstream {
  return { state: 'ready', provider, baseUrl: 'http://the-tape', headers: () => ({}), source: 'none' };
}

export function replay(player: TapePlayer, response: ServerResponse, context: ReplayContext): void {
  const { upstream, state, route, body, ledger } = context;
  const { provider } = upstream;
  if (ledger.stopped) {
    if (route.isModel) state.fail(ledger.stopped);
    refuse(response, provider, { status: 403, message: `budget: ${ledger.stopped.message}` });
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
  const { upstream, account, state, route } = context;
  const { status, headers, body } = played;
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
  if (!route.isModel) return;
  const flight = state.begin(true);
  const entry = account.answer();
  const isGood = status >= 200 && status < 300;
  const meter = isGood ? createMeter({ headers }, upstream.provider, (it) => entry.observe(it)) : NO_METER;
  meter.add(body);
  const failure = isGood
    ? failureIn(meter.end(), upstream, status)
    : statusFailure(upstream, status, errorIn(parse(body)));
  if (failure) state.fail(failure);
  else state.succeed(flight);
  state.end(flight);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return null;
  }
}
