import { describe, expect, it } from 'vitest';
import { compilePattern, patternProblem } from '../../src/model/pattern.ts';

function matches(pattern: string, text: string): boolean {
  return compilePattern(pattern, '', 'rust').test(text);
}

describe('patterns of Rust', () => {
  it.each([
    // Flags for the whole, for the rest, and for a group.
    ['(?i)total', 'TOTAL', true],
    ['total', 'TOTAL', false],
    ['a(?i)b', 'aB', true],
    ['a(?i)b', 'AB', false],
    ['a(?i)b|c', 'C', true],
    ['(?i:a)b', 'Ab', true],
    ['(?i:a)b', 'AB', false],
    ['(?i)a(?-i)b', 'Ab', true],
    ['(?i)a(?-i)b', 'AB', false],
    ['((?i)a)b', 'AB', false],
    ['(?i:[a-c])x', 'Bx', true],
    ['(?i:[^a-c])x', 'Bx', false],
    ['(?i)straße', 'STRAßE', true],
    ['(?i:ä)o', 'Äo', true],
    ['(?s)a.b', 'a\nb', true],
    ['a.b', 'a\nb', false],
    ['a.b', 'a\rb', true],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['(?m)^$', 'a\n\nb', true],
    ['a$', 'a\n', false],
    ['(?x) a b # and so on\n c', 'abc', true],
    ['(?x) a\\ b', 'a b', true],
    ['(?x)[ a b ]+$', 'ab', true],
    ['(?x)[ a b ]', ' ', false],
    ['(?is)a.B', 'A\nb', true],
    ['(?U)a+', 'aa', true],
    ['^(?-u:\\w)$', 'é', false],
    ['^\\w$', 'é', true],
    // What else is written in another way.
    ['(?P<year>\\d{4})', '1999', true],
    ['(?<year>\\d{ 4 })', '1999', true],
    ['\\Aab\\z', 'ab', true],
    ['\\Aab\\z', 'ab\n', false],
    ['\\bfoo\\b', 'a foo.', true],
    ['\\bfoo\\b', 'afoo', false],
    ['\\bé', 'xé', false],
    ['\\b{start}foo\\b{end}', 'foo', true],
    ['\\<foo\\>', 'foot', false],
    ['\\d', '٣', true],
    ['\\s', '\u00a0', true],
    ['\\x41\\x{1F600}\\u{42}', 'A😀B', true],
    ['^.$', '😀', true],
    ['\\!\\%\\-\\"\\#', '!%-"#', true],
    ['a}b]', 'a}b]', true],
    ['a**', 'aaa', true],
    ['^*a', 'a', true],
    ['(?:)|x', '', true],
    // What a repeated group holds is the same in every turn.
    ['^(?:[^,]+,)+$', 'a,b,', true],
    ['^(?:[^,]+,)+$', ',,', false],
    ['(?i)(?:step \\d.*\\n){2}', 'Step 1: a\nStep 2: b\n', true],
    ['^(?:\\D\\S\\W){2}$', 'ab-cd-', true],
    ['^(?:[[:^digit:]]-){2}$', 'a-b-', true],
    ['^(?:[^\\W]-){2}$', 'a-b-', true],
    ['(?m)(?:^x$\\n){2}', 'x\nx\n', true],
    // Classes.
    ['[--b-z]', '-', true],
    ['[--b-z]', 'A', false],
    ['[^---]', '-', false],
    ['[]a]', ']', true],
    ['[^]a]', ']', false],
    ['[a-]', '-', true],
    ['[.*(){}|^$/&~]', '~', true],
    ['^[a-z&&[^aeiou]]+$', 'xyz', true],
    ['^[a-z&&[^aeiou]]+$', 'xaz', false],
    ['^[a-z--x]$', 'x', false],
    ['^[a-c~~b-d]$', 'b', false],
    ['^[a-c~~b-d]$', 'd', true],
    ['^[[:alpha:]_]+$', 'ab_', true],
    ['^[[:^digit:]]$', '1', false],
    ['^[\\d\\-x]+$', '1-x', true],
    ['^[\\D]$', '1', false],
    ['\\p{Greek}', 'λ', true],
    ['\\p{greek}', 'λ', true],
    ['\\pL', '1', false],
    ['\\p{Lu}', 'a', false],
    ['\\P{Lu}', 'a', true],
    ['\\p{^Lu}', 'a', true],
    ['\\p{sc=Cyrillic}', 'ж', true],
    ['[\\p{L}\\d]', '!', false],
  ])('%j on %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it.each([
    ['(?=a)', 'looking ahead or behind is not part of Rust’s patterns'],
    ['(?<!a)b', 'looking ahead or behind is not part of Rust’s patterns'],
    ['(a)\\1', 'back-references and octal numbers are not part of Rust’s patterns'],
    ['a\\Z', '\\Z has no meaning in Rust’s patterns'],
    ['a\\', 'the pattern ends with a backslash'],
    ['(a', 'a group is not closed: ) is missing'],
    ['(?i', 'a group is not closed: ) is missing'],
    ['a)', 'a closing ) has no opening one'],
    ['[a', 'a class of characters is not closed: ] is missing'],
    ['[]', 'a class of characters is not closed: ] is missing'],
    ['[z-a]', 'a range of characters goes backwards'],
    ['[a-\\d]', 'a range must go from a character to a character'],
    ['[[:letter:]]', '[:letter:] is not a known class'],
    ['[\\b]', 'a class of characters holds an assertion, such as \\b'],
    ['*a', 'there is nothing before the repetition'],
    ['a|*', 'there is nothing before the repetition'],
    ['(?i)*', 'there is nothing before the repetition'],
    ['a{x}', '{x} is not a number of repetitions'],
    ['a{,3}', '{,3} is not a number of repetitions'],
    ['a{2', 'a repetition in braces is not closed'],
    ['(?q)a', '(?q is not a known flag'],
    ['(?<1a>b)', '1a cannot be the name of a group'],
    ['\\p{Elvish}', '\\p{Elvish} is not a known property of characters'],
    ['\\x{110000}', '\\x110000 is not the number of a character'],
  ])('%j does not compile: %s', (pattern, problem) => {
    expect(patternProblem(pattern, '', 'rust')).toBe(problem);
  });

  it('are bounded in depth', () => {
    expect(patternProblem(`${'('.repeat(5000)}a${')'.repeat(5000)}`, '', 'rust')).toBe(
      'groups are nested too deeply',
    );
  });
});
