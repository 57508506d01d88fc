/** Large captures on their way: those of one run are not those of another, also when they are equal. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putBlob } from '../../src/queue/blobs.ts';
import { fetchCapture, forgetCapture, sendCapture } from '../../src/queue/captures.ts';
import { blobKey } from '../../src/queue/keys.ts';
import { findRedis, NO_REDIS, startRedis } from '../helpers/redis.ts';

if (findRedis() === null) console.warn(NO_REDIS);

const MIB = 1024 * 1024;
const LARGE = JSON.stringify({ output: 'x'.repeat(MIB) });

describe.skipIf(findRedis() === null)('a large capture', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let redis: Redis;

  beforeAll(async () => {
    server = await startRedis();
    redis = server.client();
  });
  afterAll(() => server.stop());

  it('stays for its own run when an equal one of another run is forgotten', async () => {
    const [one, other] = [await sendCapture(redis, 'one', LARGE), await sendCapture(redis, 'other', LARGE)];
    expect(one).toEqual(other);
    await forgetCapture(redis, 'one', one);
    expect(await fetchCapture(redis, 'one', one, 2 * MIB)).toBe(null);
    expect(await fetchCapture(redis, 'other', other, 2 * MIB)).toBe(LARGE);
    await redis.hset(blobKey(other.sha256, 'other'), '0', 'changed');
    await expect(fetchCapture(redis, 'other', other, 2 * MIB)).rejects.toThrow('has the hash');
    await forgetCapture(redis, 'other', other);
    expect(await redis.keys('*')).toEqual([]);
  });

  it('never stands there without an end, at whatever moment its worker is gone', async () => {
    const putting = putBlob(redis, Buffer.alloc(9 * MIB), 60, 'r');
    let isOver = false;
    void putting.then(() => {
      isOver = true;
    });
    const other = server.client();
    while (!isOver) for (const key of await other.keys('*')) expect(await other.ttl(key)).not.toBe(-1);
    expect(await redis.keys('*')).toEqual([blobKey(await putting, 'r')]);
  });
});
