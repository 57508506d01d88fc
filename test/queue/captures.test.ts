import { expect, it } from 'vitest';
import { putBlob } from '../../src/queue/blobs.ts';
import { fetchCapture, forgetCapture, sendCapture } from '../../src/queue/captures.ts';
import { blobKey } from '../../src/queue/keys.ts';
import { describeWithRedis, serverForAll } from '../helpers/queue-suite.ts';

const MIB = 1024 * 1024;
const LARGE = JSON.stringify({ output: 'x'.repeat(MIB) });

describeWithRedis('a large capture', () => {
  const its = serverForAll();

  it('stays for its own run when an equal one of another run is forgotten', async () => {
    const [one, other] = [
      await sendCapture(its.redis, 'one', LARGE),
      await sendCapture(its.redis, 'other', LARGE),
    ];
    expect(one).toEqual(other);
    await forgetCapture(its.redis, 'one', one);
    expect(await fetchCapture(its.redis, 'one', one, 2 * MIB)).toBe(null);
    expect(await fetchCapture(its.redis, 'other', other, 2 * MIB)).toBe(LARGE);
    await its.redis.hset(blobKey(other.sha256, 'other'), '0', 'changed');
    await expect(fetchCapture(its.redis, 'other', other, 2 * MIB)).rejects.toThrow('has the hash');
    await forgetCapture(its.redis, 'other', other);
    expect(await its.redis.keys('*')).toEqual([]);
  });

  it('never stands there without an end, at whatever moment its worker is gone', async () => {
    const putting = putBlob(its.redis, Buffer.alloc(9 * MIB), 60, 'r');
    let isOver = false;
    void putting.then(() => {
      isOver = true;
    });
    const other = its.server.client();
    while (!isOver) for (const key of await other.keys('*')) expect(await other.ttl(key)).not.toBe(-1);
    expect(await its.redis.keys('*')).toEqual([blobKey(await putting, 'r')]);
  });
});
