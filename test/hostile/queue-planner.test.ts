/** A stranger who writes to the queue what a worker would: a planner believes nothing that no worker has found. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { putBlob } from '../../src/queue/blobs.ts';
import { sendCapture } from '../../src/queue/captures.ts';
import { Consumer } from '../../src/queue/consumer.ts';
import { eventsKey } from '../../src/queue/keys.ts';
import { type SentCapture, type TrialEvent, type TrialJob, trialJob } from '../../src/queue/messages.ts';
import { announceWorker, listKinds } from '../../src/queue/registry.ts';
import { tellEvent } from '../../src/queue/trial-events.ts';
import { startAam } from '../helpers/cli.ts';
import { numberedSkill } from '../helpers/fleet.ts';
import { writePackage } from '../helpers/package.ts';
import { describeWithRedis, fleetForAll } from '../helpers/queue-suite.ts';
import { FAKE_WORKER } from '../helpers/stolen-job.ts';
import { WHOLE_CAPTURE, WHOLE_RESULT } from '../model/travel/whole-result.ts';
import { attempted } from './attempts.ts';

describeWithRedis('a planner', { timeout: 180_000 }, () => {
  const its = fleetForAll();

  /** Plays the worker for a real planner until that is done. */
  async function serve(cases: number, onJob: (job: TrialJob) => Promise<unknown>) {
    await its.redis.flushall();
    await announceWorker(its.redis, FAKE_WORKER);
    await using pkg = await writePackage(numberedSkill({ cases, agent: 'echo never' }));
    const args = ['eval', 'evals/evals.json', '--no-judge', '-o', 'out.json', '--queue', its.fleet.url];
    const { child, ended } = startAam(args, pkg.root, { TMPDIR: its.fleet.temporary });
    const consumer = new Consumer(its.redis, 30_000, () => {});
    await using _consumer = consumer;
    while (child.exitCode === null) {
      await announceWorker(its.redis, FAKE_WORKER);
      await consumer.serve(await listKinds(its.redis));
      const taken = await consumer.take();
      if (taken) await onJob(trialJob.parse(taken.data));
      await (taken ? taken.finish() : delay(100));
    }
    const { stdout, stderr } = await ended;
    const report = evalReport.parse(JSON.parse(await readFile(join(pkg.root, 'out.json'), 'utf8')));
    const verdicts = report.cases.map(({ name, verdict, error_kind }) => [name, verdict, error_kind]);
    return { report, verdicts, said: stdout + stderr };
  }

  async function answer(job: TrialJob, more: object = {}, capture: SentCapture | null = null): Promise<void> {
    const { run, trial } = job;
    const own = { trial: trial.id, case: trial.case.name, verdict: 'PASS', error: null, errorKind: null };
    const result = { ...WHOLE_RESULT, ...own, judged: null, tape: null, ...more };
    const about = { version: 1, trial: trial.id, worker: 'fake\u001b[2J', type: 'done' };
    await tellEvent(its.redis, run, { ...about, result, capture } as TrialEvent);
  }

  it('believes nothing of another trial, and passes no codes on to a terminal', async (context) => {
    attempted(context, 5);
    const strange = { ...WHOLE_CAPTURE, trial: 'c-3.command.with.1' };
    const { report, verdicts, said } = await serve(5, async (job) => {
      const garbage = its.redis.pipeline();
      for (let index = 0; index < 300; index++)
        garbage.xadd(eventsKey(job.run), '*', index % 2 ? 'event' : 'x', `{"type":"done","n":${index}`);
      await garbage.exec();
      const { name } = job.trial.case;
      if (name === 'c-0') await answer(job, { trial: 'c-1.command.with.1' });
      else if (name === 'c-1')
        await answer(job, {}, await sendCapture(its.redis, job.run, JSON.stringify(strange)));
      else if (name === 'c-2') {
        const error = 'red \u001b[31m\u001b]0;title\u0007';
        await answer(job, { verdict: 'FAIL', error, errorKind: 'agent-error' });
      } else if (name === 'c-4') await answer(job, {}, { sha256: '0'.repeat(64), text: '{}' });
      else await answer(job);
    });
    expect(verdicts).toEqual([
      ['c-0', 'SKIP', 'internal'],
      ['c-1', 'PASS', undefined],
      ['c-2', 'FAIL', 'agent-error'],
      ['c-3', 'PASS', undefined],
      ['c-4', 'PASS', undefined],
    ]);
    const warnings = expect.arrayContaining([expect.stringContaining('it is of another trial')]);
    expect(report.cases[1]).toMatchObject({ capture: null, warnings });
    const changed = expect.arrayContaining([expect.stringContaining('has the hash 44136fa355b3678a')]);
    expect(report.cases[4]).toMatchObject({ capture: null, warnings: changed });
    expect(said).toContain('title');
    expect(said).not.toMatch(/\u001b|\u0007/);
  });

  it('waits for a its.server that refuses to answer for a while', async () => {
    const { report, verdicts } = await serve(1, async (job) => {
      const bytes = Buffer.from(JSON.stringify({ ...WHOLE_CAPTURE, trial: job.trial.id }));
      const capture = { sha256: await putBlob(its.redis, bytes, 60, job.run), text: null };
      await its.redis.call('ACL', 'SETUSER', 'default', '-hget');
      await answer(job, { warnings: [] }, capture);
      await delay(700);
      await its.redis.call('ACL', 'SETUSER', 'default', '+hget');
    });
    expect(verdicts).toEqual([['c-0', 'PASS', undefined]]);
    expect(report.cases[0]).toMatchObject({ warnings: [], capture: expect.stringContaining('c-0') });
  });

  it('asks again for what was lost, but not without end', async (context) => {
    attempted(context, 3);
    const asked: string[] = [];
    const { verdicts } = await serve(3, async (job) => {
      const { name } = job.trial.case;
      asked.push(name);
      const times = asked.filter((it) => it === name).length;
      if (name === 'c-1') await answer(job, {}, times === 1 ? { sha256: '0'.repeat(64), text: null } : null);
      // No number is less than nothing.
      if (name === 'c-2') await answer(job, { durationMs: -1 });
    });
    expect(verdicts).toEqual([
      ['c-0', 'SKIP', 'worker-lost'],
      ['c-1', 'PASS', undefined],
      ['c-2', 'SKIP', 'worker-lost'],
    ]);
    expect(asked.sort()).toEqual([...Array(5).fill('c-0'), 'c-1', 'c-1', ...Array(5).fill('c-2')]);
  });
});
