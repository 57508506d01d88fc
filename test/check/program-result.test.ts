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
  const message = (said: object) => {
    const stdout = text(JSON.stringify(said));
    const outcome = { ended: 'exited', exitCode: 0, durationMs: 1, stdout, stderr: text('') } as const;
    return readProgram(outcome, 2000, 'agentcarousel').message;
  };
  const scores = [{ rubric_id: 'a', score: 0.2, rationale: 'too short' }];

  it('are told in the words of the program, and no others', () => {
    expect(message({ scores })).toBe('the program gave scores: a 0.2 (too short)');
    expect(message({ scores, passed: true })).toBe(
      'the program says that the case has passed: a 0.2 (too short)',
    );
    expect(message({ scores, passed: false })).toBe(
      'the program says that the case has not passed: a 0.2 (too short)',
    );
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
