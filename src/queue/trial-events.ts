/** What workers tell about the trials of a run: kept in a stream until the planner has taken it. */
import type { Redis } from 'ioredis';
import { jsonOrNull } from '../model/json-or-null.ts';
import { eventsKey, overKey } from './keys.ts';
import { type TrialEvent, trialEvent } from './messages.ts';

const FIELD = 'event';
const HOUR_SECONDS = 3600;
const WEEK_SECONDS = 7 * 86_400;
const AT_ONCE = 100;
const BLOCK_MS = 2000;
const TAKEN_MS = 50;

/** Whoever comes too late must not leave behind what nobody will read. */
const TELL = `
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('XADD', KEYS[1], '*', ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1`;

export async function tellEvent(redis: Redis, run: string, event: TrialEvent): Promise<void> {
  await redis.eval(TELL, 2, eventsKey(run), overKey(run), FIELD, JSON.stringify(event), WEEK_SECONDS);
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

/** Events of a run that were taken, removed many at once. What is left to a server that is away comes again, and is known. */
export class TakenEvents {
  readonly #redis: Redis;
  readonly #run: string;
  readonly #ids: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(redis: Redis, run: string) {
    this.#redis = redis;
    this.#run = run;
  }

  add(id: string): void {
    this.#ids.push(id);
    this.#timer ??= setTimeout(() => void this.remove().catch(() => {}), TAKEN_MS);
  }

  /** All at once, now. */
  async remove(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const ids = this.#ids.splice(0);
    if (ids.length > 0) await this.#redis.xdel(eventsKey(this.#run), ...ids);
  }
}

/** Also of a run that was over and is taken up again. */
export async function beginEvents(redis: Redis, run: string): Promise<void> {
  await redis.unlink(overKey(run));
}

/** The run is over. */
export async function endEvents(redis: Redis, run: string): Promise<void> {
  await redis.multi().set(overKey(run), '', 'EX', HOUR_SECONDS).unlink(eventsKey(run)).exec();
}

function eventOf(text: string): TrialEvent | null {
  const { success, data } = trialEvent.safeParse(jsonOrNull(text));
  return success ? data : null;
}
