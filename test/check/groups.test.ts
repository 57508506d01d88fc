import { describe, expect, it } from 'vitest';
import { groupOutcomes, scoresOf } from '../../src/check/groups.ts';
import type { Part } from '../../src/check/outcomes.ts';
import type { Group } from '../../src/model/grader.ts';

const part = (id: string, score: number | null): Part => ({ id, score, weight: 1, required: false });
const PARTS = [
  ...[part('good', 1), part('half', 0.5), part('bad', 0), part('open', null)],
  ...[
    { ...part('must', 1), required: true },
    { ...part('must-open', null), required: true },
    { ...part('must-bad', 0), required: true },
  ],
];

function group(members: string[], more: Partial<Group> = {}): Group {
  const aggregator = { kind: 'weighted-average' } as const;
  return { id: 'g', members, aggregator, weight: 1, required: false, negate: false, ...more };
}

function told(one: Group, more: readonly Group[] = []) {
  const found = groupOutcomes(PARTS, [one, ...more], new Map()).find((it) => it.group === one.id);
  return `${found?.verdict} ${found?.score} ${found?.message}`;
}

describe('what became of a group', () => {
  it.each([
    [['good'], {}, 'PASS 1 1 of 1 passed'],
    [['good', 'bad'], {}, 'FAIL 0.5 1 of 2 passed'],
    [['good', 'bad'], { minScore: 0.5 }, 'PASS 0.5 1 of 2 passed'],
    [['good', 'half'], {}, 'FAIL 0.75 1 of 2 passed'],
    [['good', 'open'], {}, 'SKIP null 1 of 2 passed, 1 undecided'],
    [['bad', 'open'], {}, 'FAIL null 0 of 2 passed, 1 undecided'],
    [['good', 'nobody'], {}, 'SKIP null 1 of 2 passed, 1 undecided'],
    [['bad'], { negate: true }, 'PASS 1 0 of 1 passed, which must not be'],
    [
      ['good', 'bad'],
      { aggregator: { kind: 'threshold', threshold: 0.5 } },
      'PASS 0.5 1 of 2 passed; 0.5 of them must',
    ],
    [
      ['good', 'bad'],
      { aggregator: { kind: 'threshold', threshold: 0.5 }, negate: true },
      'FAIL 0.5 1 of 2 passed; 0.5 of them must, which must not be',
    ],
    [
      ['good', 'bad'],
      { aggregator: { kind: 'threshold', threshold: 0.5 }, minScore: 0.6 },
      'FAIL 0.5 1 of 2 passed; 0.5 of them must',
    ],
    [
      ['good', 'nobody'],
      { aggregator: { kind: 'threshold', threshold: 1 } },
      'SKIP null 1 of 2 passed, 1 undecided; 1 of them must',
    ],
    [[], { aggregator: { kind: 'threshold', threshold: 1 } }, 'SKIP null 0 of 0 passed; 1 of them must'],
    [['must', 'bad'], { minScore: 0.5 }, 'PASS 0.5 1 of 2 passed'],
    [['must-bad', 'good'], { minScore: 0.5 }, 'FAIL 0 1 of 2 passed'],
    [['must-open', 'good'], { minScore: 0.5 }, 'SKIP null 1 of 2 passed, 1 undecided'],
  ] as [string[], Partial<Group>, string][])('of %j, %j', (members, more, outcome) => {
    expect(told(group(members, more))).toBe(outcome);
  });

  it('counts groups among its members', () => {
    const inner = group(['good'], { id: 'inner' });
    expect(told(group(['inner', 'bad']), [inner])).toBe('FAIL 0.5 1 of 2 passed');
  });

  it('is told in the words of who made it out of its members', () => {
    const aggregator = { kind: 'program', program: {} } as never;
    const given = new Map([['g', { verdict: 'PASS', score: 0.7, message: 'as it says' } as const]]);
    expect(groupOutcomes(PARTS, [group(['good'], { aggregator, minScore: 0.6 })], given)).toEqual([
      { group: 'g', verdict: 'PASS', score: 0.7, message: 'as it says', members: ['good'] },
    ]);
  });
});

it('takes a verdict without a score for all or nothing, and SKIP for neither', () => {
  const found = {
    scored: { verdict: 'FAIL', score: 0.4, message: '' },
    passed: { verdict: 'PASS', message: '' },
    failed: { verdict: 'FAIL', message: '' },
    open: { verdict: 'SKIP', score: 1, message: '' },
  } as const;
  expect(Object.fromEntries(scoresOf(new Map(Object.entries(found))))).toEqual({
    scored: 0.4,
    passed: 1,
    failed: 0,
    open: null,
  });
});
