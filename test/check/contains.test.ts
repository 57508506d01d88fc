import { describe, expect, it } from 'vitest';
import { contains, notContains } from '../../src/check/kinds/contains.ts';

describe('contains', () => {
  it('passes when every text is there', () => {
    expect(contains(['a', 'b c'], 'b c and a', 'stdout')).toMatchObject({ verdict: 'PASS' });
  });

  it('names all that is missing and points at the first', () => {
    expect(contains(['a', 'x', 'y "q"'], 'a', 'stdout')).toMatchObject({
      verdict: 'FAIL',
      message: 'stdout does not contain "x", "y \\"q\\""',
      at: [1],
    });
  });

  it('is exact: case and white space count', () => {
    expect(contains(['Hello'], 'hello', 'stdout').verdict).toBe('FAIL');
    expect(contains(['a  b'], 'a b', 'stdout').verdict).toBe('FAIL');
  });
});

describe('notContains', () => {
  it('passes when none is there', () => {
    expect(notContains(['ERROR'], 'fine', 'stderr')).toMatchObject({ verdict: 'PASS' });
    expect(notContains(['ERROR'], 'error', 'stderr')).toMatchObject({ verdict: 'PASS' });
  });

  it('does not pass on a text that is not whole', () => {
    expect(notContains(['ERROR'], 'fine', 'the output', 'the rest was cut')).toMatchObject({
      verdict: 'FAIL',
      message: 'the output is not known to its end, so it may contain "ERROR": the rest was cut',
    });
    expect(notContains([], 'fine', 'the output', 'the rest was cut')).toMatchObject({ verdict: 'PASS' });
  });

  it('says which one is there, and on which line', () => {
    expect(notContains(['ERROR'], 'ERROR', 'it', 'the rest was cut').message).toBe(
      'it contains "ERROR" (line 1)',
    );
    expect(notContains(['WARN', 'ERROR'], 'ok\nERROR: x', 'stderr')).toMatchObject({
      verdict: 'FAIL',
      message: 'stderr contains "ERROR" (line 2)',
      at: [1],
    });
  });
});
