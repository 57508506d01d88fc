/** Each kind of grader is given the evidence that it decides by; and what becomes of what it finds. */
import { describe, expect, it } from 'vitest';
import { type Observed, outcomeOf, pathsOf, runGraders } from '../../src/check/graders.ts';
import { type Grader, type GraderKind, type GraderOptions, grader } from '../../src/model/grader.ts';
import { NOTHING } from './observed.ts';

function run<Kind extends GraderKind>(
  kind: Kind,
  options: GraderOptions[Kind],
  observed: Partial<Observed> = {},
  more: { readonly negate?: boolean } = {},
) {
  const graders = [grader('a', kind, options, more)] as Grader[];
  const [outcome] = runGraders({ graders }, { ...NOTHING, ...observed });
  return `${outcome?.verdict} ${outcome?.score} ${outcome?.message}`;
}

const CALL = { type: 'tool-call', id: '1', tool: 'Read', input: {}, subAgent: false } as const;
const BLOCKED = { type: 'denied', tool: 'Bash', by: 'hook', reason: 'no' } as const;

describe('a grader of its kind', () => {
  it('looks at the text it is about', () => {
    const texts = { said: 'said', answer: '{"a": "answer"}' };
    const field = { field: 'a', relation: 'equals', value: 'answer' } as const;
    expect(run('json-field', { of: 'answer', ...field }, texts)).toBe(
      'PASS 1 a of the answer does equal "answer"',
    );
    expect(run('json-field', { of: 'said', ...field }, texts)).toMatch(/^FAIL 0 the output has no a/);
    const golden = { path: 'g', text: 'said', ignoreSpace: false };
    expect(run('golden', { of: 'said', ...golden }, texts)).toBe('PASS 1 the output is like g by 1.00');
    expect(run('golden', { of: 'answer', ...golden }, texts)).toMatch(/^FAIL 0 the answer /);
    const exact = { path: 'a', match: { kind: 'exact' }, required: true, weight: 1 } as const;
    const accuracy = {
      reference: { a: 'answer' },
      fields: [exact],
      aggregation: 'weighted-average',
    } as const;
    expect(run('field-accuracy', accuracy, texts)).toMatch(/^PASS 1 /);
  });

  it('looks at files, tools and hooks', () => {
    expect(run('files-created', { paths: ['x'] }, { created: ['x'] })).toMatch(/^PASS/);
    const trajectory = { mode: 'any-order', minimums: { Read: 1 }, expected: [] } as const;
    expect(run('tool-trajectory', trajectory, { events: [CALL] })).toMatch(/^PASS/);
    expect(run('agent-blocked', { expected: false })).toMatch(/^PASS/);
    expect(run('agent-blocked', { expected: false }, { events: [BLOCKED] })).toMatch(/^FAIL/);
  });

  it.each([
    [{ hookGap: 'of hooks' }, 'of hooks'],
    [{ gap: 'of events' }, 'of events'],
    [{ hookGap: 'of hooks', gap: 'of events' }, 'of hooks'],
  ])('does not show that no hook blocked with %j', (gaps, why) => {
    expect(run('agent-blocked', { expected: false }, gaps)).toMatch(new RegExp(`^FAIL 0 .*: ${why}$`));
  });

  it('measures', () => {
    const measured = { durationMs: 20, costUsd: 0.2, events: [CALL] };
    expect(run('latency', { maxMs: 20 }, measured)).toMatch(/^PASS/);
    expect(run('cost', { maxUsd: 0.1 }, measured)).toMatch(/^FAIL/);
    expect(run('cost', { maxUsd: 0.2 }, measured)).toMatch(/^PASS/);
    const none = { maxModelCalls: null, maxTokens: null, maxCostUsd: null, maxDurationMs: null };
    const limits = { ...none, maxToolCalls: 1, targetExplorationRatio: null, explorationTolerance: 0 };
    expect(run('execution-metrics', limits, measured)).toMatch(/^PASS/);
  });

  it('that is a program has not run yet', () => {
    const program = { argv: ['x'], cwd: '/', config: null, timeoutMs: 1 } as const;
    expect(run('program', program)).toBe('SKIP null the program has not run');
  });
});

