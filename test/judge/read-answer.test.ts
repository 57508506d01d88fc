/** Answers of a judge: which ones can be used, and what is said about the others. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut } from '../../src/judge/cut.ts';
import { digest } from '../../src/judge/digest.ts';
import { createLibrary, findQuote } from '../../src/judge/quotes.ts';
import { readAnswer } from '../../src/judge/read-answer.ts';
import { GOOD, QUESTION, verdict } from './helpers.ts';

const read = (value: unknown) => readAnswer(value, QUESTION.criteria, createLibrary(digest(QUESTION)));
const problems = (value: unknown) => {
  const result = read(value);
  return result.usable ? [] : result.problems;
};
const withFirst = (...evidence: string[]) => ({
  criteria: [verdict('greets', 'PASS', evidence), verdict('file', 'PASS')],
});

describe('readAnswer', () => {
  it('takes a good answer, in the order of the criteria', () => {
    expect(read(GOOD)).toEqual({ usable: true, criteria: GOOD.criteria });
    expect(read({ criteria: GOOD.criteria.toReversed() })).toEqual({ usable: true, criteria: GOOD.criteria });
  });

  it.each([
    null,
    'PASS',
    [],
    {},
    { criteria: 'PASS' },
    { criteria: [{ id: 'greets', verdict: 'PASS' }] },
    { ...GOOD, verdict: 'PASS' },
    { criteria: GOOD.criteria.map((it) => ({ ...it, verdict: 'pass' })) },
    { criteria: GOOD.criteria.map((it) => ({ ...it, score: 1 })) },
  ])('refuses %j', (value) => {
    expect(problems(value)[0]).toMatch(/^the answer does not have the required form: /);
  });

  it('wants each id once and no other', () => {
    const [greets, file] = GOOD.criteria;
    expect(problems({ criteria: [greets] })).toEqual(['criterion "file" has no verdict']);
    expect(problems({ criteria: [greets, file, file] })).toEqual([
      'criterion "file" has more than one verdict',
    ]);
    expect(problems({ criteria: [greets, file, verdict('total', 'PASS')] })).toEqual([
      '"total" is not the id of a criterion',
    ]);
    expect(problems({ criteria: [] })).toHaveLength(2);
  });

  it('wants evidence for PASS, and none for FAIL', () => {
    expect(problems(withFirst())).toEqual(['criterion "greets": PASS without evidence']);
    const fail = { criteria: [verdict('greets', 'FAIL', []), verdict('file', 'PASS')] };
    expect(read(fail).usable).toBe(true);
  });

  it('refuses quotes that were not shown, for PASS and FAIL', () => {
    const missing = 'criterion "greets": "Goodbye" does not stand in the material';
    expect(problems(withFirst('Hello, World', 'Goodbye'))).toEqual([missing]);
    const fail = { criteria: [verdict('greets', 'FAIL', ['Goodbye']), verdict('file', 'PASS')] };
    expect(problems(fail)).toEqual([missing]);
    expect(problems(withFirst(' \n'))).toEqual(['criterion "greets": a passage of the evidence is empty']);
  });

  it('refuses what is too short to show anything, and what gives no reason', () => {
    expect(problems(withFirst('to'))).toEqual(['criterion "greets": "to" is too short to show anything']);
    const [greets, file] = GOOD.criteria;
    const silent = { ...greets, verdict: 'FAIL', reason: ' \n' };
    expect(problems({ criteria: [silent, file] })).toEqual(['criterion "greets": there is no reason']);
  });

  it('names a stranger once, and no more than twenty problems', () => {
    const total = verdict('total', 'FAIL', []);
    expect(problems({ criteria: [...GOOD.criteria, total, total] })).toEqual([
      '"total" is not the id of a criterion',
    ]);
    const many = Array.from({ length: 30 }, (_, index) => verdict(`c${index}`, 'FAIL', []));
    expect(problems({ criteria: many })).toHaveLength(20);
    expect(problems({ criteria: many.slice(0, 18) })).toHaveLength(20);
    expect(problems({ criteria: many.slice(0, 17) })).toHaveLength(19);
  });

  it('says where an answer has another form', () => {
    const wrong = 'the answer does not have the required form: ';
    expect(problems(null)[0]).toContain(`${wrong}answer: `);
    const [greets, file] = GOOD.criteria;
    expect(problems({ criteria: [greets, { ...file, verdict: 'pass' }] })).toEqual([
      expect.stringContaining(`${wrong}criteria.1.verdict: `),
    ]);
    for (const entry of [null, 'PASS', 7, ['PASS']])
      expect(problems({ criteria: [greets, entry] })[0]).toContain(`${wrong}criteria.1: `);
  });

  it('refuses a PASS that quotes only the task, the criteria or the instructions', () => {
    expect(problems(withFirst('Greet the world and keep'))).toEqual([
      'criterion "greets": PASS without evidence of what the agent did',
    ]);
    expect(read(withFirst('Greet the world', 'Hello, World')).usable).toBe(true);
    expect(problems(withFirst('The answer greets the world.'))[0]).toContain('does not stand in');
    expect(problems(withFirst('You are an examiner'))[0]).toContain('does not stand in');
  });

  it('never throws and takes nothing by chance', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(read(value).usable).toBe(false);
      }),
    );
  });
});

describe('findQuote', () => {
  const pages = (text: string) => createLibrary([{ title: 'the title', text, deeds: [text] }]).all;

  it.each([
    ['other white space', 'a  b\n\tc', 'a b c'],
    ['curly quotes', 'it’s “fine”', `it's "fine"`],
    ['another unicode form', 'cafe\u0301', 'café'],
    ['escapes that were taken off', String.raw`{"a":"one\ntwo \"three\""}`, 'one\ntwo "three"'],
    ['escapes that were put on', 'one\ntwo "three"', String.raw`one\ntwo \"three\"`],
    ['JSON in JSON', JSON.stringify(JSON.stringify({ a: 'one "two"' })), '{"a":"one "two""}'],
    ['a path with backslashes', String.raw`C:\new\table`, String.raw`C:\new\table`],
    ['an ellipsis', 'the first part, much more, the last part', 'the first ... last part'],
    ['an ellipsis in brackets', 'the first part, much more, the last part', 'the first […] last part'],
    ['an ellipsis that stands there', 'Loading... done', 'Loading... done'],
    ['an ellipsis at the end', 'Loading everything', 'Loading…'],
    ['all there is', '42\n', '42'],
    ['words of a script without spaces', '任务已经完成了', '已经完成'],
    [
      'an old sign of a cut that somebody wrote',
      'a1[… 12 characters cut …]b2',
      'a1[… 12 characters cut …]b2',
    ],
    ['what cannot be seen', 'done[U+200B] now', 'done\u200b now'],
  ])('finds a quote with %s', (_, text, quote) => {
    expect(findQuote(quote, pages(text))).toBe('found');
  });

  it.each([
    ['other words', 'a b c', 'a c', 'missing'],
    ['another case', 'Error', 'error', 'missing'],
    ['pieces in the wrong order', 'the first, the last', 'the last ... the first', 'missing'],
    ['short pieces', 'the first, the last', 'the ... the', 'too-short'],
    ['a short word', 'The answer is 4', '4', 'too-short'],
    ['few letters', 'It is { ok: 1 } now', '{ ok: 1 }', 'too-short'],
    ['dots alone', 'Loading... done', '...', 'missing'],
    ['a part of a word', 'Unsuccessful', 'successful', 'missing'],
    ['pieces that are parts of words', 'The tests do not pass', 'ests do ... pas', 'missing'],
    ['pieces far apart', `the first ${'x '.repeat(300)} the last`, 'the first ... the last', 'missing'],
    ['the title', 'x', 'the title', 'missing'],
    ['nothing', 'a', ' ', 'missing'],
  ])('does not find a quote with %s', (_, text, quote, result) => {
    expect(findQuote(quote, pages(text))).toBe(result);
  });

  it('does not look across two pieces of material', () => {
    const two = createLibrary([
      { title: 'one', text: 'the first part', deeds: ['the first part'] },
      { title: 'two', text: 'the last part', deeds: ['the last part'] },
    ]);
    expect(findQuote('the first part ... the last part', two.all)).toBe('missing');
  });

  it.each([
    'begin end',
    'begin ... end',
    'begin\u0000end',
    'begin\uf8ffend',
    String.raw`begin\u0000end`,
    'begin 9 characters end',
    'characters',
    'beg',
  ])('does not look across what was cut: %j', (quote) => {
    expect(findQuote(quote, pages(cut('beginMIDDLE!!!end it', 11)))).not.toBe('found');
  });

  it('takes neither edge of a cut for the bound of a word', () => {
    const page = pages(cut(`He was unable${'x'.repeat(100)}bypass it`, 18));
    expect(findQuote('He was', page)).toBe('found');
    expect(findQuote('pass it', page)).toBe('missing');
  });

  it('finds pieces by whichever of their places fit', () => {
    const page = pages(`alpha ${'x '.repeat(400)} alpha beta ${'y '.repeat(200)} beta gamma`);
    expect(findQuote('alpha ... beta ... gamma', page)).toBe('found');
  });

  it('finds every passage of what was shown, also as JSON', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (output, a, b) => {
        const [, shown] = digest({ ...QUESTION, output });
        const whole = shown?.text ?? '';
        const start = a % whole.length;
        const quote = whole.slice(start, start + 1 + (b % whole.length)).toWellFormed();
        // Half of a character is not in the text.
        fc.pre(/[\p{L}\p{N}]/u.test(quote.normalize('NFC')) && whole.includes(quote));
        const { all } = createLibrary(shown ? [shown] : []);
        // A normal form may join what stands before or behind the passage with it.
        fc.pre(whole.normalize('NFC').includes(quote.normalize('NFC')));
        fc.pre(
          (quote.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 4 &&
            !/^[\p{M}\p{L}\p{N}_]|[\p{L}\p{N}_]$/u.test(quote),
        );
        fc.pre(!/^\p{M}/u.test(whole.slice(start + quote.length)));
        expect(findQuote(quote, all)).toBe('found');
        fc.pre(!output.includes('\\'));
        expect(findQuote(JSON.stringify(quote).slice(1, -1), all)).toBe('found');
      }),
    );
  });
});
