/** Who is there: workers and what they offer, runs and what they need. What nobody renews is gone after a while. */
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { jsonOrNull } from '../model/json-or-null.ts';
import { kindOf, type WorkerFacts, type WorkerNeeds, workerFacts, workerNeeds } from '../model/needs.ts';
import { serverTime } from './connection.ts';
import { KINDS, queuePattern, RUNS, runKey, WORKERS, workerKey } from './keys.ts';

/** Whoever does not renew for so long is taken for dead. */
const LIFE_SECONDS = 30;
/** Needs that nobody had for so long are forgotten. */
const KIND_MS = 7 * 86_400_000;

export async function announceWorker(redis: Redis, worker: WorkerFacts): Promise<void> {
  await redis
    .multi()
    .set(workerKey(worker.id), JSON.stringify(worker), 'EX', LIFE_SECONDS)
    .sadd(WORKERS, worker.id)
    .exec();
}

export async function removeWorker(redis: Redis, id: string): Promise<void> {
  await redis.multi().del(workerKey(id)).srem(WORKERS, id).exec();
}

export async function listWorkers(redis: Redis): Promise<WorkerFacts[]> {
  const found = await listed(redis, WORKERS, workerKey, workerFacts);
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const runFacts = z.strictObject({
  id: z.string(),
  package: z.string(),
  /** Of the planner. */
  host: z.string(),
  needs: workerNeeds,
  total: z.number(),
  finished: z.number(),
  /** Of the finished ones. */
  failed: z.number(),
  undecided: z.number(),
  /** In the queue or with a worker; the others still wait with the planner. */
  queued: z.number(),
  since: z.string(),
});

export type RunFacts = z.output<typeof runFacts>;

/** Also keeps its kind of needs known. */
export async function announceRun(redis: Redis, run: RunFacts): Promise<void> {
  const kind = JSON.stringify({ needs: run.needs, at: await serverTime(redis) });
  await redis
    .multi()
    .set(runKey(run.id), JSON.stringify(run), 'EX', LIFE_SECONDS)
    .sadd(RUNS, run.id)
    .hset(KINDS, kindOf(run.needs), kind)
    .exec();
}

export async function removeRun(redis: Redis, id: string): Promise<void> {
  await redis.multi().del(runKey(id)).srem(RUNS, id).exec();
}

/** Whether its planner lives. */
export async function isRunning(redis: Redis, id: string): Promise<boolean> {
  return (await redis.exists(runKey(id))) === 1;
}

export async function listRunning(redis: Redis): Promise<RunFacts[]> {
  const found = await listed(redis, RUNS, runKey, runFacts);
  return found.sort((a, b) => (a.since < b.since ? -1 : 1));
}

const kindFacts = z.strictObject({ needs: workerNeeds, at: z.number() });

/** What there may be trials for. */
export async function listKinds(redis: Redis): Promise<WorkerNeeds[]> {
  const [all, now] = await Promise.all([redis.hgetall(KINDS), serverTime(redis)]);
  const kinds: WorkerNeeds[] = [];
  for (const [id, text] of Object.entries(all)) {
    const { success, data } = kindFacts.safeParse(jsonOrNull(text));
    const isOne = success && kindOf(data.needs) === id;
    if (isOne && now - data.at < KIND_MS) kinds.push(data.needs);
    else if ((await redis.eval(FORGET, 1, KINDS, id, text)) === 1 && isOne) await removeQueue(redis, id);
  }
  return kinds;
}

/** Unless somebody needs it again by now. */
const FORGET = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])`;

async function removeQueue(redis: Redis, kind: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', queuePattern(kind), 'COUNT', 1000);
    if (keys.length > 0) await redis.unlink(...keys);
    cursor = next;
  } while (cursor !== '0');
}

async function listed<Facts>(
  redis: Redis,
  index: string,
  keyOf: (id: string) => string,
  schema: z.ZodType<Facts>,
): Promise<Facts[]> {
  const ids = await redis.smembers(index);
  if (ids.length === 0) return [];
  const texts = await redis.mget(ids.map(keyOf));
  const gone = ids.filter((_, at) => texts[at] === null);
  if (gone.length > 0) await redis.srem(index, ...gone);
  return texts.flatMap((text) => {
    const { success, data } = schema.safeParse(text === null ? null : jsonOrNull(text));
    return success ? [data] : [];
  });
}
