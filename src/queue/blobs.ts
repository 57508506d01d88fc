/** Contents by their hash, in pieces: whoever fetches one knows that it is what was put there. */
import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { blobKey } from './keys.ts';

const PIECE = 4 * 1024 * 1024;
/** The planner renews its bundle; a capture waits for a planner that may come back. */
export const BUNDLE_SECONDS = 3600;
export const CAPTURE_SECONDS = 86_400;
/** From one piece to the next. */
const UNFINISHED_SECONDS = 600;
const COUNT = 'pieces';

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Gives its hash. `run`: whose it is alone. It has its name only when it is whole; until then, or when it could not be put there, nobody finds it. */
export async function putBlob(
  redis: Redis,
  bytes: Buffer,
  seconds: number,
  run: string | null = null,
): Promise<string> {
  const sha256 = sha256Of(bytes);
  const key = blobKey(sha256, run);
  const unfinished = `${key}:${randomUUID()}`;
  const pieces = Math.max(1, Math.ceil(bytes.length / PIECE));
  try {
    for (let at = 0; at < pieces; at++)
      await redis
        .multi()
        .hset(unfinished, String(at), bytes.subarray(at * PIECE, (at + 1) * PIECE))
        .expire(unfinished, UNFINISHED_SECONDS)
        .exec();
    const naming = redis.multi().hset(unfinished, COUNT, pieces).expire(unfinished, seconds);
    await naming.rename(unfinished, key).exec();
  } catch (error) {
    await redis.unlink(unfinished).catch(() => {});
    throw error;
  }
  return sha256;
}

/** null: it is not there, or no longer whole. Throws when it is not what its name says, or larger than allowed. */
export async function getBlob(
  redis: Redis,
  sha256: string,
  maxBytes: number,
  run: string | null = null,
): Promise<Buffer | null> {
  const key = blobKey(sha256, run);
  const pieces = Number(await redis.hget(key, COUNT));
  if (!Number.isInteger(pieces) || pieces <= 0) return null;
  if (pieces > Math.ceil(maxBytes / PIECE)) throw new Error(`it is larger than ${maxBytes} bytes`);
  const parts: Buffer[] = [];
  for (let at = 0; at < pieces; at++) {
    const part = await redis.hgetBuffer(key, String(at));
    if (part === null) return null;
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  if (bytes.length > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
  const found = sha256Of(bytes);
  if (found !== sha256) throw new Error(`what the queue holds as ${sha256} has the hash ${found}`);
  return bytes;
}

/** Whether it is there; then it also stays a while longer. */
export async function keepBundle(redis: Redis, sha256: string): Promise<boolean> {
  const [found] = await Promise.all([
    redis.hexists(blobKey(sha256), COUNT),
    redis.expire(blobKey(sha256), BUNDLE_SECONDS),
  ]);
  return found === 1;
}

export async function removeBlob(redis: Redis, sha256: string, run: string | null = null): Promise<void> {
  await redis.unlink(blobKey(sha256, run));
}
