/** The way of a result from a worker to its planner. An agent ran for it: a server that refuses it is asked again. */
import { setTimeout as delay } from 'node:timers/promises';
import type { TrialResult } from '../model/trial.ts';
import { forgetCapture, sendCapture } from '../queue/captures.ts';
import { isRefusal, type Redis, wordsOf } from '../queue/connection.ts';
import type { SentCapture, TrialEvent, TrialJob } from '../queue/messages.ts';
import { tellEvent } from '../queue/trial-events.ts';

export interface Answer {
  readonly job: TrialJob;
  readonly worker: string;
  /** Without keys. */
  readonly result: TrialResult;
  /** JSON without keys; null: nothing was captured. */
  readonly capture: string | null;
}

export interface Patience {
  /** How long it is tried with the capture, and then without it. */
  readonly withMs: number;
  readonly withoutMs: number;
}

const PATIENCE: Patience = { withMs: 60_000, withoutMs: 20_000 };
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5000;

/** Throws when nothing of it could be sent. `cancelled`: nobody waits for it any more, and it is tried only once. */
export async function sendAnswer(
  redis: Redis,
  answer: Answer,
  cancelled: AbortSignal,
  { withMs, withoutMs }: Patience = PATIENCE,
): Promise<void> {
  const { job, result, capture } = answer;
  let sent: SentCapture | null = null;
  try {
    await insist(cancelled, withMs, async () => {
      if (capture !== null) sent ??= await sendCapture(redis, job.run, capture);
      await tell(redis, answer, result, sent);
    });
  } catch (error) {
    if (sent !== null) await forgetCapture(redis, job.run, sent).catch(() => {});
    if (capture === null || cancelled.aborted) throw error;
    const warning = `what the agent left behind could not be sent: ${wordsOf(error)}`;
    const poorer = { ...result, warnings: [...result.warnings, warning] };
    await insist(cancelled, withoutMs, () => tell(redis, answer, poorer, null));
  }
}

async function tell(
  redis: Redis,
  { job, worker }: Answer,
  result: TrialResult,
  capture: SentCapture | null,
): Promise<void> {
  const about = { version: 1, trial: job.trial.id, worker, type: 'done' };
  await tellEvent(redis, job.run, { ...about, result, capture } as TrialEvent);
}

/** What the server refuses, it may take later. */
async function insist(cancelled: AbortSignal, ms: number, send: () => Promise<void>): Promise<void> {
  const until = performance.now() + ms;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await send();
    } catch (error) {
      if (!isRefusal(error) || cancelled.aborted || performance.now() + pause > until) throw error;
    }
    await delay(pause, null, { signal: cancelled }).catch(() => {});
  }
}
