import { describe, expect, it } from 'vitest';
import { jsonField } from '../../src/check/kinds/json-field.ts';
import type { JsonField } from '../../src/model/grader.ts';

const ANSWER = JSON.stringify({
  status: 'open',
  total: 12.5,
  items: [{ name: 'bolt', tags: ['a'] }, { name: 'nut' }],
  'a/b~c': { z: 1, a: [true, null] },
  empty: '',
  '10': { '10': 1, '9': 2 },
});

function said(field: string, relation: JsonField['relation'], value: string, answer = ANSWER): string {
  const { verdict, message } = jsonField({ field, relation, value }, answer, 'the answer');
  return `${verdict} ${message}`;
}

describe('a part of JSON', () => {
  it.each([
    // A top-level key, a pointer, a JSONPath.
    ['status', 'equals', 'open', 'PASS'],
    ['status', 'equals', 'open ', 'FAIL'],
    ['/items/1/name', 'contains', 'nu', 'PASS'],
    ['/items/01/name', 'contains', 'nu', 'FAIL'],
    ['/a~1b~0c/z', 'equals', '1', 'PASS'],
    ['$.items[0].name', 'contains', 'bolt', 'PASS'],
    ['$.items[*].name', 'equals', 'nut', 'PASS'],
    ['$.items[*].name', 'equals', 'washer', 'FAIL'],
    ['$.items[?@.name == "nut"].name', 'equals', 'nut', 'PASS'],
    ['$..tags', 'contains', 'a', 'PASS'],
    // Of several values none may have what must not be there.
    ['$.items[*].name', 'not-contains', 'nut', 'FAIL'],
    ['$.items[*].name', 'not-contains', 'washer', 'PASS'],
    // What is no text is compact JSON with sorted keys.
    ['total', 'equals', '12.5', 'PASS'],
    ['a/b~c', 'equals', '{"a":[true,null],"z":1}', 'PASS'],
    ['10', 'equals', '{"10":1,"9":2}', 'PASS'],
    ['status', 'regex', '(?i)^OPEN$', 'PASS'],
    ['status', 'regex', '^clos', 'FAIL'],
    ['empty', 'equals', '', 'PASS'],
    ['status', 'contains', 'pen', 'PASS'],
    ['status', 'contains', 'close', 'FAIL'],
    // Nothing is within what is no map and no list, and lists have only numbers.
    ['/status/length', 'not-contains', 'x', 'FAIL'],
    ['/a~1b~0c/a/1/x', 'not-contains', 'x', 'FAIL'],
    ['/items/length', 'not-contains', 'x', 'FAIL'],
    ['/items/1x/name', 'not-contains', 'x', 'FAIL'],
    ['', 'contains', '"status":"open"', 'PASS'],
  ] as const)('%s %s %j: %s', (field, relation, value, verdict) => {
    expect(said(field, relation, value)).toMatch(new RegExp(`^${verdict} `));
  });

  it.each(['contains', 'not-contains', 'equals', 'regex'] as const)(
    'that is missing fails, also what asks that it %s something',
    (relation) => {
      expect(said('nowhere', relation, 'x')).toBe('FAIL the answer has no nowhere');
      expect(said('/items/7', relation, 'x')).toBe('FAIL the answer has no /items/7');
      expect(said('$.items[7]', relation, 'x')).toBe('FAIL the answer has no $.items[7]');
      expect(said('constructor', relation, 'x')).toBe('FAIL the answer has no constructor');
      expect(said('status', relation, 'x', '')).toBe(
        'FAIL the answer has no status: it is not JSON: it is empty',
      );
      expect(said('$.status', relation, 'x', '```json\n{}\n```')).toBe(
        'FAIL the answer has no $.status: it is not JSON: it stands between ``` fences',
      );
    },
  );

  it.each(['id', '/id', '$.id', 'ids', '$.ids[*]'])('keeps every digit of a long number at %s', (field) => {
    const answer = '{"id": 1234567890123456789, "ids": [-1234567890123456789, "\\"12345678901234567890"]}';
    expect(said(field, 'contains', '1234567890123456789', answer)).toMatch(/^PASS /);
    expect(said(field, 'not-contains', '1234567890123456789', answer)).toMatch(/^FAIL /);
    expect(said(field, 'not-contains', '1234567890123456800', answer)).toMatch(/^PASS /);
  });

  it('that is a long number is that number', () => {
    expect(said('id', 'equals', '1234567890123456789', '{"id":1234567890123456789}')).toMatch(/^PASS /);
    expect(said('a', 'equals', '[12345678901234567890,1]', '{"a":[12345678901234567890, 1.0]}')).toMatch(
      /^PASS /,
    );
  });

  it('that is nested without end is left to the caller', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(() => said('a', 'not-contains', 'x', deep)).toThrow(RangeError);
  });

  it('of which one value cannot be decided is undecided, unless another decides', () => {
    const slow = JSON.stringify([`b`, `${'a'.repeat(40)}!`]);
    expect(said('$[*]', 'regex', '^(a+)+$', slow)).toMatch(/^SKIP .*backtracks/);
    expect(said('$[*]', 'regex', '^(?:b|(a+)+)$', slow)).toMatch(/^PASS /);
  });

  it('cannot be looked up by a path that makes no sense', () => {
    expect(said('$.items[', 'contains', 'x')).toMatch(/^SKIP \$\.items\[ could not be looked up: /);
  });

  it('does not search without end', () => {
    const answer = JSON.stringify([`${'a'.repeat(40)}!`]);
    expect(said("$[?search(@, '(a+)+b$')]", 'contains', 'a', answer)).toMatch(/^SKIP .*timed out/);
  });

  it('that is not whole may have what must not be there', () => {
    const options = { field: 'status', relation: 'not-contains', value: 'x' } as const;
    expect(jsonField(options, ANSWER, 'the answer', 'it was cut').verdict).toBe('FAIL');
  });
});
