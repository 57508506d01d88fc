/** What workers tell about the trials of a run: kept in a stream until the planner has taken it. */
import type { Redis } from 'ioredis';
import { eventsKey } from './keys.ts';
import { type TrialEvent, trialEvent } from './messages.ts';

const FIELD = 'event';
const WEEK_SECONDS = 7 * 86_400;
const AT_ONCE = 100;
const BLOCK_MS = 2000;

export async function tellEvent(redis: Redis, run: string, event: TrialEvent): Promise<void> {
  await redis
    .multi()
    .xadd(eventsKey(run), '*', FIELD, JSON.stringify(event))
    .expire(eventsKey(run), WEEK_SECONDS)
    .exec();
}

export interface ReadEvent {
  readonly id: string;
  /** null: it is nothing that a worker of ours would say. */
  readonly event: TrialEvent | null;
}

/** Waits for a moment when there is nothing new. `redis`: a connection of its own. */
export async function readEvents(
  redis: Redis,
  run: string,
  after: string,
  block: boolean,
): Promise<ReadEvent[]> {
  const key = eventsKey(run);
  const answer = block
    ? await redis.xread('COUNT', AT_ONCE, 'BLOCK', BLOCK_MS, 'STREAMS', key, after)
    : await redis.xread('COUNT', AT_ONCE, 'STREAMS', key, after);
  const [, entries = []] = answer?.[0] ?? [];
  return entries.map(([id, fields]) => ({ id, event: eventOf(fields[1] ?? '') }));
}

/** Trials whose results wait to be kept. */
export async function answeredTrials(redis: Redis, run: string): Promise<string[]> {
  const entries = await redis.xrange(eventsKey(run), '-', '+');
  return entries.flatMap(([, fields]) => {
    const event = eventOf(fields[1] ?? '');
    return event?.type === 'done' ? [event.trial] : [];
  });
}

export async function forgetEvents(redis: Redis, run: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await redis.xdel(eventsKey(run), ...ids);
}

export async function forgetAllEvents(redis: Redis, run: string): Promise<void> {
  await redis.unlink(eventsKey(run));
}

function eventOf(text: string): TrialEvent | null {
  try {
    const { success, data } = trialEvent.safeParse(JSON.parse(text));
    return success ? data : null;
  } catch {
    return null;
  }
}
