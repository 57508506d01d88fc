/** Where a quote of the judge stands in a text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuotes } from '../../src/viewer/highlight.ts';

const marked = (text: string, ...quotes: string[]) =>
  findQuotes(text, quotes).map(({ from, to }) => text.slice(from, to));

describe('quotes', () => {
  it.each([
    ['as it is', 'say hello to all', ['hello'], ['hello']],
    ['over line ends', 'one two\n   three four', ['two three'], ['two\n   three']],
    ['with other quotation marks', 'the “big” one', ['the "big" one'], ['the “big” one']],
    ['with an ellipsis', 'alpha beta gamma delta', ['alpha … gamma'], ['alpha', 'gamma']],
    ['with pieces in their order only', 'gamma then alpha', ['alpha … gamma'], []],
    [
      'escaped in the text',
      String.raw`{"a": "say \"hi\"\nthere"}`,
      ['say "hi" there'],
      [String.raw`say \"hi\"\nthere`],
    ],
    ['escaped in the quote', 'say "hi"', [String.raw`say \"hi\"`], ['say "hi"']],
    ['escaped twice', String.raw`x \\\"deep\\\" y`, ['"deep"'], [String.raw`\\\"deep\\\"`]],
    ['twice as one', 'aaa bbb ccc', ['aaa bbb', 'bbb ccc'], ['aaa bbb ccc']],
    ['not when it is not there', 'something', ['anything'], []],
    ['not when it is two letters', 'it is', ['it'], []],
  ])('are found %s', (_, text, quotes, expected) => {
    expect(marked(text, ...quotes)).toEqual(expected);
  });

  it('that are copied from a text are found in it', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\n', '"', '”', '\\', 'n', 'ü', '😀'),
      minLength: 5,
    });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (all, start, length) => {
        const from = start % all.length;
        const quote = all.slice(from, from + 4 + (length % all.length));
        fc.pre(quote.trim().length >= 4);
        expect(findQuotes(all, [quote]).length).toBeGreaterThan(0);
      }),
    );
  });

  it('never overlap, and never leave the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 3 })), (text, quotes) => {
        let last = 0;
        for (const { from, to } of findQuotes(text, [...quotes, text.slice(1, 5), text.slice(3, 9)])) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(text.length);
          last = to;
        }
      }),
    );
  });
});
