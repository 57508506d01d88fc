/** Votes: what decides, what is undecided, and that nothing else becomes a verdict. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JudgeReply, judgeCase } from '../../src/judge/judge.ts';
import { countVotes } from '../../src/judge/votes.ts';
import type { JudgeErrorKind, Vote } from '../../src/model/judgement.ts';
import { answer, answered, GOOD, never, QUESTION, type Step, scripted, verdict } from './helpers.ts';

const judge = (steps: readonly Step[], votes = 1, signal = never) => {
  const { transport, prompts } = scripted(...steps);
  return judgeCase(QUESTION, transport, { votes, signal }).then((judgement) => ({ judgement, prompts }));
};

const failed = (errorKind: JudgeErrorKind): JudgeReply => ({
  state: 'failed',
  errorKind,
  error: 'the server said no',
});
const PROSE: JudgeReply = { state: 'unusable', why: 'the answer is not JSON', model: 'm-1' };

describe('judgeCase', () => {
  it('passes a case whose every criterion passes, in one request', async () => {
    const { judgement, prompts } = await judge([answered(GOOD)]);
    expect(prompts).toHaveLength(1);
    expect(judgement).toMatchObject({
      result: 'PASS',
      reason: 'greets: greets is PASS. file: file is PASS.',
      model: 'm-1',
      provider: 'anthropic',
      transport: 'api',
      attempts: 1,
      error: null,
      errorKind: null,
      criteria: [
        {
          id: 'greets',
          text: 'The answer greets the world.',
          result: 'PASS',
          evidence: ['Hello, World'],
          agreement: 1,
        },
        { id: 'file', result: 'PASS', votes: { pass: 1, fail: 0, undecided: 0 } },
      ],
    });
    expect(judgement.prompt.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('fails a case when one criterion fails, and gives the reason of that one', async () => {
    const { judgement } = await judge([answered(answer('PASS', 'FAIL'))]);
    expect(judgement).toMatchObject({ result: 'FAIL', reason: 'file: file is FAIL.', error: null });
  });

  it('casts all votes and lets the majority of each criterion decide', async () => {
    const { judgement, prompts } = await judge(
      [answered(answer('PASS', 'PASS')), answered(answer('FAIL', 'PASS')), answered(answer('FAIL', 'PASS'))],
      3,
    );
    expect(prompts).toHaveLength(3);
    expect(judgement.result).toBe('FAIL');
    expect(judgement.criteria.map(({ result, agreement }) => [result, agreement])).toEqual([
      ['FAIL', 2 / 3],
      ['PASS', 1],
    ]);
  });

  it('leaves a tie undecided', async () => {
    const { judgement } = await judge([answered(answer('PASS')), answered(answer('FAIL'))], 2);
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind: 'judge-split' });
    expect(judgement.criteria.map(({ result, agreement }) => [result, agreement])).toEqual([
      ['SKIP', null],
      ['PASS', 1],
    ]);
  });

  it('asks again with what was wrong, in a fence of its own', async () => {
    const bad = { criteria: [verdict('greets', 'PASS', ['Hello, Moon']), verdict('file', 'PASS')] };
    const { judgement, prompts } = await judge([answered(bad), PROSE, answered(GOOD)]);
    expect(judgement).toMatchObject({ result: 'PASS', attempts: 3 });
    expect(prompts[0]?.prompt).not.toContain('could not be used');
    expect(prompts[1]?.prompt).toContain(
      '- criterion "greets": "Hello, Moon" does not stand in the material',
    );
    expect(prompts[2]?.prompt).toContain('- the answer is not JSON');
  });

  it('gives up after three unusable answers, undecided', async () => {
    const { judgement, prompts } = await judge([PROSE]);
    expect(prompts).toHaveLength(3);
    expect(judgement).toMatchObject({
      result: 'SKIP',
      errorKind: 'judge-unusable',
      error: 'the judge gave no usable answer in 3 attempts: the answer is not JSON',
      criteria: [
        { result: 'SKIP', reason: 'the judge gave no usable answer in 3 attempts: the answer is not JSON' },
        { result: 'SKIP' },
      ],
      attempts: 3,
    });
  });

  it.each<JudgeErrorKind>(['model-auth', 'model-rate-limit', 'model-unreachable', 'budget', 'sandbox'])(
    'leaves a case undecided with %s, without asking again',
    async (kind) => {
      const { judgement, prompts } = await judge([failed(kind)]);
      expect(prompts).toHaveLength(1);
      expect(judgement).toMatchObject({ result: 'SKIP', errorKind: kind, error: 'the server said no' });
    },
  );

  it('needs a majority of all votes, not of those that came', async () => {
    const { judgement } = await judge([answered(GOOD), failed('model-rate-limit'), PROSE], 3);
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind: 'judge-unusable' });
    expect(judgement.criteria[0]?.votes).toEqual({ pass: 1, fail: 0, undecided: 2 });
    expect(judgement.criteria[0]?.evidence).toEqual([]);
    expect(judgement.criteria[0]).not.toHaveProperty('score');
    const split = await judge([answered(GOOD), answered(answer('FAIL')), PROSE, PROSE, PROSE], 3);
    expect(split.judgement.criteria[0]?.votes).toEqual({ pass: 1, fail: 1, undecided: 1 });
    const enough = await judge([answered(GOOD), failed('model-rate-limit'), answered(GOOD)], 3);
    expect(enough.judgement).toMatchObject({ result: 'PASS', criteria: [{ agreement: 2 / 3 }, {}] });
  });

  it('takes an exception for a failure of ours', async () => {
    const { judgement } = await judge([
      () => {
        throw new Error('boom');
      },
    ]);
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind: 'internal' });
  });

  it('does not ask once the run is interrupted, and calls a request that broke off so', async () => {
    const early = await judge([answered(GOOD)], 1, AbortSignal.abort());
    expect(early.prompts).toHaveLength(0);
    expect(early.judgement).toMatchObject({ result: 'SKIP', errorKind: 'interrupted', attempts: 0 });
    const controller = new AbortController();
    const late = await judge(
      [
        () => {
          controller.abort();
          return failed('model-unreachable');
        },
      ],
      1,
      controller.signal,
    );
    expect(late.judgement).toMatchObject({ result: 'SKIP', errorKind: 'interrupted', attempts: 1 });
  });

  it('takes an exception of a run that is interrupted for just that', async () => {
    const controller = new AbortController();
    const broken = () => {
      controller.abort();
      throw new Error('the socket was closed');
    };
    const { judgement } = await judge([broken], 1, controller.signal);
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind: 'interrupted', attempts: 1 });
  });

  it('keeps an answer that came before the interruption', async () => {
    const controller = new AbortController();
    const last = () => {
      controller.abort();
      return answered(GOOD);
    };
    expect((await judge([last], 1, controller.signal)).judgement.result).toBe('PASS');
  });

  it('asks as often as it is told to, and adds up what all votes took', async () => {
    const { transport, prompts } = scripted(PROSE);
    const options = { votes: 2, attempts: 2, signal: never };
    const judgement = await judgeCase(QUESTION, transport, options);
    expect([prompts.length, judgement.attempts]).toEqual([4, 4]);
    expect(judgement.votes).toEqual([
      { state: 'unusable', why: 'the answer is not JSON', model: 'm-1', attempts: 2 },
      { state: 'unusable', why: 'the answer is not JSON', model: 'm-1', attempts: 2 },
    ]);
  });

  it('refuses questions that nothing could decide', async () => {
    const { transport } = scripted(answered({ criteria: [] }));
    const options = { votes: 1, signal: never };
    await expect(judgeCase({ ...QUESTION, criteria: [] }, transport, options)).rejects.toThrow(
      'nothing to judge',
    );
    const twice = [QUESTION.criteria[0], QUESTION.criteria[0]].flatMap((it) => it ?? []);
    await expect(judgeCase({ ...QUESTION, criteria: twice }, transport, options)).rejects.toThrow(
      'share an id',
    );
    for (const votes of [0, -1, 1.5])
      await expect(judgeCase(QUESTION, transport, { ...options, votes })).rejects.toThrow('above 0');
  });
});

describe('any mix of votes', () => {
  const passFail = fc.constantFrom<'PASS' | 'FAIL'>('PASS', 'FAIL');
  const vote: fc.Arbitrary<Vote> = fc.oneof(
    fc.tuple(passFail, passFail).map(
      ([a, b]): Vote => ({
        state: 'cast',
        criteria: [verdict('greets', a), verdict('file', b)],
        model: 'm',
        attempts: 1,
      }),
    ),
    fc.constant<Vote>({ state: 'unusable', why: 'prose', model: null, attempts: 3 }),
    fc
      .constantFrom<JudgeErrorKind>('model-auth', 'interrupted')
      .map((errorKind): Vote => ({ state: 'failed', errorKind, error: 'no', attempts: 1 })),
  );

  it('never decides without more than half of all votes', () => {
    fc.assert(
      fc.property(fc.array(vote, { minLength: 1, maxLength: 9 }), (votes) => {
        const counted = countVotes(QUESTION.criteria, votes);
        const count = (id: string, wanted: string) =>
          votes.filter(
            (it) => it.state === 'cast' && it.criteria.some((one) => one.id === id && one.verdict === wanted),
          ).length;
        for (const { id, result, agreement } of counted.criteria) {
          const decided = (['PASS', 'FAIL'] as const).find((it) => count(id, it) * 2 > votes.length);
          expect(result).toBe(decided ?? 'SKIP');
          expect(agreement).toBe(decided ? count(id, decided) / votes.length : null);
        }
        const results = counted.criteria.map(({ result }) => result);
        const expected = results.includes('FAIL') ? 'FAIL' : results.includes('SKIP') ? 'SKIP' : 'PASS';
        expect(counted.result).toBe(expected);
        expect(counted.errorKind === null).toBe(expected !== 'SKIP');
        expect(counted.error === null).toBe(expected !== 'SKIP');
      }),
    );
  });

  it('gives the reason of a single criterion without its name, on one line', () => {
    const [greets] = QUESTION.criteria;
    const said = { ...verdict('greets', 'FAIL'), reason: ' It says\n  nothing. ' };
    const cast: Vote = { state: 'cast', criteria: [said], model: null, attempts: 1 };
    const counted = countVotes(greets ? [greets] : [], [cast]);
    expect(counted).toMatchObject({ result: 'FAIL', reason: 'It says nothing.', model: null });
  });

  it('names the model of a vote that counts, or else of one that does not', () => {
    const cast = (model: string | null): Vote => ({
      ...{ state: 'cast', criteria: GOOD.criteria, attempts: 1, model },
    });
    const unusable = (model: string | null): Vote => ({
      ...{ state: 'unusable', why: 'prose', attempts: 3, model },
    });
    const modelOf = (...votes: Vote[]) => countVotes(QUESTION.criteria, votes).model;
    expect(modelOf(unusable('u'), cast(null), cast('c'))).toBe('c');
    expect(modelOf(...votesOf(['failed']), unusable(null), unusable('u'))).toBe('u');
    expect(modelOf(...votesOf(['failed', 'unusable']))).toBeNull();
  });

  it('says how many were lost, and of what most of them were', () => {
    const why = (...states: ('unusable' | 'failed')[]) =>
      countVotes(QUESTION.criteria, votesOf(states)).error;
    expect(why('failed')).toBe('no');
    expect(why('failed', 'failed', 'unusable')).toBe('2 of 3 votes: no');
    const prose = 'the judge gave no usable answer in 3 attempts: prose';
    expect(why('unusable')).toBe(prose);
    expect(why('failed', 'unusable')).toBe(`1 of 2 votes: ${prose}`);
    const [failedVote] = votesOf(['failed']);
    const once: Vote = { state: 'unusable', why: 'prose', model: null, attempts: 1 };
    expect(countVotes(QUESTION.criteria, [once]).error).toContain('in 1 attempt: prose');
    const split = countVotes(QUESTION.criteria, failedVote ? [failedVote, once, once] : []);
    expect(split.criteria[0]?.reason).toBe('no majority among 3 votes: 0 PASS, 0 FAIL, 3 undecided');
  });

  it('decides nothing without a criterion or a vote', () => {
    expect(countVotes([], votesOf(['failed'])).result).toBe('SKIP');
    expect(countVotes(QUESTION.criteria, [])).toMatchObject({
      ...{ result: 'SKIP', errorKind: 'judge-split', model: null },
      error: 'the 0 votes of the judge have no majority',
    });
  });

  it('decides nothing when nobody voted', () => {
    const nobody = votesOf(['unusable', 'failed', 'unusable', 'failed', 'failed']);
    expect(countVotes(QUESTION.criteria, nobody)).toMatchObject({ result: 'SKIP', errorKind: 'model-auth' });
  });
});

function votesOf(states: readonly ('unusable' | 'failed')[]): Vote[] {
  return states.map((state) =>
    state === 'failed'
      ? { state, errorKind: 'model-auth', error: 'no', attempts: 1 }
      : { state, why: 'prose', model: null, attempts: 3 },
  );
}
