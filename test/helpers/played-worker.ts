/** A worker that a test plays itself: it takes trials from a real planner, and answers as it likes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { NO_USAGE } from '../../src/model/usage.ts';
import { sendCapture } from '../../src/queue/captures.ts';
import { Consumer, type TakenJob } from '../../src/queue/consumer.ts';
import { type TrialEvent, type TrialJob, trialJob } from '../../src/queue/messages.ts';
import { announceWorker, listKinds } from '../../src/queue/registry.ts';
import { tellEvent } from '../../src/queue/trial-events.ts';
import { WHOLE_CAPTURE, WHOLE_RESULT } from '../model/travel/whole-result.ts';
import { FAKE_WORKER } from './stolen-job.ts';

export interface PlayedJob {
  readonly job: TrialJob;
  readonly taken: TakenJob;
}

const WAIT_MS = 60_000;

export function playWorker(redis: Redis) {
  const consumer = new Consumer(redis, 30_000, () => {});
  return {
    announce: () => announceWorker(redis, FAKE_WORKER),
    /** Waits until there are so many. */
    async take(count: number): Promise<PlayedJob[]> {
      const all: PlayedJob[] = [];
      for (const until = performance.now() + WAIT_MS; all.length < count; ) {
        await announceWorker(redis, FAKE_WORKER);
        await consumer.serve(await listKinds(redis));
        const taken = await consumer.take();
        if (taken) all.push({ taken, job: trialJob.parse(taken.data) });
        else await delay(50);
        if (performance.now() > until) throw new Error(`only ${all.length} trials were asked for`);
      }
      return all;
    },
    /** It passed, and left much behind. */
    async pass({ job, taken }: PlayedJob, inputTokens = 0): Promise<void> {
      const { run, trial } = job;
      const own = { trial: trial.id, case: trial.case.name, verdict: 'PASS', error: null, errorKind: null };
      const usage = { ...NO_USAGE, inputTokens };
      const result = { ...WHOLE_RESULT, ...own, usage, judged: null, tape: null, warnings: [] };
      const left = { ...WHOLE_CAPTURE, trial: trial.id, output: 'x'.repeat(100_000) };
      const capture = await sendCapture(redis, run, JSON.stringify(left));
      const about = { version: 1, trial: trial.id, worker: FAKE_WORKER.id, type: 'done' };
      await tellEvent(redis, run, { ...about, result, capture } as TrialEvent);
      await taken.finish();
    },
    [Symbol.asyncDispose]: () => consumer[Symbol.asyncDispose](),
  };
}
