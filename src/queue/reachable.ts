/** What is asked of a server that is away is neither answered nor refused: whoever waits for it must be able to stop. */
import { setTimeout as delay } from 'node:timers/promises';
import { PrerequisiteError } from '../model/errors.ts';
import { type Redis, safeUrl } from './connection.ts';

export interface Waiting {
  readonly url: string;
  /** For a server that is away. */
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
}

const LOOK_MS = 250;

/** Throws when the server is away for too long, or while it is asked to stop. */
export async function whileReachable<Answer>(
  redis: Redis,
  work: Promise<Answer>,
  waiting: Waiting,
): Promise<Answer> {
  const over = new AbortController();
  try {
    return await Promise.race([work, unreachable(redis, waiting, over.signal)]);
  } finally {
    over.abort();
  }
}

async function unreachable(
  redis: Redis,
  { url, waitSeconds, signal }: Waiting,
  over: AbortSignal,
): Promise<never> {
  const message = `the queue ${safeUrl(url)} cannot be reached any more`;
  let seen = performance.now();
  for (;;) {
    await delay(LOOK_MS, null, { signal: over });
    if (redis.status === 'ready') seen = performance.now();
    else if (signal.aborted) throw new PrerequisiteError(message, 'interrupted before it could be');
    if (performance.now() - seen > waitSeconds * 1000)
      throw new PrerequisiteError(message, `waited for ${waitSeconds} s (--queue-wait)`);
  }
}
