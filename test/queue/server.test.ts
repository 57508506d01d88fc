/** What is kept in Redis: contents, who is there, what workers tell, and trials that wait. */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { kindOf, type WorkerFacts } from '../../src/model/needs.ts';
import { BUNDLE_SECONDS, getBlob, keepBundle, putBlob, removeBlob } from '../../src/queue/blobs.ts';
import { safeUrl } from '../../src/queue/connection.ts';
import { Consumer, type TakenJob } from '../../src/queue/consumer.ts';
import { countJobs } from '../../src/queue/counts.ts';
import { blobKey, eventsKey, KINDS, RUNS, runKey, WORKERS, workerKey } from '../../src/queue/keys.ts';
import type { TrialEvent, TrialJob } from '../../src/queue/messages.ts';
import { Producer } from '../../src/queue/producer.ts';
import {
  announceRun,
  announceWorker,
  isRunning,
  listKinds,
  listRunning,
  listWorkers,
  type RunFacts,
  removeRun,
  removeWorker,
} from '../../src/queue/registry.ts';
import { beginEvents, endEvents, readEvents, TakenEvents, tellEvent } from '../../src/queue/trial-events.ts';
import { describeWithRedis, PLAIN_NEEDS, serverForAll } from '../helpers/queue-suite.ts';

const MIB = 1024 * 1024;
const LONG = { timeout: 30_000 };

describe('an address of a queue', () => {
  it.each([
    ['redis://host:6379', 'redis://host:6379'],
    ['redis://me@host', 'redis://me@host'],
    ['redis://me:secret@host:1/2', 'redis://me:***@host:1/2'],
    ['rediss://:secret@host', 'rediss://:***@host'],
    ['redis://me:s@cr:e/t@host', 'redis://me:***@host'],
    ['redis://host?password=secret', 'redis://host?***'],
    ['me:secret@host', 'me:***@host'],
    ['redis//me:secret@host', 'redis:***@host'],
  ])('%s is shown without its password', (url, shown) => {
    expect(safeUrl(url)).toBe(shown);
  });
});

