import { describe, expect, it } from 'vitest';
import type { Trial } from '../../src/model/trial.ts';
import { longestFirst } from '../../src/plan/order.ts';

const trials = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }) as Trial);

function order(known: Readonly<Record<string, number>>): string {
  return longestFirst(trials, ({ id }) => known[id] ?? null)
    .map(({ id }) => id)
    .join('');
}

describe('the order of trials', () => {
  it('stays as it is where nothing is known, or all took the same time', () => {
    expect(order({})).toBe('abcde');
    expect(order({ a: 2, b: 2, c: 2, d: 2, e: 2 })).toBe('abcde');
  });

  it('has those first that took longest, and the unknown before them', () => {
    expect(order({ a: 1, b: 3, c: 2, d: 9, e: 0 })).toBe('dbcae');
    expect(order({ a: 1, c: 2, d: 9 })).toBe('bedca');
  });
});
