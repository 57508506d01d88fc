/** The limits of a run on workers, as its planner keeps them. */
import { expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { SHARED_PREFIX } from '../../src/queue/keys.ts';
import { readRunSpent } from '../../src/queue/run-budget.ts';
import { startAam } from '../helpers/cli.ts';
import { numberedSkill } from '../helpers/fleet.ts';
import { writePackage } from '../helpers/package.ts';
import { playWorker } from '../helpers/played-worker.ts';
import { describeWithRedis, fleetForAll } from '../helpers/queue-suite.ts';

describeWithRedis('a run on workers with a limit', { timeout: 120_000 }, () => {
  const its = fleetForAll();

  it('takes back what waits in the queue when it is used up', async () => {
    await using worker = playWorker(its.redis);
    await worker.announce();
    await using pkg = await writePackage(numberedSkill({ cases: 8, agent: 'echo never' }));
    const args = ['evals/evals.json', '--no-judge', '--json', '--max-tokens', '1', '--queue', its.fleet.url];
    const { ended } = startAam(['eval', ...args], pkg.root, { TMPDIR: its.fleet.temporary });
    const [first, second] = await worker.take(2);
    if (!first || !second) throw new Error('there are not two trials');
    await worker.pass(first, 100);
    await expect.poll(async () => (await its.redis.keys('aam:queue:*:wait')).length).toBe(0);
    await worker.pass(second);
    const report = evalReport.parse(JSON.parse((await ended).stdout));
    expect(report.summary).toMatchObject({ total: 8, passed: 2, skipped: 6 });
    expect(report.cases.filter(({ error_kind }) => error_kind === 'budget')).toHaveLength(6);
  });

  it('tells workers what it has spent that they cannot know of', async () => {
    await using worker = playWorker(its.redis);
    await worker.announce();
    await using pkg = await writePackage(numberedSkill({ cases: 2, agent: 'echo never' }));
    const args = ['evals/evals.json', '--no-judge', '--max-tokens', '1000000', '--queue', its.fleet.url];
    const { ended } = startAam(['eval', ...args], pkg.root, { TMPDIR: its.fleet.temporary });
    const [first, second] = await worker.take(2);
    if (!first || !second) throw new Error('there are not two trials');
    await worker.pass(first, 100);
    const spent = async () => (await readRunSpent(its.redis, SHARED_PREFIX, first.job.run)).tokens;
    await expect.poll(spent, { timeout: 20_000 }).toBe(100);
    await worker.pass(second);
    expect((await ended).code).toBe(0);
  });
});
