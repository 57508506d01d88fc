import { describe, expect, it } from 'vitest';
import { readProgram } from '../../src/check/program-result.ts';
import type { ProcessOutcome } from '../../src/model/process.ts';

const text = (value: string, truncated = false) => ({ text: value, bytes: value.length, truncated });

function decide(stdout: unknown, more: Partial<ProcessOutcome> & { err?: string } = {}): string {
  const { err = '', ...rest } = more;
  const printed = typeof stdout === 'string' ? stdout : JSON.stringify(stdout);
  const outcome: ProcessOutcome = {
    ...{ ended: 'exited', exitCode: 0, durationMs: 1 },
    ...{ stdout: text(printed), stderr: text(err) },
    ...rest,
  };
  const { verdict, score, message } = readProgram(outcome, 2000);
  return `${verdict} ${score ?? '-'} ${message}`;
}

describe('scores of rubric items', () => {
  const read = (said: unknown, exitCode = 0) => {
    const stdout = text(typeof said === 'string' ? said : JSON.stringify(said));
    const outcome = { ended: 'exited', exitCode, durationMs: 1, stdout, stderr: text('') } as const;
    return readProgram(outcome, 2000, 'agentcarousel');
  };
  const message = (said: object) => read(said).message;
  const scores = [{ rubric_id: 'a', score: 0.2, rationale: 'too short' }];

  it('are told in the words of the program, and no others', () => {
    expect(message({ scores })).toBe('the program gave scores: a 0.2 (too short)');
    expect(message({ scores, passed: true })).toBe(
      'the program says that the case has passed: a 0.2 (too short)',
    );
    expect(message({ scores, passed: false })).toBe(
      'the program says that the case has not passed: a 0.2 (too short)',
    );
    expect(message({ passed: true })).toBe('the program says that the case has passed');
    expect(message({ scores: [...scores, { rubric_id: 'b', score: 1 }] })).toBe(
      'the program gave scores: a 0.2 (too short), b 1',
    );
  });

  it.each([
    [{ scores: [0.2, 0.6] }, 'FAIL', 0.4],
    [{ scores: [1, 1] }, 'PASS', 1],
    [{ scores: [1, 1], passed: false }, 'FAIL', 0],
    [{ scores: [0.2, 0.6], passed: true }, 'FAIL', 0.4],
    [{ passed: true }, 'PASS', 1],
    [{ scores: [], passed: true }, 'PASS', 1],
    [{ passed: false }, 'FAIL', 0],
  ] as const)('come to their mean, unless the case has not passed: %j', (said, verdict, score) => {
    const given = 'scores' in said ? said.scores.map((it) => ({ rubric_id: 'x', score: it })) : null;
    const found = read({ ...said, scores: given });
    expect([found.verdict, found.score]).toEqual([verdict, expect.closeTo(score, 9)]);
  });

  it.each([
    ['no JSON', 'fine'],
    ['nothing', ''],
    ['neither of both', {}],
    ['no scores', { scores: [] }],
    ['a score above 1', { scores: [{ rubric_id: 'x', score: 1.01 }] }],
    ['a score below 0', { scores: [{ rubric_id: 'x', score: -0.01 }], passed: true }],
    ['a score of nobody', { scores: [{ score: 1 }] }],
    ['words for a verdict', { passed: 'yes' }],
  ])('decide nothing when there is %s', (_, said) => {
    expect(read(said)).toMatchObject({ verdict: 'SKIP', message: expect.stringMatching(/^the program /) });
  });

  it('decide nothing from a program that ended badly', () => {
    expect(read({ passed: true }, 2)).toEqual({
      verdict: 'SKIP',
      message: 'the program ended with exit code 2',
    });
  });

  it('are told on one line, of which the end may be cut', () => {
    const long = [{ rubric_id: 'a', score: 1, rationale: `two\n lines ${'x'.repeat(2000)}` }];
    expect(message({ scores: long })).toMatch(/^the program gave scores: a 1 \(two lines x+…$/);
    expect(message({ scores: long }).length).toBe('the program gave scores: '.length + 1001);
  });
});

describe('a score', () => {
  it('comes with what was met and missed', () => {
    const said = { score: 0.5, hits: ['a'], misses: ['b', 'c'], reasoning: 'Half of it.' };
    expect(decide(said)).toBe('FAIL 0.5 missed: b; c. Half of it.');
    expect(decide({ score: 1, hits: ['a'] })).toBe('PASS 1 met: a');
    expect(decide({ score: 1 })).toBe('PASS 1 the program gave no reason');
    const assertions = [
      { text: 'a', passed: true },
      { text: 'b', passed: false, evidence: 'it is c' },
    ];
    expect(decide({ score: 0.5, assertions })).toBe('FAIL 0.5 missed: b (it is c)');
  });

  it('stands in the text alone, whatever else of it has another form', () => {
    expect(decide(' \n{"score": 1, "hits": ["a"]}\n')).toBe('PASS 1 met: a');
    expect(decide({ score: 1, hits: [1], misses: 'b', reasoning: 2, assertions: [{ text: 1 }] })).toBe(
      'PASS 1 the program gave no reason',
    );
    expect(decide({ score: 0, assertions: [{ text: 'a', passed: 'no' }] })).toBe(
      'FAIL 0 the program gave no reason',
    );
    const assertions = [{ text: 'a', passed: true, evidence: 'seen' }];
    expect(decide({ score: 1, hits: ['b'], assertions })).toBe('PASS 1 met: b; a (seen)');
    expect(decide({ score: 1, hits: ['b'], reasoning: 'All of it.' })).toBe('PASS 1 All of it.');
  });

  it('does not mind what a program that ended well said on standard error', () => {
    expect(decide({ score: 1 }, { err: 'a warning' })).toMatch(/^PASS 1 /);
  });

  it('comes with a reason on one line, of which the end may be cut', () => {
    expect(decide({ score: 1, reasoning: ' two \n  lines ' })).toBe('PASS 1 two lines');
    expect(decide({ score: 1, reasoning: 'x'.repeat(1000) })).toBe(`PASS 1 ${'x'.repeat(1000)}`);
    expect(decide({ score: 1, reasoning: 'x'.repeat(1001) })).toBe(`PASS 1 ${'x'.repeat(1000)}…`);
  });

  it('keeps details while there is room', () => {
    const details = (value: unknown) =>
      readProgram(
        {
          ...{ ended: 'exited', exitCode: 0, durationMs: 1, stderr: text('') },
          stdout: text(JSON.stringify({ score: 1, hits: ['a'], details: value })),
        },
        1,
      ).details;
    expect(details({ f1: 0.5 })).toEqual({ hits: ['a'], misses: [], details: { f1: 0.5 } });
    expect(details('x'.repeat(20_000))).toEqual({ cut: 'more than 16384 characters' });
  });

  it('counts with an exit code that only repeats it', () => {
    expect(decide({ score: 0 }, { exitCode: 1 })).toMatch(/^FAIL 0 /);
    expect(decide({ score: 0.9 }, { exitCode: 1 })).toMatch(/^FAIL 0.9 /);
  });
});

describe('an exit code', () => {
  it.each([
    ['', 0, 'PASS 1 exit code 0'],
    ['12 tests passed\nall fine', 0, 'PASS 1 exit code 0: all fine'],
    ['2 failed', 1, 'FAIL 0 exit code 1: 2 failed'],
    ['', 3, 'FAIL 0 exit code 3'],
    ['one\n  two  \n\n', 0, 'PASS 1 exit code 0: two'],
    ['x'.repeat(300), 0, `PASS 1 exit code 0: ${'x'.repeat(300)}`],
    ['x'.repeat(301), 0, `PASS 1 exit code 0: ${'x'.repeat(300)}…`],
  ])('after %j', (stdout, exitCode, expected) => {
    expect(decide(stdout, { exitCode })).toBe(expected);
  });
});

describe('a program that does not work', () => {
  it.each([
    ['crashes', '', { exitCode: 1, err: 'Traceback:\n  x\nKeyError: y\n' }, 'exit code 1: KeyError: y'],
    [
      'crashes in Node',
      '',
      { exitCode: 1, err: 'x.js:1\n\nTypeError: no x\n    at y (x.js:1)\n\nNode.js v20.20.2\n' },
      'exit code 1: TypeError: no x$',
    ],
    ['crashes after its answer', { score: 1 }, { exitCode: 1, err: 'boom' }, 'exit code 1: boom'],
    ['is killed', '', { exitCode: 139 }, 'ended by signal 11'],
    ['is killed by nothing known', '', { exitCode: 128 }, 'ended by signal 0'],
    [
      'takes too much',
      { score: 1 },
      { ended: 'aborted', exceeded: { error: 'wrote too much' } },
      'the program wrote too much$',
    ],
    ['hangs without a word', '', { ended: 'timed-out', exitCode: null }, 'after 2 s$'],
    ['speaks of errors', '', { exitCode: 1, err: 'No Error here\nthe end' }, 'exit code 1: the end$'],
    ['speaks beside a score', "done: {'score' : 1}", {}, 'other words beside its JSON'],
    ['hangs', '', { ended: 'timed-out', exitCode: null }, 'still running after 2 s'],
    ['is not there', '', { ended: 'not-started', exitCode: null, error: 'no bun' }, 'no bun'],
    ['is interrupted', { score: 1 }, { ended: 'aborted', exitCode: null }, 'interrupted'],
    ['prints half of an answer', '{"score": 1, "hits": [', {}, 'cannot be read'],
    ['prints too much', '', { stdout: text('{"score": 1}', true) }, 'more than is read'],
    ['gives no score', { hits: ['a'] }, {}, 'without a number'],
    ['gives a score in words', { score: '1' }, {}, 'without a number'],
    ['gives a score above 1', { score: 85 }, {}, 'score of 85'],
    ['gives a score below 0', { score: -0.1 }, {}, 'score of -0.1'],
    ['gives a list', [1], {}, 'without a number'],
    ['gives a bare number', '0.2', {}, 'without a number'],
    ['gives a bare word of JSON', 'false', {}, 'without a number'],
    ['speaks before its answer', 'loading\n{"score": 0}', {}, 'other words beside its JSON'],
    ['speaks after its answer', '{"score": 0}\ndone', {}, 'cannot be read'],
    ['fails after a full score', { score: 1 }, { exitCode: 3 }, 'full score and ended with exit code 3'],
  ] as [string, unknown, object, string][])('%s', (_, stdout, more, why) => {
    expect(decide(stdout, more)).toMatch(new RegExp(`^SKIP - .*${why}`));
  });
});
