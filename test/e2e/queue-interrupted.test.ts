/** Runs on workers that are interrupted and taken up again: what was found out is kept. */
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { trialJob } from '../../src/queue/messages.ts';
import { startAam } from '../helpers/cli.ts';
import { numberedSkill } from '../helpers/fleet.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { playWorker } from '../helpers/played-worker.ts';
import { describeWithRedis, fleetForAll } from '../helpers/queue-suite.ts';

const LONG = { timeout: 60_000 };

describeWithRedis('an interrupted run on workers', { timeout: 120_000 }, () => {
  const its = fleetForAll();

  it('finds what its workers told after Ctrl-C when it goes on', async () => {
    await using worker = playWorker(its.redis);
    await worker.announce();
    await using pkg = await writePackage(numberedSkill({ cases: 8, agent: 'echo never' }));
    const start = (...args: string[]) =>
      startAam(['eval', ...args, '--queue', its.fleet.url], pkg.root, { TMPDIR: its.fleet.temporary });
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
    expect((await its.redis.keys('*')).filter((it) => /:blob:.+:/.test(it))).toEqual([]);
  });

  it('asks anew for what nobody has taken, with the limits of now', async () => {
    await using worker = playWorker(its.redis);
    await worker.announce();
    await using pkg = await writePackage(numberedSkill({ cases: 4, agent: 'echo never' }));
    const start = (...args: string[]) =>
      startAam(['eval', ...args, '--queue', its.fleet.url], pkg.root, { TMPDIR: its.fleet.temporary });
    const { child, ended } = start('evals/evals.json', '--no-judge');
    const [held] = await worker.take(1);
    child.kill('SIGKILL');
    await ended;
    const resumed = start('--resume', '--json', '--max-tokens', '1000000000');
    const waiting = async () => {
      const [key = ''] = await its.redis.keys('aam:queue:*:wait');
      const ids = await its.redis.lrange(key, 0, -1);
      const all = await Promise.all(ids.map((id) => its.redis.hget(key.replace(/wait$/, id), 'data')));
      return all.map((text) => trialJob.parse(JSON.parse(text ?? '')).session);
    };
    await expect.poll(waiting, LONG).toEqual([2, 2, 2]);
    const jobs = await worker.take(3);
    if (held) await worker.pass(held);
    for (const job of jobs) await worker.pass(job);
    const report = evalReport.parse(JSON.parse((await resumed.ended).stdout));
    expect(report.summary).toMatchObject({ total: 4, passed: 4 });
  });

  it('goes on where the clock is behind that of the process before', async () => {
    await using folder = await temporaryFolder();
    const [log, gate] = [join(folder.path, 'log'), join(folder.path, 'go')];
    const agent = `echo "$1" >> ${log}; while [ ! -e ${gate} ]; do sleep 0.1; done; echo "number $1"`;
    await using pkg = await writePackage(numberedSkill({ cases: 3, agent }));
    const worker = await its.fleet.worker(['-j', '2', '--allow-no-sandbox']);
    const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
      startAam(['eval', ...args, '--queue', its.fleet.url], pkg.root, {
        TMPDIR: its.fleet.temporary,
        ...env,
      });
    const { child, ended } = start(['evals/evals.json', '--no-judge', '--sandbox', 'none']);
    await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8'), LONG).toMatch(/\d\n\d\n/);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    await writeFile(gate, '');

    const behind = encodeURIComponent('const now = Date.now; Date.now = () => now() - 3_600_000;');
    const resumed = start(['--resume', '--json'], {
      NODE_OPTIONS: `--import=data:text/javascript,${behind}`,
    });
    const report = evalReport.parse(JSON.parse((await resumed.ended).stdout));
    expect(report.summary).toMatchObject({ total: 3, passed: 3 });
    await worker.end();
  });

  it('says so when it had no worker yet', async () => {
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent: 'echo "number $1"' }));
    const args = ['evals/evals.json', '--no-judge', '--worker-tags', 'none', '--queue', its.fleet.url];
    const { child, ended, output } = startAam(['eval', ...args], pkg.root, { TMPDIR: its.fleet.temporary });
    await expect.poll(output, LONG).toContain('no worker can serve this run');
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain('interrupted before one came');
    expect(stderr).not.toContain('--queue-wait');
  });
});
