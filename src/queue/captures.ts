/** What trials left behind, on its way to the planner: most of it is short and goes along with the result, the rest is a blob of its run's own. */
import type { Redis } from 'ioredis';
import { CAPTURE_SECONDS, getBlob, putBlob, removeBlob, sha256Of } from './blobs.ts';
import type { SentCapture } from './messages.ts';

const MAX_ALONG = 64 * 1024;

export async function sendCapture(redis: Redis, run: string, json: string): Promise<SentCapture> {
  const bytes = Buffer.from(json);
  if (bytes.length <= MAX_ALONG) return { sha256: sha256Of(bytes), text: json };
  return { sha256: await putBlob(redis, bytes, CAPTURE_SECONDS, run), text: null };
}

/** null: the server has lost it. Throws when it is not what its hash says, or larger than allowed. */
export async function fetchCapture(
  redis: Redis,
  run: string,
  { sha256, text }: SentCapture,
  maxBytes: number,
): Promise<string | null> {
  if (text === null) return (await getBlob(redis, sha256, maxBytes, run))?.toString() ?? null;
  const bytes = Buffer.from(text);
  if (bytes.length > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
  const found = sha256Of(bytes);
  if (found !== sha256) throw new Error(`what came as ${sha256} has the hash ${found}`);
  return text;
}

export async function forgetCapture(redis: Redis, run: string, { sha256, text }: SentCapture): Promise<void> {
  if (text === null) await removeBlob(redis, sha256, run);
}
