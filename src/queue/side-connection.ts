/** A connection for what a run can do without for a while: it says at once that Redis is out of reach. */
import { once } from 'node:events';
import type { Redis, RedisOptions } from 'ioredis';

const COMMAND_MS = 1_500;
const READY_MS = 2_000;
const MAX_RECONNECT_MS = 1_000;

/** To the same server as the given one, which is left as it is. Comes back when the server does. */
export function openSideConnection(redis: Redis): Redis {
  const options: RedisOptions = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: COMMAND_MS,
    connectTimeout: READY_MS,
    lazyConnect: false,
    retryStrategy: (times) => Math.min(50 * 2 ** times, MAX_RECONNECT_MS),
  };
  const side = redis.duplicate<RedisOptions>(options);
  // Whoever sends a command hears of it; without a listener the lost connection would be thrown.
  side.on('error', () => {});
  return side;
}

/** Settles when the connection can be used, or cannot be for now. */
export async function firstChance(side: Redis): Promise<void> {
  if (side.status === 'ready') return;
  const over = new AbortController();
  const late = setTimeout(() => over.abort(), READY_MS);
  try {
    await Promise.race(['ready', 'close'].map((name) => once(side, name, { signal: over.signal })));
  } catch {
    // An error or the end of the time: the next command says so.
  } finally {
    clearTimeout(late);
    over.abort();
  }
}
