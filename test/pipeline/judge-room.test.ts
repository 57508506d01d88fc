/** How many requests of judges there are at once, and what becomes of those that come too late. */
import { afterAll, describe, expect, it } from 'vitest';
import { type JudgeReply, type JudgeTransport, judgeCase } from '../../src/judge/judge.ts';
import type { JudgeTransportId } from '../../src/model/judgement.ts';
import { inRoom, type JudgeRoom, judgePlaces } from '../../src/pipeline/judge-room.ts';
import { createNoSandbox } from '../../src/sandbox/none.ts';
import { answered, GOOD, never, QUESTION } from '../judge/helpers.ts';

const sandbox = await createNoSandbox({ env: {}, cwd: '/', home: '/' });
afterAll(() => sandbox[Symbol.asyncDispose]());
const room = (jobs: number, stopped: () => string | null = () => null): JudgeRoom => ({
  ...{ sandbox, scratch: '/', signal: never, stopped },
  places: judgePlaces(jobs),
});

/** Answers when as many ask as are let in. */
function counting(id: JudgeTransportId, reply: () => JudgeReply) {
  const seen = { now: 0, most: 0, all: 0 };
  const transport: JudgeTransport = {
    id,
    provider: 'anthropic',
    async ask() {
      seen.now += 1;
      seen.all += 1;
      seen.most = Math.max(seen.most, seen.now);
      await new Promise((later) => setImmediate(later));
      seen.now -= 1;
      return reply();
    },
  };
  return { transport, seen };
}

describe('inRoom', () => {
  it.each([
    ['claude-cli', 2, 2],
    ['codex-cli', 1, 1],
    ['api', 1, 16],
  ] as const)(
    'lets %s with %d jobs ask %d times at once, votes of all cases together',
    async (id, jobs, most) => {
      const { transport, seen } = counting(id, () => answered(GOOD));
      const shared = room(jobs);
      const cases = Array.from({ length: 4 }, () =>
        judgeCase(QUESTION, inRoom(transport, shared), { votes: 5, signal: never }),
      );
      for (const { result } of await Promise.all(cases)) expect(result).toBe('PASS');
      expect(seen).toMatchObject({ most, all: 20 });
    },
  );

  it('does not send what the budget no longer allows', async () => {
    let spent = 0;
    const { transport, seen } = counting('claude-cli', () => {
      spent += 1;
      return answered(GOOD);
    });
    const shared = room(1, () => (spent >= 2 ? 'the limit of $1 is reached' : null));
    const judgement = await judgeCase(QUESTION, inRoom(transport, shared), { votes: 5, signal: never });
    expect(seen.all).toBe(2);
    expect(judgement).toMatchObject({
      result: 'SKIP',
      errorKind: 'budget',
      error: '3 of 5 votes: the judge was not asked: the limit of $1 is reached',
    });
  });
});
