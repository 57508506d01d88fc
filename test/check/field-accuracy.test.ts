import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDate } from '../../src/check/kinds/dates.ts';
import { fieldAccuracy } from '../../src/check/kinds/field-accuracy.ts';
import type { ExpectedField, FieldAccuracy } from '../../src/model/grader.ts';
import type { Json } from '../../src/model/tests.ts';

const field = (path: string, more: Partial<ExpectedField> = {}): ExpectedField => ({
  ...{ path, match: { kind: 'exact' }, required: true, weight: 1 },
  ...more,
});

function decide(
  reference: Json,
  fields: readonly ExpectedField[],
  answer: Json | string,
  aggregation: FieldAccuracy['aggregation'] = 'weighted-average',
): string {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const { verdict, score, message } = fieldAccuracy({ reference, fields, aggregation }, text);
  return `${verdict} ${score ?? '-'} ${message}`;
}

const INVOICE = { id: 'A-1', total: 100, lines: [{ sum: 60 }, { sum: 40 }], date: '2025-01-15' };

describe('fields', () => {
  it('are found by their paths and weighed', () => {
    const fields = [field('id', { weight: 3 }), field('lines[1].sum')];
    expect(decide(INVOICE, fields, INVOICE)).toBe('PASS 1 all 2 fields are as expected');
    expect(decide(INVOICE, fields, { id: 'A-1', lines: [] })).toBe('FAIL 0.75 lines[1].sum is missing');
    expect(decide(INVOICE, fields, { id: 'A-2', lines: INVOICE.lines })).toBe(
      'FAIL 0.25 id is "A-2", expected "A-1"',
    );
    expect(decide(INVOICE, fields, { id: 'A-1' }, 'all-or-nothing')).toMatch(/^FAIL 0 /);
  });

  it('that may be missing count only when they are there', () => {
    const fields = [field('id'), field('total', { required: false })];
    expect(decide(INVOICE, fields, { id: 'A-1' })).toMatch(/^PASS 1 /);
    expect(decide(INVOICE, fields, { id: 'A-1', total: 1 })).toMatch(/^FAIL 0.5 /);
    expect(decide(INVOICE, [field('total', { required: false })], {})).toMatch(/^SKIP/);
    expect(decide(INVOICE, [...fields, field('date', { weight: 0 })], { id: 'A-1', date: 1 })).toBe(
      'PASS 1 all 1 fields are as expected',
    );
  });

  it('of an answer that is JSON, or has one block of it', () => {
    const fields = [field('id')];
    expect(decide(INVOICE, fields, 'Here:\n```json\n{"id": "A-1"}\n```\nDone.')).toMatch(/^PASS/);
    expect(decide(INVOICE, fields, '```\n{"id": "A-1"}\n```\n```\n{"id": "A-2"}\n```')).toMatch(
      /^FAIL 0 .*not JSON/,
    );
    expect(decide(INVOICE, fields, 'A-1')).toMatch(/^FAIL 0 .*not JSON/);
    expect(decide(INVOICE, fields, '')).toMatch(/^FAIL 0 /);
    expect(decide(INVOICE, fields, '```\nno JSON\n```\n```json\n{\n"id": "A-1"}\n``` \t\n')).toMatch(/^PASS/);
    expect(decide(INVOICE, fields, '```json\n{"id": "A-1"}\n')).toMatch(/^FAIL 0 .*not JSON/);
    expect(decide(INVOICE, fields, 'x ```\n{"id": "A-1"}\n```')).toMatch(/^FAIL 0 .*not JSON/);
    expect(decide(INVOICE, fields, '```a`b\n{"id": "A-1"}\n```')).toMatch(/^FAIL 0 .*not JSON/);
    for (const end of ['x ```', '``` x'])
      expect(decide(INVOICE, fields, `\`\`\`json\n{"id": "A-1"}\n${end}\n`)).toMatch(/^FAIL 0 .*not JSON/);
  });

  it('that the reference does not have decide nothing', () => {
    expect(decide(INVOICE, [field('id'), field('vat')], { id: 'A-1' })).toBe(
      'SKIP - the expected output has no vat to compare with',
    );
    const date = field('id', { match: { kind: 'date', formats: [] } });
    expect(decide(INVOICE, [date], INVOICE)).toMatch(/^SKIP .* cannot be compared/);
    expect(decide(INVOICE, [], INVOICE)).toBe('SKIP - no fields are named, so there is nothing to compare');
  });

  it('are not found in what every object has', () => {
    expect(decide({ constructor: 1 }, [field('constructor')], {})).toBe('FAIL 0 constructor is missing');
  });
});

