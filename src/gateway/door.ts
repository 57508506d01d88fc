/** Opens the socket of one trial. */
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import pLimit from 'p-limit';
import { BodyStore } from './body.ts';
import { DoorState } from './door-state.ts';
import { type ExchangeContext, exchange } from './exchange.ts';
import type { Door } from './gateway.ts';

export interface DoorOptions extends Omit<ExchangeContext, 'state' | 'bodies' | 'places'> {
  readonly trialId: string;
  readonly socket: string;
  readonly onClose: (door: Door) => void;
}

const MAX_CONNECTIONS = 256;
/** More wait. What is running when a budget is used up goes beyond it, so that must not be much. */
const MAX_AT_ONCE = 32;
/** Clients keep connections between turns; one that closes under them costs a failed request. */
const KEEP_ALIVE_MS = 3_600_000;

export async function openDoor(options: DoorOptions): Promise<Door> {
  const { trialId, socket, upstream, account, onClose } = options;
  const state = new DoorState(upstream, options.timings);
  const context: ExchangeContext = {
    ...options,
    state,
    bodies: new BodyStore(),
    places: pLimit(MAX_AT_ONCE),
  };
  const running = new Set<Promise<void>>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const ended = exchange(request, response, context).finally(() => running.delete(ended));
    running.add(ended);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((ready, fail) => {
    server.once('error', fail);
    server.listen(socket, () => ready());
  });
  await chmod(socket, 0o600);

  const door: Door = {
    trialId,
    provider: upstream.provider,
    socket,
    get usage() {
      return account.usage;
    },
    get tokensByModel() {
      return account.tokensByModel;
    },
    get costUsd() {
      return account.costUsd;
    },
    get failure() {
      return state.failure;
    },
    get unanswered() {
      return state.unanswered;
    },
    get unrecovered() {
      return state.unrecovered;
    },
    get refused() {
      return state.refused;
    },
    get tapeMiss() {
      return state.tapeMiss;
    },
    get retries() {
      return state.retries;
    },
    get waitedMs() {
      return state.waitedMs;
    },
    async [Symbol.asyncDispose]() {
      onClose(door);
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
      await Promise.all(running);
      await rm(socket, { force: true });
    },
  };
  return door;
}
