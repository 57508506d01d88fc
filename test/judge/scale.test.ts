/** Criteria that hold in part: what a judge is told, what it may answer, and what the votes come to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeCase } from '../../src/judge/judge.ts';
import { countVotes } from '../../src/judge/votes.ts';
import { type JudgedCriterion, judgeAnswerSchema, type Vote } from '../../src/model/judgement.ts';
import { answered, never, QUESTION, scripted, verdict } from './helpers.ts';

const PLAIN: JudgedCriterion = { id: 'greets', text: 'The answer greets the world.' };
const SCALED: JudgedCriterion = { id: 'tone', text: 'The tone is friendly.', scale: [], minScore: 0.7 };

const score = (id: string, value: unknown, evidence = ['Hello, World']) => ({
  ...{ id, evidence, reason: `${id} is ${value}.`, score: value },
});

async function judge(criteria: readonly JudgedCriterion[], ...answers: readonly object[]) {
  const { transport, prompts } = scripted(...answers.map((it) => answered({ criteria: [it].flat() })));
  const judgement = await judgeCase({ ...QUESTION, criteria }, transport, { votes: 1, signal: never });
  return { judgement, prompts };
}

describe('what a judge is told', () => {
  it('has the words of the scale, and what must not hold', async () => {
    const scale = [
      { from: 0, to: 3, text: 'rude' },
      { from: 4, to: 10, text: 'friendly' },
    ];
    const criteria = [PLAIN, { ...SCALED, scale }, { ...PLAIN, id: 'no-lie', negate: true }];
    const { prompts, judgement } = await judge(criteria, [
      verdict('greets', 'PASS'),
      score('tone', 7),
      verdict('no-lie', 'PASS'),
    ]);
    expect(judgement).toMatchObject({ result: 'PASS', attempts: 1 });
    expect(prompts[0]?.prompt).toContain(
      [
        '{"id":"greets","criterion":"The answer greets the world."}',
        '{"id":"tone","criterion":"The tone is friendly.","scale":["0 to 3: rude","4 to 10: friendly"]}',
        '{"id":"no-lie","criterion":"The answer greets the world.","mustNotHold":true}',
      ].join('\n'),
    );
  });

  it('is the form of each answer', () => {
    const forms = (criteria: readonly JudgedCriterion[]) =>
      JSON.stringify(judgeAnswerSchema(criteria)).match(/"(?:verdict|score)":\{[^}]*\}|anyOf/g);
    expect(forms([PLAIN])).toEqual(['"verdict":{"type":"string","enum":["PASS","FAIL"]}']);
    expect(forms([SCALED])).toEqual([
      '"score":{"type":"integer","description":"A whole number from 0 to 10"}',
    ]);
    expect(forms([PLAIN, SCALED])?.[0]).toBe('anyOf');
  });

  it('is the same schema as ever without a scale', () => {
    expect(judgeAnswerSchema([PLAIN])).toEqual({
      type: 'object',
      properties: {
        criteria: {
          type: 'array',
          description: 'One entry for each criterion',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string', description: 'The id of the criterion, exactly as given' },
              evidence: {
                type: 'array',
                items: { type: 'string' },
                description: 'Passages copied exactly from the material',
              },
              reason: { type: 'string', description: 'One or two sentences' },
              verdict: { type: 'string', enum: ['PASS', 'FAIL'] },
            },
            required: ['id', 'evidence', 'reason', 'verdict'],
            additionalProperties: false,
          },
        },
      },
      required: ['criteria'],
      additionalProperties: false,
    });
  });
});

describe('an answer', () => {
  it('passes from the score on that the criterion asks for', async () => {
    for (const [value, result] of [
      [7, 'PASS'],
      [6, 'FAIL'],
    ] as const) {
      const { judgement } = await judge([SCALED], score('tone', value));
      expect(judgement).toMatchObject({ result, criteria: [{ id: 'tone', result, score: value / 10 }] });
    }
    const strict = { id: 'tone', text: 'x', scale: [] };
    expect((await judge([strict], score('tone', 9))).judgement.result).toBe('FAIL');
    expect((await judge([strict], score('tone', 10))).judgement.result).toBe('PASS');
  });

  it.each([
    [score('tone', 11)],
    [score('tone', -1)],
    [score('tone', 7.5)],
    [score('tone', '7')],
    [verdict('tone', 'PASS')],
    [{ ...score('tone', 7), verdict: 'PASS' }],
    [{ id: 'tone', evidence: [], reason: 'None.' }],
  ])('%j cannot be used, and is asked for again', async (bad) => {
    const { judgement, prompts } = await judge([SCALED], bad, score('tone', 8));
    expect(prompts).toHaveLength(2);
    expect(prompts[1]?.prompt).toContain('the answer does not have the required form');
    expect(judgement).toMatchObject({ result: 'PASS', attempts: 2 });
    const hopeless = await judge([SCALED], bad);
    expect(hopeless.judgement).toMatchObject({
      result: 'SKIP',
      errorKind: 'judge-unusable',
      criteria: [{ result: 'SKIP', score: null }],
    });
  });

  it('that gives a plain criterion a score cannot be used', async () => {
    const { judgement } = await judge([PLAIN], score('greets', 10));
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind: 'judge-unusable' });
  });

  it('proves what it gives more than nothing for', async () => {
    const why = async (criterion: JudgedCriterion, value: number, evidence: string[]) =>
      (await judge([criterion], score('tone', value, evidence))).judgement.error;
    expect(await why(SCALED, 1, [])).toMatch(/a score of 1 without evidence/);
    expect(await why(SCALED, 1, ['keep the greeting in hello.txt'])).toMatch(/of what the agent did/);
    expect(await why(SCALED, 0, [])).toBeNull();
    expect(await why({ ...SCALED, negate: true }, 0, [])).toMatch(/a score of 0 without evidence/);
    expect(await why({ ...SCALED, negate: true }, 10, [])).toBeNull();
  });

  it('about what must not hold is turned round', async () => {
    const { judgement } = await judge([{ ...SCALED, negate: true }], score('tone', 2));
    expect(judgement.criteria[0]).toMatchObject({ result: 'PASS', score: 0.8 });
    // A verdict is asked for the other way round already.
    const plain = await judge([{ ...PLAIN, negate: true }], verdict('greets', 'PASS'));
    expect(plain.judgement.criteria[0]).toMatchObject({ result: 'PASS' });
    expect(plain.judgement.criteria[0]).not.toHaveProperty('score');
  });
});

describe('votes', () => {
  const cast = (value: number): Vote => ({
    ...{ state: 'cast', model: null, attempts: 1 },
    criteria: [
      {
        id: 'tone',
        evidence: [],
        reason: `It is ${value}.`,
        score: value,
        verdict: value >= 7 ? 'PASS' : 'FAIL',
      },
    ],
  });
  const LOST: Vote = { state: 'failed', errorKind: 'model-overloaded', error: 'no', attempts: 1 };
  const count = (...votes: Vote[]) => countVotes([SCALED], votes).criteria[0];

  it('come to their median, told by the one that is nearest', () => {
    expect(count(cast(10), cast(7), cast(2))).toMatchObject({
      ...{ result: 'PASS', score: 0.7, reason: 'It is 7.', votes: { pass: 2, fail: 1 } },
      agreement: 2 / 3,
    });
    expect(count(cast(10), cast(7), cast(8))).toMatchObject({ score: 0.8, reason: 'It is 8.' });
    expect(count(cast(9), cast(2), cast(3))).toMatchObject({ score: 0.3, reason: 'It is 3.' });
    expect(count(cast(3), cast(6), cast(4), cast(10))).toMatchObject({ result: 'FAIL', score: 0.5 });
  });

  it('on both sides in equal number decide nothing', () => {
    expect(count(cast(10), cast(2))).toMatchObject({ result: 'SKIP', score: null, agreement: null });
    expect(count(cast(10), LOST)).toMatchObject({ result: 'SKIP', score: null });
    expect(count(cast(10), cast(8), LOST)).toMatchObject({ result: 'PASS', score: 0.9, agreement: 2 / 3 });
  });

  it('never come to a score on the other side than their verdict', () => {
    const someVote = fc.oneof(fc.nat(10).map(cast), fc.constant(LOST));
    fc.assert(
      fc.property(fc.array(someVote, { minLength: 1, maxLength: 7 }), (votes) => {
        const { result, score: median } = count(...votes) ?? {};
        if (result === 'SKIP') expect(median).toBeNull();
        else expect((median ?? -1) >= 0.7 - 1e-9).toBe(result === 'PASS');
      }),
    );
  });
});
