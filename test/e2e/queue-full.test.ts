/** A server that refuses to write because its memory is full: nothing is lost, nothing hangs, nothing runs twice. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blobKey } from '../../src/queue/keys.ts';
import { Producer } from '../../src/queue/producer.ts';
import { announceRun, removeRun } from '../../src/queue/registry.ts';
import { type Fleet, numberedSkill, startFleet } from '../helpers/fleet.ts';
import { writePackage } from '../helpers/package.ts';
import { findRedis, NO_REDIS } from '../helpers/redis.ts';
import { stealJob } from '../helpers/stolen-job.ts';

if (findRedis() === null) console.warn(NO_REDIS);

const LONG = { timeout: 60_000 };
/** Longer than a test: what is held for ever would not come back by itself. */
const LEASE = ['--lease', '300'];

describe.skipIf(findRedis() === null)('a queue whose memory is full', { timeout: 120_000 }, () => {
  let fleet: Fleet;
  let redis: Redis;

  beforeAll(async () => {
    fleet = await startFleet();
    redis = fleet.client();
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  const free = () => redis.config('SET', 'maxmemory', '0');

  it('gets back a trial that a worker could neither run nor tell of', async () => {
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent: 'echo "number $1"' }));
    const { job, needs } = await stealJob(fleet, pkg.root, ['evals/evals.json', '--no-judge']);
    const worker = await fleet.worker(['-j', '1', ...LEASE]);
    const facts = { total: 1, finished: 0, failed: 0, undecided: 0, queued: 1 };
    await announceRun(redis, { id: job.run, needs, package: 'x', host: 'x', since: '', ...facts });
    await using producer = new Producer(redis, job.run, needs);
    await producer.add([job]);
    await expect.poll(() => worker.started().length, LONG).toBe(1);
    // It waits for the files of the run; these are not those.
    await redis
      .pipeline()
      .hset(blobKey(job.bundle), '0', 'x', 'pieces', 1)
      .config('SET', 'maxmemory', '1')
      .exec();
    await expect.poll(() => worker.events().some(({ type }) => type === 'refused'), LONG).toBe(true);
    await free();
    await expect.poll(() => worker.started().length, LONG).toBeGreaterThan(1);
    await removeRun(redis, job.run);
    await producer.cancel([job.trial.id]);
    await worker.end();
  });
});