describeWithRedis('the queue', () => {
  const its = serverForAll();

  describe('contents', () => {
    it.each([0, 1, 4 * MIB - 1, 4 * MIB, 4 * MIB + 1, 9 * MIB])('of %i bytes come back', async (size) => {
      const bytes = randomBytes(size);
      const sha256 = await putBlob(its.redis, bytes, 60);
      expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect((await getBlob(its.redis, sha256, 16 * MIB))?.equals(bytes)).toBe(true);
      const parts = Math.max(1, Math.ceil(size / (4 * MIB)));
      expect(await its.redis.hlen(blobKey(sha256))).toBe(parts + 1);
      expect(await its.redis.ttl(blobKey(sha256))).toBeGreaterThan(0);
    });

    it('are not taken when they are too large, changed or in parts', async () => {
      const sha256 = await putBlob(its.redis, randomBytes(5 * MIB), 60);
      await expect(getBlob(its.redis, sha256, 4 * MIB)).rejects.toThrow('larger than');
      await expect(getBlob(its.redis, sha256, 5 * MIB - 1)).rejects.toThrow('larger than');
      await its.redis.hset(blobKey(sha256), '1', 'other');
      await expect(getBlob(its.redis, sha256, 8 * MIB)).rejects.toThrow('has the hash');
      await its.redis.hdel(blobKey(sha256), '1');
      expect(await getBlob(its.redis, sha256, 8 * MIB)).toBe(null);
      for (const pieces of ['0', '-1', '1.5', 'x', '1e9']) {
        await its.redis.hset(blobKey(sha256), 'pieces', pieces);
        expect(await getBlob(its.redis, sha256, 8 * MIB).catch(() => null)).toBe(null);
      }
    });

    it('stay for as long as they are renewed, and go when they are removed', async () => {
      const sha256 = await putBlob(its.redis, Buffer.from('a'), 5);
      expect(await keepBundle(its.redis, sha256)).toBe(true);
      expect(await its.redis.ttl(blobKey(sha256))).toBeGreaterThan(BUNDLE_SECONDS - 60);
      await removeBlob(its.redis, sha256);
      expect(await keepBundle(its.redis, sha256)).toBe(false);
      expect(await getBlob(its.redis, sha256, MIB)).toBe(null);
      expect(await its.redis.keys('*')).toEqual([]);
    });
  });

  describe('who is there', () => {
    const worker: WorkerFacts = {
      ...{ id: 'b', host: 'h', pid: 1, aam: '1.0.0', providers: [], tags: [], network: false, jobs: 1 },
      ...{
        engines: { mock: null },
        sandboxes: ['bubblewrap'],
        active: 0,
        draining: false,
        trouble: null,
        since: 'x',
      },
    };
    const run: RunFacts = {
      ...{
        id: 'r',
        package: 'p',
        host: 'h',
        needs: PLAIN_NEEDS,
        total: 1,
        finished: 0,
        failed: 0,
        undecided: 0,
      },
      ...{ queued: 1, since: '2026' },
    };

    it('is known until it leaves, or is not heard of any more', async () => {
      await announceWorker(its.redis, worker);
      await announceWorker(its.redis, { ...worker, id: 'a' });
      expect((await listWorkers(its.redis)).map(({ id }) => id)).toEqual(['a', 'b']);
      expect(await its.redis.ttl(workerKey('a'))).toBeGreaterThan(0);
      await removeWorker(its.redis, 'a');
      expect(await listWorkers(its.redis)).toEqual([worker]);
      await its.redis.pexpire(workerKey('b'), 1);
      await expect.poll(() => listWorkers(its.redis)).toEqual([]);
      expect(await its.redis.smembers(WORKERS)).toEqual([]);

      await announceRun(its.redis, run);
      expect([
        await isRunning(its.redis, 'r'),
        await listRunning(its.redis),
        await listKinds(its.redis),
      ]).toEqual([true, [run], [PLAIN_NEEDS]]);
      await removeRun(its.redis, 'r');
      expect([
        await isRunning(its.redis, 'r'),
        await listRunning(its.redis),
        await listKinds(its.redis),
      ]).toEqual([false, [], [PLAIN_NEEDS]]);
    });

    it('is not what a stranger wrote', async () => {
      await announceWorker(its.redis, worker);
      for (const [id, text] of Object.entries({
        x: '{',
        y: '{}',
        z: JSON.stringify({ ...worker, more: 1 }),
      })) {
        await its.redis.set(workerKey(id), text);
        await its.redis.sadd(WORKERS, id);
        await its.redis.set(runKey(id), text);
        await its.redis.sadd(RUNS, id);
        await its.redis.hset(KINDS, id, text);
      }
      await its.redis.hset(KINDS, 'w', JSON.stringify({ needs: PLAIN_NEEDS, at: Date.now() }));
      await its.redis.hset(KINDS, kindOf(PLAIN_NEEDS), JSON.stringify({ needs: PLAIN_NEEDS, at: 0 }));
      expect([
        await listWorkers(its.redis),
        await listRunning(its.redis),
        await listKinds(its.redis),
      ]).toEqual([[worker], [], []]);
      expect(await its.redis.hlen(KINDS)).toBe(0);
    });
  });

  describe('what workers tell', () => {
    const event: TrialEvent = { version: 1, trial: 't', worker: 'w', type: 'started' };

    it('is read in its order, and again until it is forgotten', async () => {
      for (const trial of ['a', 'b', 'c']) await tellEvent(its.redis, 'r', { ...event, trial });
      const read = await readEvents(its.redis, 'r', '0', false);
      expect(read.map((it) => it.event?.trial)).toEqual(['a', 'b', 'c']);
      const taken = new TakenEvents(its.redis, 'r');
      taken.add(read[1]?.id ?? '');
      await taken.remove();
      expect((await readEvents(its.redis, 'r', '0', false)).map((it) => it.event?.trial)).toEqual(['a', 'c']);
      expect(
        (await readEvents(its.redis, 'r', read[1]?.id ?? '', true)).map((it) => it.event?.trial),
      ).toEqual(['c']);
      expect(await readEvents(its.redis, 'other', '0', false)).toEqual([]);
      // Also by itself, after a moment.
      for (const { id } of read) taken.add(id);
      await expect.poll(() => readEvents(its.redis, 'r', '0', false)).toEqual([]);
      await its.redis.flushall();
    });

    it('is not kept when the run is over, until it is taken up again', async () => {
      await tellEvent(its.redis, 'r', event);
      await endEvents(its.redis, 'r');
      await tellEvent(its.redis, 'r', event);
      expect(await readEvents(its.redis, 'r', '0', false)).toEqual([]);
      for (const key of await its.redis.keys('*')) expect(await its.redis.ttl(key)).toBeGreaterThan(0);
      await beginEvents(its.redis, 'r');
      await tellEvent(its.redis, 'r', event);
      expect(await readEvents(its.redis, 'r', '0', false)).toHaveLength(1);
      await its.redis.flushall();
    });

    it('is nothing when it is not what a worker says', async () => {
      const strange = [
        '{',
        '""',
        '{}',
        JSON.stringify({ ...event, more: 1 }),
        JSON.stringify({ ...event, trial: '../x' }),
      ];
      for (const text of strange) await its.redis.xadd(eventsKey('r'), '*', 'event', text);
      await its.redis.xadd(eventsKey('r'), '*', 'other', JSON.stringify(event).slice(1));
      const read = await readEvents(its.redis, 'r', '0', false);
      expect(read.map((it) => it.event)).toEqual(Array.from({ length: 6 }, () => null));
    });
  });

  describe('trials', () => {
    const job = (trial: string) => ({ version: 1, run: 'r', trial: { id: trial } }) as unknown as TrialJob;
    const trialOf = (taken: TakenJob | null) => (taken?.data as TrialJob | undefined)?.trial.id;
    const consumerOf = (leaseMs: number) => new Consumer(its.redis, leaseMs, () => {});

    it('are in the queue once, however often they are added', async () => {
      await using producer = new Producer(its.redis, 'r', 1, PLAIN_NEEDS);
      await producer.add([job('a'), job('b')]);
      await producer.add([job('a')]);
      expect(await countJobs(its.redis, PLAIN_NEEDS)).toEqual({ waiting: 2, active: 0, failed: 0 });
      expect(await producer.missing(['a', 'b', 'c'])).toEqual(['c']);
      await using other = new Producer(its.redis, 'other', 1, PLAIN_NEEDS);
      expect(await other.missing(['a'])).toEqual(['a']);
      await using consumer = consumerOf(30_000);
      await consumer.serve([PLAIN_NEEDS]);
      const taken = await consumer.take();
      expect(trialOf(taken)).toBe('a');
      await producer.add([job('a')]);
      expect(await countJobs(its.redis, PLAIN_NEEDS)).toEqual({ waiting: 1, active: 1, failed: 0 });
      await taken?.finish();
      expect(await producer.missing(['a', 'b'])).toEqual(['a']);
      await producer.cancel(['a', 'b']);
      expect(await countJobs(its.redis, PLAIN_NEEDS)).toEqual({ waiting: 0, active: 0, failed: 0 });
      expect(await consumer.take()).toBe(null);
    });

    it('go to another worker when theirs is gone, and are its own while it lives', async () => {
      await using producer = new Producer(its.redis, 'r', 1, PLAIN_NEEDS);
      await producer.add([job('a')]);
      const gone = consumerOf(500);
      await gone.serve([PLAIN_NEEDS]);
      const first = await gone.take();
      expect([trialOf(first), first?.lost]).toEqual(['a', 0]);
      await using other = consumerOf(500);
      await other.serve([PLAIN_NEEDS]);
      // Longer than the lease: it is renewed.
      await delay(1500);
      expect(await other.take()).toBe(null);
      await gone[Symbol.asyncDispose]();
      const taken: TakenJob[] = [];
      const takeOne = async () => {
        const it = await other.take();
        if (it) taken.push(it);
        return taken.length;
      };
      await expect.poll(takeOne, LONG).toBe(1);
      const [second] = taken;
      expect([trialOf(second ?? null), second?.lost]).toEqual(['a', 1]);
      // It comes too late, and does no harm.
      await first?.finish();
      expect(await producer.missing(['a'])).toEqual([]);
      await second?.finish();
      expect(await producer.missing(['a'])).toEqual(['a']);
    });

    it('of one kind do not starve those of another, and only those that can be served are taken', async () => {
      const other = { ...PLAIN_NEEDS, tags: ['gpu'] };
      const third = { ...PLAIN_NEEDS, tags: ['none'] };
      await using many = new Producer(its.redis, 'r', 1, PLAIN_NEEDS);
      await using few = new Producer(its.redis, 's', 1, other);
      await using none = new Producer(its.redis, 't', 1, third);
      await many.add(Array.from({ length: 20 }, (_, index) => job(`m${index}`)));
      await few.add([job('f0'), job('f1')]);
      await none.add([job('n0')]);
      await using consumer = consumerOf(30_000);
      await consumer.serve([PLAIN_NEEDS, other]);
      const order: string[] = [];
      for (;;) {
        const taken = await consumer.take();
        if (taken === null) break;
        order.push(trialOf(taken) ?? '');
        await taken.finish();
      }
      expect(order).toHaveLength(22);
      expect(order.slice(0, 4).filter((it) => it.startsWith('f'))).toHaveLength(2);
      await consumer.serve([third]);
      expect(trialOf(await consumer.take())).toBe('n0');
    });
  });
});
