import { expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { startAam } from '../helpers/cli.ts';
import { numberedSkill } from '../helpers/fleet.ts';
import { writePackage } from '../helpers/package.ts';
import { playWorker } from '../helpers/played-worker.ts';
import { describeWithRedis, fleetForAll } from '../helpers/queue-suite.ts';

describeWithRedis('two equal runs on workers', { timeout: 60_000 }, () => {
  const its = fleetForAll();

  it('do not take their captures away from each other', async () => {
    await using worker = playWorker(its.redis);
    await worker.announce();
    await using pkg = await writePackage(numberedSkill({ cases: 2, agent: 'echo never' }));
    const args = ['eval', 'evals/evals.json', '--no-judge', '--json', '--queue', its.fleet.url];
    const start = () => startAam(args, pkg.root, { TMPDIR: its.fleet.temporary });
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
    expect((await its.redis.keys('*')).filter((it) => /:blob:.+:/.test(it))).toEqual([]);
  });
});
