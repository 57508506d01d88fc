import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSubset } from '../../src/check/kinds/json-subset.ts';

const check = (expected: unknown, actual: unknown) => jsonSubset(expected, JSON.stringify(actual), 'stdout');

describe('jsonSubset', () => {
  it.each([
    ['more keys are fine', { a: 1 }, { a: 1, b: 2 }],
    ['at any depth', { a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 1, d: 2 }], e: 3 }, f: 4 }],
    ['an empty map asks only for a map', {}, { a: 1 }],
    ['null is a value', { a: null }, { a: null }],
  ])('passes: %s', (_, expected, actual) => {
    expect(check(expected, actual).verdict).toBe('PASS');
  });

  it.each([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, 'stdout differs at a.b: expected 1, got 2'],
    ['a missing key', { a: 1 }, { b: 1 }, 'stdout differs at a: expected 1, got nothing'],
    ['a string is no number', { a: 1 }, { a: '1' }, 'stdout differs at a: expected 1, got "1"'],
    ['a longer list', [1, 2], [1, 2, 3], 'stdout differs expected [1,2], got [1,2,3]'],
    ['order in a list', { l: [1, 2] }, { l: [2, 1] }, 'stdout differs at l[0]: expected 1, got 2'],
    ['null is not missing', { a: null }, {}, 'stdout differs at a: expected null, got nothing'],
    ['a map is no list', { a: {} }, { a: [] }, 'stdout differs at a: expected {}, got []'],
  ])('fails: %s', (_, expected, actual, message) => {
    expect(check(expected, actual)).toMatchObject({ verdict: 'FAIL', message });
  });

  it('shows the difference without the keys nobody asked for', () => {
    const { diff } = check({ name: 'a', n: 1 }, { extra: true, n: 2, name: 'a' });
    expect(diff).toMatchInlineSnapshot(`
      " {
         "name": "a",
      -  "n": 1
      +  "n": 2
       }"
    `);
  });

  it('shows of lists and maps only what was spoken of, and where it differs', () => {
    const { diff, message } = check({ 'a.b': [{ n: 1 }] }, { 'a.b': [{ m: 0, n: 2 }, 3], c: 4 });
    expect(message).toBe('stdout differs at a.b: expected [{"n":1}], got [{"m":0,"n":2},3]');
    expect(diff).toMatchInlineSnapshot(`
      " {
         "a.b": [
           {
      -      "n": 1
      -    }
      +      "n": 2
      +    },
      +    3
         ]
       }"
    `);
    expect(check({ a: 1, b: 2 }, { b: 2 }).diff).toBe(' {\n-  "a": 1,\n   "b": 2\n }');
    expect(check({ a: {} }, { a: [1] }).diff).toContain('+    1');
    expect(check([{ a: 1 }], { a: 1 }).diff).toContain('+  "a": 1');
  });

  it('takes 0 and -0 for the same', () => {
    expect(jsonSubset(0, '-0', 'stdout').verdict).toBe('PASS');
  });

  it('says when there is no JSON', () => {
    expect(jsonSubset({}, ' \n', 'stdout').message).toBe('stdout is not JSON: it is empty');
    expect(jsonSubset({}, '', 'stdout').message).toBe('stdout is not JSON: it is empty');
    expect(jsonSubset({}, 'oops', 'stdout').message).toMatch(/^stdout is not JSON: .*oops/);
  });

  it('does not take inherited properties for values', () => {
    expect(check({ toString: 1 }, {}).message).toBe('stdout differs at toString: expected 1, got nothing');
  });

  it('holds for any value against itself, and fails when any leaf changes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(check(value, value).verdict).toBe('PASS');
        expect(check({ value, mark: 1 }, { value, mark: 2 }).verdict).toBe('FAIL');
      }),
    );
  });
});
