/** A server that refuses to write because its memory is full: nothing is lost, nothing hangs, nothing runs twice. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { blobKey } from '../../src/queue/keys.ts';
import { Producer } from '../../src/queue/producer.ts';
import { announceRun, removeRun } from '../../src/queue/registry.ts';
import { aam, type CliResult, startAam } from '../helpers/cli.ts';
import { numberedSkill } from '../helpers/fleet.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { describeWithRedis, fleetForAll } from '../helpers/queue-suite.ts';
import { stealJob } from '../helpers/stolen-job.ts';

const LONG = { timeout: 60_000 };
/** Longer than a test: what is held for ever would not come back by itself. */
const LEASE = ['--lease', '300'];

describeWithRedis('a queue whose memory is full', { timeout: 120_000 }, () => {
  const its = fleetForAll();

  const free = () => its.redis.config('SET', 'maxmemory', '0');

  it('gets back a trial that a worker could neither run nor tell of', async () => {
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent: 'echo "number $1"' }));
    const { job, needs } = await stealJob(its.fleet, pkg.root, ['evals/evals.json', '--no-judge']);
    const worker = await its.fleet.worker(['-j', '1', ...LEASE]);
    const facts = { total: 1, finished: 0, failed: 0, undecided: 0, queued: 1 };
    await announceRun(its.redis, { id: job.run, needs, package: 'x', host: 'x', since: '', ...facts });
    await using producer = new Producer(its.redis, job.run, 1, needs);
    await producer.add([job]);
    await expect.poll(() => worker.started().length, LONG).toBe(1);
    // It waits for the files of the run; these are not those.
    await its.redis
      .pipeline()
      .hset(blobKey(job.bundle), '0', 'x', 'pieces', 1)
      .config('SET', 'maxmemory', '1')
      .exec();
    await expect.poll(() => worker.events().some(({ type }) => type === 'refused'), LONG).toBe(true);
    await free();
    await expect.poll(() => worker.started().length, LONG).toBeGreaterThan(1);
    await removeRun(its.redis, job.run);
    await producer.cancel([job.trial.id]);
    await worker.end();
  });

  it('gets the results later, and no agent runs again for it', async () => {
    await using folder = await temporaryFolder();
    const log = join(folder.path, 'log');
    const begun = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').sort() : []);
    const agent = `echo "$1" >> ${log}; sleep 1; echo "number $1"; head -c 100000 /dev/zero | tr '\\0' x`;
    await using pkg = await writePackage(numberedSkill({ cases: 2, agent }));
    const worker = await its.fleet.worker(['-j', '2', '--allow-no-sandbox', ...LEASE]);
    const args = ['evals/evals.json', '--no-judge', '--sandbox', 'none', '--json', '--queue', its.fleet.url];
    const { ended } = startAam(['eval', ...args], pkg.root, { TMPDIR: its.fleet.temporary });
    await expect.poll(begun, LONG).toEqual(['0', '1']);
    await its.redis.config('SET', 'maxmemory', '1');
    await delay(4000);
    expect(worker.events().some(({ type }) => type === 'end')).toBe(false);
    await free();
    const report = evalReport.parse(JSON.parse((await ended).stdout));
    expect(report.summary).toMatchObject({ total: 2, passed: 2 });
    for (const { capture, warnings } of report.cases)
      expect([typeof capture, warnings]).toEqual(['string', []]);
    expect(begun()).toEqual(['0', '1']);
    expect(worker.events().filter(({ type }) => type === 'refused')).toEqual([]);
    await worker.end();
  });

  it('is waited for no longer than for workers, and that is said', async () => {
    await using pkg = await writePackage(numberedSkill({ cases: 2, agent: 'sleep 2; echo "number $1"' }));
    const worker = await its.fleet.worker(['-j', '1', '--allow-no-sandbox']);
    const args = ['evals/evals.json', '--no-judge', '--sandbox', 'none', '--json', '--queue-wait', '5'];
    const { ended } = startAam(['eval', ...args, '--queue', its.fleet.url], pkg.root, {
      TMPDIR: its.fleet.temporary,
    });
    await expect.poll(() => worker.started().length, LONG).toBe(1);
    await its.redis.config('SET', 'maxmemory', '1');
    const { code, stdout, stderr } = await ended;
    await free();
    expect(code).toBe(3);
    expect(stderr).toMatch(/the queue refuses what it is told: OOM command not allowed [^\n]*\n/);
    const { cases } = evalReport.parse(JSON.parse(stdout));
    expect(cases.map(({ error_kind }) => error_kind)).toEqual(['no-worker', 'no-worker']);
    await worker.end();
  });

  it('says what is wrong with it, once and in plain words', async () => {
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent: 'echo "number $1"' }));
    const worker = await its.fleet.worker(['-j', '1']);
    await its.redis.config('SET', 'maxmemory', '1');
    const results = await Promise.all([
      aam(['eval', 'evals/evals.json', '--no-judge', '--queue', its.fleet.url], { cwd: pkg.root }),
      aam(['queue', 'limit', 'anthropic=60/min', '--queue', its.fleet.url]),
      delay(5000),
    ]);
    await free();
    for (const { code, stderr } of results.slice(0, 2) as CliResult[]) {
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^error: the queue redis:\S+ refused: OOM command not allowed when [^\n]*\n {2}its memory/,
      );
      expect(stderr).not.toMatch(/ReplyError|\n {4}at /);
    }
    const errors = worker.events().filter(({ type }) => type === 'error');
    expect(errors).toMatchObject([{ message: expect.stringMatching(/^OOM command not allowed/) }]);
    await worker.end();
  });
});
