import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { golden, lineRatio } from '../../src/check/kinds/golden.ts';

/** The plain table of the longest common run, as slow and as clear as can be. */
function byTable(a: readonly string[], b: readonly string[]): number {
  const rows = [new Array<number>(b.length + 1).fill(0)];
  for (const line of a) {
    const above = rows.at(-1) ?? [];
    const row = [0];
    for (const [at, other] of b.entries())
      row.push(line === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0));
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

describe('likeness of lines', () => {
  it.each([
    ['', '', 1],
    ['a\n', '', 0],
    ['a\nb\nc\n', 'a\nb\nc\n', 1],
    ['a\nb\nc\n', 'a\nx\nc\n', 2 / 3],
    // Without its line break the last line is another one.
    ['a\nb\n', 'a\nb', 1 / 2],
    ['a\r\nb\r\n', 'a\nb\n', 0],
    ['a\rb\r', 'a\rb\r', 1],
    ['a\nb\n', 'b\na\n', 1 / 2],
    ['\n\n', '\n', 2 / 3],
    // All of a last line counts.
    ['ab', 'xb', 0],
    ['ab', 'ab', 1],
  ])('%j and %j: %d', (a, b, ratio) => {
    expect(lineRatio(a, b)).toBeCloseTo(ratio, 12);
  });

  it('is twice the longest common run over all lines', () => {
    const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const total = a.length + b.length;
        const expected = total === 0 ? 1 : (2 * byTable(a, b)) / total;
        expect(lineRatio(a.join(''), b.join(''))).toBeCloseTo(expected, 12);
      }),
    );
  });
});

describe('a golden file', () => {
  const options = { path: 'golden/a.txt', text: 'one\ntwo\n', ignoreSpace: false };

  it('gives a score', () => {
    expect(golden(options, 'one\nthree\n', 'the answer')).toEqual({
      verdict: 'FAIL',
      score: 0.5,
      message: 'the answer is like golden/a.txt by 0.50',
    });
  });

  it('holds or does not where a likeness is asked for', () => {
    expect(golden({ ...options, least: 0.6 }, 'one\nthree\n', 'the answer')).toEqual({
      verdict: 'FAIL',
      message: 'the answer is like golden/a.txt by 0.50, not by 0.6',
    });
    expect(golden({ ...options, least: 0.5 }, 'one\nthree\n', 'the answer')).toEqual({
      verdict: 'PASS',
      message: 'the answer is like golden/a.txt by 0.50',
    });
  });

  it('is not said to be more like it than it is', () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `${at}\n`);
    const text = lines.join('');
    const other = [...lines.slice(0, 899), ...lines.slice(899).map((it) => `x${it}`)].join('');
    expect(golden({ ...options, text, least: 0.9 }, other, 'the answer').message).toBe(
      'the answer is like golden/a.txt by 0.89, not by 0.9',
    );
  });

  it('may overlook space', () => {
    const spaced = '  one \r\n\ttwo\r\n';
    expect(golden(options, spaced, 'the answer').score).toBe(0);
    const loose = { ...options, ignoreSpace: true };
    expect(golden(loose, spaced, 'the answer').score).toBe(1);
    expect(golden(loose, 'one\nthree\n', 'the answer').score).toBe(0.5);
    const words = { ...loose, text: 'one  \t two\n' };
    expect(golden(words, 'one two\n', 'the answer').score).toBe(1);
    expect(golden(words, 'onetwo\n', 'the answer').score).toBe(0);
    expect(golden(words, 'three four\n', 'the answer').score).toBe(0);
  });

  it('that is not there decides nothing', () => {
    expect(golden({ ...options, text: null }, 'one', 'the answer')).toEqual({
      verdict: 'SKIP',
      message: 'the golden file golden/a.txt is not there',
    });
  });

  it('gives up on texts that have nothing in common and no end', () => {
    const long = (word: string) => Array.from({ length: 60_000 }, (_, at) => `${word}${at}\n`).join('');
    expect(golden({ ...options, text: long('a') }, long('b'), 'the answer')).toEqual({
      verdict: 'SKIP',
      message: 'the answer and golden/a.txt are too long and too different to be compared',
    });
  });
});
