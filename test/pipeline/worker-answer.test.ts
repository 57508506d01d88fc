/** A result on its way to the planner, when the server has no room for it. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { sendAnswer } from '../../src/pipeline/worker-answer.ts';
import type { TrialJob } from '../../src/queue/messages.ts';
import { readEvents } from '../../src/queue/trial-events.ts';
import { describeWithRedis, serverForAll } from '../helpers/queue-suite.ts';
import { WHOLE_RESULT } from '../model/travel/whole-result.ts';

const MIB = 1024 * 1024;
const JOB = { version: 1, run: 'r', trial: { id: WHOLE_RESULT.trial } } as unknown as TrialJob;
const ANSWER = { job: JOB, worker: 'w', result: { ...WHOLE_RESULT, warnings: [] } };
const NEVER = new AbortController().signal;

describeWithRedis('a result', () => {
  const its = serverForAll();
  beforeEach(async () => {
    await its.redis.config('SET', 'maxmemory', '0');
  });

  async function leaveRoom(bytes: number): Promise<void> {
    const used = Number(/^used_memory:(\d+)/m.exec(await its.redis.info('memory'))?.[1]);
    await its.redis.config('SET', 'maxmemory', String(used + bytes));
  }

  const sent = async () =>
    (await readEvents(its.redis, 'r', '0', false)).flatMap(({ event }) =>
      event?.type === 'done' ? [event] : [],
    );

  it('is sent without its capture when there is no room for it, which leaves nothing behind', async () => {
    await leaveRoom(2 * MIB);
    const capture = 'x'.repeat(9 * MIB);
    await sendAnswer(its.redis, { ...ANSWER, capture }, NEVER, { withMs: 700, withoutMs: 5000 });
    expect((await its.redis.keys('*')).filter((it) => it.includes('blob'))).toEqual([]);
    expect(await sent()).toMatchObject([
      {
        capture: null,
        result: {
          verdict: WHOLE_RESULT.verdict,
          warnings: [expect.stringMatching(/^what the agent left behind could not be sent: OOM command not/)],
        },
      },
    ]);
  });

  it('is sent with it when there is room again', async () => {
    await its.redis.config('SET', 'maxmemory', '1');
    const sending = sendAnswer(its.redis, { ...ANSWER, capture: 'x'.repeat(MIB) }, NEVER);
    await delay(300);
    await its.redis.config('SET', 'maxmemory', '0');
    await sending;
    expect(await sent()).toMatchObject([{ capture: { text: null }, result: { warnings: [] } }]);
  });

  it('is not insisted on when nobody waits for it, and not for ever', async () => {
    await its.redis.config('SET', 'maxmemory', '1');
    const cancelling = new AbortController();
    const sending = sendAnswer(its.redis, { ...ANSWER, capture: 'x' }, cancelling.signal);
    setTimeout(() => cancelling.abort(), 100);
    await expect(sending).rejects.toThrow('OOM');
    const patience = { withMs: 0, withoutMs: 0 };
    await expect(sendAnswer(its.redis, { ...ANSWER, capture: 'x' }, NEVER, patience)).rejects.toThrow('OOM');
    expect(await sent()).toEqual([]);
  });
});
