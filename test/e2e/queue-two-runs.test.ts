/** Two runs of the same package at the same time, whose trials leave the very same behind. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { startAam } from '../helpers/cli.ts';
import { type Fleet, numberedSkill, startFleet } from '../helpers/fleet.ts';
import { writePackage } from '../helpers/package.ts';
import { playWorker } from '../helpers/played-worker.ts';
import { findRedis, NO_REDIS } from '../helpers/redis.ts';

if (findRedis() === null) console.warn(NO_REDIS);

describe.skipIf(findRedis() === null)('two equal runs on workers', { timeout: 60_000 }, () => {
  let fleet: Fleet;
  let redis: Redis;

  beforeAll(async () => {
    fleet = await startFleet();
    redis = fleet.client();
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  it('do not take their captures away from each other', async () => {
    await using worker = playWorker(redis);
    await worker.announce();
    await using pkg = await writePackage(numberedSkill({ cases: 2, agent: 'echo never' }));
    const args = ['eval', 'evals/evals.json', '--no-judge', '--json', '--queue', fleet.url];
    const start = () => startAam(args, pkg.root, { TMPDIR: fleet.temporary });
    const slow = start();
    const ofSlow = await worker.take(2);
    slow.child.kill('SIGSTOP');
    const quick = start();
    const ofQuick = await worker.take(2);
    for (const job of [...ofSlow, ...ofQuick]) await worker.pass(job);
    const first = evalReport.parse(JSON.parse((await quick.ended).stdout));
    slow.child.kill('SIGCONT');
    const second = evalReport.parse(JSON.parse((await slow.ended).stdout));
    for (const { summary, cases } of [first, second]) {
      expect(summary).toMatchObject({ total: 2, passed: 2 });
      for (const { capture } of cases) expect(capture).toEqual(expect.any(String));
    }
    expect((await redis.keys('*')).filter((it) => /:blob:.+:/.test(it))).toEqual([]);
  });
});
