/** Where a quote just stands in the material, and where it just does not. */
import { describe, expect, it } from 'vitest';
import { cut } from '../../src/judge/cut.ts';
import { createLibrary, findQuote } from '../../src/judge/quotes.ts';

const pages = (text: string) => createLibrary([{ title: 'x', text, deeds: [] }]).all;
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`);

describe('an ellipsis', () => {
  it('stands for up to 500 characters', () => {
    const apart = (length: number) => pages(`alpha ${'x'.repeat(length - 2)} omega`);
    expect(findQuote('alpha … omega', apart(500))).toBe('found');
    expect(findQuote('alpha … omega', apart(501))).toBe('missing');
  });

  it('joins up to twenty pieces, each of four characters or more', () => {
    const text = pages(words(21).join(' and '));
    expect(findQuote(words(20).join(' ... '), text)).toBe('found');
    expect(findQuote(words(21).join(' ... '), text)).toBe('missing');
    expect(findQuote('then … last', pages('now, then, the last'))).toBe('found');
    expect(findQuote('now … last', pages('now, then, the last'))).toBe('too-short');
  });

  it('does not let pieces overlap, nor one of them count twice', () => {
    expect(findQuote('alpha beta … beta gamma', pages('alpha beta gamma'))).toBe('missing');
    expect(findQuote('alpha … alpha', pages('alpha and beta'))).toBe('missing');
    expect(findQuote('alpha … alpha', pages('alpha and alpha'))).toBe('found');
  });

  it.each(['the first. the last', 'the first.. the last'])('is not written as %j', (quote) => {
    expect(findQuote(quote, pages('the first, more, the last'))).toBe('missing');
  });

  it.each(['the first.... the last', 'the first [...] the last', '… the first … the last …'])(
    'may be written as %j',
    (quote) => {
      expect(findQuote(quote, pages('the first, more, the last'))).toBe('found');
    },
  );
});

describe('a short quote', () => {
  it.each([
    ['done', 'found'],
    ['now', 'too-short'],
    ['a b c 1', 'found'],
    ['€', 'too-short'],
    ['()', 'missing'],
  ])('%j is %s', (quote, result) => {
    expect(findQuote(quote, pages('it is done by now: a b c 1 for 5 € ()'))).toBe(result);
  });

  it('is enough where it is all there is, of an exhibit or of a deed', () => {
    expect(findQuote('ok', pages(' ok\n'))).toBe('found');
    const library = createLibrary([{ title: 'x', text: 'ok\nno', deeds: ['ok', 'no'] }]);
    expect(findQuote('ok', library.all)).toBe('too-short');
    expect(findQuote('ok', library.deeds)).toBe('too-short');
    const whole = createLibrary([{ title: 'x', text: 'ok', deeds: ['ok'] }]);
    expect(findQuote('ok', whole.deeds)).toBe('found');
  });
});

describe('the bounds of words', () => {
  it.each([
    ['beginning of a text', 'done now', 'done', 'found'],
    ['end of a text', 'now done', 'done', 'found'],
    ['a sign', '(done)', 'done', 'found'],
    ['an emoji', '😀done😀', 'done', 'found'],
    ['a letter before', 'undone', 'done', 'missing'],
    ['a letter behind', 'donee', 'done', 'missing'],
    ['a digit', '1done', 'done', 'missing'],
    ['an underscore', 'done_', 'done', 'missing'],
    ['a letter of two halves before', '𝐀done', 'done', 'missing'],
    ['a letter of two halves behind', 'done𝐀', 'done', 'missing'],
    ['a script without spaces before', '完了done', 'done', 'found'],
    ['a script without spaces behind', 'done完了', 'done', 'found'],
    ['a later place', 'undone, done', 'done', 'found'],
    ['a sign as its edge', 'a-done', '-done', 'found'],
  ])('are told by %s', (_, text, quote, result) => {
    expect(findQuote(quote, pages(`${text}`))).toBe(result);
  });
});

it('takes the edge of a cut for no bound, also in a script without spaces', () => {
  const page = pages(cut(`任务已经完成了${'x'.repeat(100)}没有任何错误`, 10));
  expect(findQuote('任务已经', page)).toBe('found');
  expect(findQuote('任务已经完', page)).toBe('missing');
  expect(findQuote('任何错误', page)).toBe('found');
  expect(findQuote('有任何错误', page)).toBe('missing');
});

describe('escapes', () => {
  const escaped = (text: string, levels: number): string =>
    levels === 0 ? text : escaped(JSON.stringify(text), levels - 1);

  it('are taken off up to three times', () => {
    const text = 'he said "well done" to us';
    expect(findQuote('"well done"', pages(escaped(text, 3)))).toBe('found');
    expect(findQuote('said "well done" to', pages(escaped(text, 5)))).toBe('missing');
  });

  it.each([
    [String.raw`caf\u00e9 is open`, 'café is open'],
    [String.raw`one\ttwo\nthree\rfour\bfive\fsix`, 'one two three four five six'],
    [String.raw`https:\/\/example.org`, 'https://example.org'],
    [String.raw`a \q is kept`, String.raw`a \q is kept`],
  ])('of %j are read', (text, quote) => {
    expect(findQuote(quote, pages(text))).toBe('found');
  });
});
