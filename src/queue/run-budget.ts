/** What all workers together spend on a run, in Redis. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Spent } from '../model/usage.ts';
import { firstChance, openSideConnection } from './side-connection.ts';

export interface RunBudgetOptions {
  /** Says where the server is; a connection of its own is made. */
  readonly redis: Redis;
  /** Of all keys. */
  readonly prefix: string;
  readonly runId: string;
  /** What this worker has spent on the run by now; only grows. */
  spent(): Spent;
  /** What all others have spent by now. */
  onOthers(spent: Spent): void;
}

/** Tells others what this worker spends and learns what they do: once a second, and when it is asked to. */
export interface RunBudget extends AsyncDisposable {
  /** Says whether Redis heard it. Never rejects. To be called when a trial has ended. */
  tell(): Promise<boolean>;
}

const EVERY_MS = 1_000;
const WEEK_SECONDS = 7 * 24 * 3600;
/** In the place of a worker. */
const PLANNER = 'planner';

export async function openRunBudget(options: RunBudgetOptions): Promise<RunBudget> {
  const { redis, prefix, runId, spent, onOthers } = options;
  const side = openSideConnection(redis);
  const worker = randomUUID();
  const key = keyOf(prefix, runId);
  await firstChance(side);

  const tell = async () => {
    try {
      onOthers(totalOf(await exchange(side, key, worker, spent()), worker));
      return true;
    } catch {
      return false;
    }
  };
  let isTelling = false;
  const timer = setInterval(async () => {
    if (isTelling) return;
    isTelling = true;
    await tell();
    isTelling = false;
  }, EVERY_MS);
  await tell();

  return {
    tell,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await tell();
      side.disconnect();
    },
  };
}

/** What the planner knows of and no worker tells: it was asked for elsewhere, or the server has forgotten. */
export async function tellUntold(redis: Redis, prefix: string, runId: string, known: Spent): Promise<void> {
  const key = keyOf(prefix, runId);
  const told = totalOf(await redis.hgetall(key), PLANNER);
  const untold: Spent = {
    tokens: Math.max(0, known.tokens - told.tokens),
    costUsd: known.costUsd === null ? null : Math.max(0, known.costUsd - (told.costUsd ?? 0)),
  };
  await redis.multi().hset(key, PLANNER, JSON.stringify(untold)).expire(key, WEEK_SECONDS).exec();
}

/** What all workers have spent on a run. */
export async function readRunSpent(redis: Redis, prefix: string, runId: string): Promise<Spent> {
  return totalOf(await redis.hgetall(keyOf(prefix, runId)));
}

function keyOf(prefix: string, runId: string): string {
  return `${prefix}spent:${runId}`;
}

/** Every worker writes its own sum, so that telling twice, or anew after Redis forgot, counts once. */
async function exchange(
  redis: Redis,
  key: string,
  worker: string,
  spent: Spent,
): Promise<Record<string, string>> {
  const replies = await redis
    .multi()
    .hset(key, worker, JSON.stringify(spent))
    .expire(key, WEEK_SECONDS)
    .hgetall(key)
    .exec();
  const [error, all] = replies?.[2] ?? [new Error('Redis did not answer')];
  if (error) throw error;
  return all as Record<string, string>;
}

function totalOf(workers: Readonly<Record<string, string>>, except: string | null = null): Spent {
  let tokens = 0;
  let costUsd: number | null = 0;
  for (const [worker, text] of Object.entries(workers)) {
    if (worker === except) continue;
    const spent: Spent = JSON.parse(text);
    tokens += spent.tokens;
    costUsd = costUsd === null || spent.costUsd === null ? null : costUsd + spent.costUsd;
  }
  return { tokens, costUsd };
}