describe('numbers', () => {
  const within = (tolerance: number, relative = false) => [
    field('total', { match: { kind: 'numeric-tolerance', tolerance, relative } }),
  ];

  it.each([
    [1, false, 101, 'PASS'],
    [1, false, 101.01, 'FAIL'],
    [0.05, true, 105, 'PASS'],
    [0.05, true, 94, 'FAIL'],
    [1, false, '100.5', 'PASS'],
    [1, false, '100 EUR', 'FAIL'],
    [1, false, null, 'FAIL'],
    [0.05, true, 95, 'PASS'],
    [1, false, 99, 'PASS'],
    [1, false, 98.9, 'FAIL'],
    [200, false, ' ', 'FAIL'],
    [200, false, true, 'FAIL'],
    [200, false, '1e999', 'FAIL'],
  ] as const)('within %s (relative: %s): %j is %s', (tolerance, relative, total, verdict) => {
    expect(decide(INVOICE, within(tolerance, relative), { total })).toMatch(new RegExp(`^${verdict}`));
  });

  it('of a reference that is none decide nothing', () => {
    for (const total of ['about 100', '', null, [100]])
      expect(decide({ total }, within(1), { total: 100 })).toMatch(/^SKIP .*total that cannot be compared/);
    expect(decide({ total: -100 }, within(0.1, true), { total: -95 })).toMatch(/^PASS/);
  });

  it('bear the noise of floating point', () => {
    expect(decide({ total: 0.3 }, within(0), { total: 0.1 + 0.2 })).toMatch(/^PASS/);
    expect(decide({ total: 0 }, within(0.1, true), { total: 0.1 })).toMatch(/^PASS/);
  });
});

describe('days', () => {
  it.each([
    ['2025-01-15', [], 'PASS'],
    ['15-JAN-2025', [], 'PASS'],
    ['2025-01-16', [], 'FAIL'],
    ['soon', [], 'FAIL'],
    [null, [], 'FAIL'],
    ['15.01.2025', [], 'FAIL'],
    ['15.01.2025', ['DD.MM.YYYY', 'YYYY-MM-DD'], 'PASS'],
  ] as [Json, string[], string][])('%j by %j: %s', (date, formats, verdict) => {
    const fields = [field('date', { match: { kind: 'date', formats } })];
    expect(decide(INVOICE, fields, { date })).toMatch(new RegExp(`^${verdict}`));
  });

  it.each([
    ['2025-01-15', [], '2025-01-15'],
    ['2025-01-15T23:30:00-05:00', [], '2025-01-15'],
    ['15-JAN-2025', [], '2025-01-15'],
    ['15-January-2025', [], '2025-01-15'],
    ['01/15/2025', [], '2025-01-15'],
    ['15/01/2025', [], '2025-01-15'],
    ['03/04/2025', [], '2025-03-04'],
    ['03/04/2025', ['DD/MM/YYYY'], '2025-04-03'],
    ['4.3.2025', ['D.M.YYYY'], '2025-03-04'],
    ['2025-02-30', [], null],
    ['2025-01-15', ['DD/MM/YYYY'], null],
    ['soon', [], null],
    ['15-Foo-2025', [], null],
    ['x', ['YYYY YYYY'], null],
    [20250115, [], null],
  ] as [unknown, string[], string | null][])('%j by %j is %s', (text, formats, day) => {
    expect(readDate(text, formats)).toBe(day);
  });

  it('know every month by its name', () => {
    const names = 'january february march april may june july august september october november december';
    for (const [index, name] of names.split(' ').entries()) {
      const iso = `2025-${String(index + 1).padStart(2, '0')}-05`;
      expect(readDate(`05-${name.slice(0, 3)}-2025`, [])).toBe(iso);
      expect(readDate(`${name.toUpperCase()} 5, 2025`, ['MMMM D, YYYY'])).toBe(iso);
    }
    expect(readDate('05-Sept-2025', [])).toBe('2025-09-05');
    expect(readDate('05-janu-2025', [])).toBeNull();
  });

  it.each([
    ['2025-01-15T10:20:30', '2025-01-15'],
    ['2025-01-15T10:20:30.5Z', '2025-01-15'],
    ['2025-01-15T10:20:30+0100', '2025-01-15'],
    ['2025-01-15T10:20', null],
    ['01-15-2025', '2025-01-15'],
    ['15-01-2025', '2025-01-15'],
    [' 2025-01-15\n', '2025-01-15'],
    ['2025-01-15 or so', null],
    ['on 2025-01-15', null],
    ['2025/01/15', null],
    ['1/15/2025', null],
  ])('are usually written in one of a few ways: %j is %s', (text, day) => {
    expect(readDate(text, [])).toBe(day);
  });

  it('need a year and a day, and take signs for themselves', () => {
    expect(readDate('01-2025', ['MM-YYYY'])).toBeNull();
    expect(readDate('01-15', ['MM-DD'])).toBeNull();
    expect(readDate('15', ['DD'])).toBeNull();
    expect(readDate('15x01x2025', ['DD.MM.YYYY'])).toBeNull();
    expect(readDate('(15) 1+2025', ['(DD) M+YYYY'])).toBe('2025-01-15');
    expect(readDate('15-01-2025', ['DD.MM.YYYY', 'DD-MM-YYYY'])).toBe('2025-01-15');
  });

  it('are the same in whatever way they are written', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10);
          const [year, month, day] = iso.split('-');
          expect(readDate(`${day}/${month}/${year}`, ['DD/MM/YYYY'])).toBe(iso);
          expect(readDate(date.toISOString(), [])).toBe(iso);
        },
      ),
    );
  });
});
