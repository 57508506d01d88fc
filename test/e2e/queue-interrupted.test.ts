/** Runs on workers that are interrupted and taken up again: what was found out is kept. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { startAam } from '../helpers/cli.ts';
import { type Fleet, numberedSkill, startFleet } from '../helpers/fleet.ts';
import { writePackage } from '../helpers/package.ts';
import { playWorker } from '../helpers/played-worker.ts';
import { findRedis, NO_REDIS } from '../helpers/redis.ts';

if (findRedis() === null) console.warn(NO_REDIS);

describe.skipIf(findRedis() === null)('an interrupted run on workers', { timeout: 120_000 }, () => {
  let fleet: Fleet;
  let redis: Redis;

  beforeAll(async () => {
    fleet = await startFleet();
    redis = fleet.client();
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  it('finds what its workers told after Ctrl-C when it goes on', async () => {
    await using worker = playWorker(redis);
    await worker.announce();
    await using pkg = await writePackage(numberedSkill({ cases: 8, agent: 'echo never' }));
    const start = (...args: string[]) =>
      startAam(['eval', ...args, '--queue', fleet.url], pkg.root, { TMPDIR: fleet.temporary });
    const { child, ended } = start('evals/evals.json', '--no-judge');
    const jobs = await worker.take(8);
    // All of it is there when the planner looks again.
    child.kill('SIGSTOP');
    for (const job of jobs.slice(2)) await worker.pass(job);
    child.kill('SIGINT');
    child.kill('SIGCONT');
    expect((await ended).code).toBe(130);
    for (const { taken } of jobs.slice(0, 2)) await taken.finish();

    await worker.announce();
    const resumed = start('--resume', '--json');
    const again = await worker.take(2);
    const names = ({ job }: (typeof again)[number]) => job.trial.case.name;
    expect(again.map(names).sort()).toEqual(jobs.slice(0, 2).map(names).sort());
    for (const job of again) await worker.pass(job);
    const report = evalReport.parse(JSON.parse((await resumed.ended).stdout));
    expect(report.summary).toMatchObject({ total: 8, passed: 8 });
    for (const { capture } of report.cases) expect(capture).toEqual(expect.any(String));
    expect((await redis.keys('*')).filter((it) => /:blob:.+:/.test(it))).toEqual([]);
  });
});
