/** A result on its way to the planner, when the server has no room for it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendAnswer } from '../../src/pipeline/worker-answer.ts';
import type { TrialJob } from '../../src/queue/messages.ts';
import { readEvents } from '../../src/queue/trial-events.ts';
import { findRedis, NO_REDIS, startRedis } from '../helpers/redis.ts';
import { WHOLE_RESULT } from '../model/travel/whole-result.ts';

if (findRedis() === null) console.warn(NO_REDIS);

const MIB = 1024 * 1024;
const JOB = { version: 1, run: 'r', trial: { id: WHOLE_RESULT.trial } } as unknown as TrialJob;
const ANSWER = { job: JOB, worker: 'w', result: { ...WHOLE_RESULT, warnings: [] } };
const NEVER = new AbortController().signal;

describe.skipIf(findRedis() === null)('a result', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let redis: Redis;

  beforeAll(async () => {
    server = await startRedis();
    redis = server.client();
  });
  beforeEach(async () => {
    await redis.flushall();
    await redis.config('SET', 'maxmemory', '0');
  });
  afterAll(() => server.stop());

  async function leaveRoom(bytes: number): Promise<void> {
    const used = Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
    await redis.config('SET', 'maxmemory', String(used + bytes));
  }

  const sent = async () =>
    (await readEvents(redis, 'r', '0', false)).flatMap(({ event }) =>
      event?.type === 'done' ? [event] : [],
    );

  it('is sent without its capture when there is no room for it, which leaves nothing behind', async () => {
    await leaveRoom(2 * MIB);
    const capture = 'x'.repeat(9 * MIB);
    await sendAnswer(redis, { ...ANSWER, capture }, NEVER, { withMs: 700, withoutMs: 5000 });
    expect((await redis.keys('*')).filter((it) => it.includes('blob'))).toEqual([]);
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
    await redis.config('SET', 'maxmemory', '1');
    const sending = sendAnswer(redis, { ...ANSWER, capture: 'x'.repeat(MIB) }, NEVER);
    await delay(300);
    await redis.config('SET', 'maxmemory', '0');
    await sending;
    expect(await sent()).toMatchObject([{ capture: { text: null }, result: { warnings: [] } }]);
  });

  it('is not insisted on when nobody waits for it, and not for ever', async () => {
    await redis.config('SET', 'maxmemory', '1');
    const cancelling = new AbortController();
    const sending = sendAnswer(redis, { ...ANSWER, capture: 'x' }, cancelling.signal);
    setTimeout(() => cancelling.abort(), 100);
    await expect(sending).rejects.toThrow('OOM');
    const patience = { withMs: 0, withoutMs: 0 };
    await expect(sendAnswer(redis, { ...ANSWER, capture: 'x' }, NEVER, patience)).rejects.toThrow('OOM');
    expect(await sent()).toEqual([]);
  });
});