describe('what must not be in a file', () => {
  const read = (path: string) =>
    path === 'a' ? { text: 'one two' } : ({ problem: 'is not there', state: 'missing' } as const);
  const lacks = (path: string, match: 'all' | 'any', ...values: string[]) =>
    run('file-contains', { path, values, match }, { read }, { negate: true });

  it('is none of several, or not the only one', () => {
    expect(lacks('a', 'any', 'three', 'four')).toBe('PASS 1 a has none of 2');
    expect(lacks('a', 'any', 'three', 'two')).toBe('FAIL 0 a contains "two" (line 1)');
    expect(lacks('a', 'all', 'two')).toBe('FAIL 0 a contains "two" (line 1)');
  });

  it('is all of several together', () => {
    expect(lacks('a', 'all', 'one', 'three')).toBe('PASS 1 a does not contain "three"');
    expect(lacks('a', 'all', 'one', 'two')).toBe('FAIL 0 a has all 2, which must not be');
  });

  it('is not shown by a file that is missing', () => {
    expect(lacks('b', 'any', 'x', 'y')).toBe('FAIL 0 b is not there');
    expect(lacks('b', 'all', 'x')).toBe('FAIL 0 b is not there');
  });

  it('leaves what must be in it as it is', () => {
    const holds = (match: 'all' | 'any') =>
      run('file-contains', { path: 'a', values: ['one', 'x'], match }, { read });
    expect([holds('any'), holds('all')]).toEqual([
      'PASS 1 a contains "one"',
      'FAIL 0 a does not contain "x"',
    ]);
  });
});

describe('what is nested without end', () => {
  const answer = '['.repeat(100_000) + ']'.repeat(100_000);

  it('fails, and shows no opposite either', () => {
    const options = { of: 'answer', value: { a: 1 } } as const;
    const why = 'what the agent gave is nested too deeply to be looked at';
    expect(run('json-subset', options, { answer })).toBe(`FAIL 0 ${why}`);
    expect(run('json-subset', options, { answer }, { negate: true })).toBe(
      `FAIL 0 it must not be so, and may be: ${why}`,
    );
  });

  it('is the only failure that is the agent’s', () => {
    const read = () => {
      throw new Error('a bug');
    };
    const options = { path: 'a', values: ['x'], match: 'all' } as const;
    expect(() => run('file-contains', options, { read })).toThrow('a bug');
  });
});

describe('the opposite of what holds in part', () => {
  const half = { verdict: 'FAIL', score: 0.5, message: 'half of it' } as const;
  const none = { verdict: 'FAIL', score: 0, message: 'none of it' } as const;
  const opposite = (found: Parameters<typeof outcomeOf>[1], missing: string | null) => {
    const asked = grader('a', 'is-json', { of: 'answer' }, { negate: true, minScore: 0.5 }) as Grader;
    const { verdict, score, message } = outcomeOf(asked, found, missing);
    return `${verdict} ${score} ${message}`;
  };

  it('is the rest, whatever is missing: such a kind says itself what it does not know', () => {
    expect(opposite(half, null)).toBe('PASS 0.5 half of it, which must not be');
    expect(opposite(half, 'cut')).toBe('PASS 0.5 half of it, which must not be');
    expect(opposite(none, 'cut')).toBe('PASS 1 none of it');
  });

  it('is nothing where all or nothing holds, and something is missing', () => {
    const fails = { verdict: 'FAIL', message: 'it does not' } as const;
    const holds = { verdict: 'PASS', message: 'it does' } as const;
    expect(opposite(fails, null)).toBe('PASS 1 it does not');
    expect(opposite(fails, 'cut')).toBe('FAIL 0 it must not be so, and may be: cut');
    expect(opposite(holds, 'cut')).toBe('FAIL 0 it does, which must not be');
  });
});

it('keeps the details that a program told, and has none otherwise', () => {
  const program = { argv: ['x'], cwd: '/', config: null, timeoutMs: 1 } as const;
  const asked = grader('a', 'program', program) as Grader;
  const found = { verdict: 'PASS', message: 'fine' } as const;
  const outcome = { check: 'a', verdict: 'PASS', score: 1, message: 'fine' };
  expect(outcomeOf(asked, { ...found, details: { f1: 1 } }, null)).toStrictEqual({
    ...outcome,
    details: { f1: 1 },
  });
  expect(outcomeOf(asked, { ...found, details: null }, null)).toStrictEqual({ ...outcome, details: null });
  expect(outcomeOf(asked, found, null)).toStrictEqual(outcome);
});

it('names the files that graders speak of', () => {
  const graders = [
    grader('a', 'files-created', { paths: ['x', 'y'] }),
    grader('b', 'is-json', { of: 'answer' }),
  ] as Grader[];
  expect(pathsOf({ graders })).toEqual(['x', 'y']);
});
