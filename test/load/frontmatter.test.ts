import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../src/load/frontmatter.ts';
import { findingLine } from '../helpers/package.ts';

function mistakes(text: string): string[] {
  return parseFrontmatter(text, 'SKILL.md').diagnostics.map(findingLine);
}

describe('parseFrontmatter', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('separates frontmatter and body, with the lines of the file, with %s', (_, end) => {
    const text = ['---', 'name: a', 'metadata:', '  author: me', '--- ', '', '# Title', '---', 'x'].join(end);
    const { value, body, bodyLine, diagnostics, at } = parseFrontmatter(text, 'SKILL.md');
    expect(diagnostics).toEqual([]);
    expect(value).toEqual({ name: 'a', metadata: { author: 'me' } });
    expect(body).toBe('\n# Title\n---\nx');
    expect(bodyLine).toBe(6);
    expect(at(['name'])).toEqual({ line: 2, column: 7 });
    expect(at(['metadata', 'author'], 'key')).toEqual({ line: 4, column: 3 });
  });

  it.each([
    ['', '1:1 frontmatter: has no frontmatter'],
    ['# Title\n', '1:1 frontmatter: has no frontmatter'],
    ['\n---\nname: a\n---\n', '1:1 frontmatter: has no frontmatter'],
    [' ---\nname: a\n---\n', '1:1 frontmatter: has no frontmatter'],
    ['---\n---\n', '1:1 frontmatter: has frontmatter that is empty'],
    ['---\n# nothing\n\n---\nbody', '1:1 frontmatter: has frontmatter that is empty'],
  ])('explains what is missing in %j', (text, line) => {
    const how = 'begin the file with a line ---, then lines of key: value, then a line ---';
    expect(mistakes(text)).toEqual([`error SKILL.md:${line} (${how})`]);
    expect(parseFrontmatter(text, 'SKILL.md').value).toBeUndefined();
  });

  it.each([
    [
      '---\nname: a\nbody',
      '1:1 frontmatter: has frontmatter that is not closed (add a line with only --- after it)',
    ],
    ['---\nname: a\n  \tb: c\n---\n', '3:3 frontmatter: tabs must not be used for indentation (use spaces)'],
    [
      '---\nname: a\ndescription: Fix: it\n---\n',
      '3:14 syntax: there is a second "key: value" on this line (put the value in quotes if it contains a colon)',
    ],
    [
      '---\r\nname: a\r\nname: b\r\n---\r\n',
      '3:1 duplicate-key: the key "name" is there twice (remove one of them)',
    ],
    ['---\nname: "a\n---\n', '2:9 syntax: the text before this has no closing "'],
  ])('points into the file for %j', (text, line) => {
    expect(mistakes(text)).toEqual([`error SKILL.md:${line}`]);
  });

  it('leaves the whole text as the body when there is no frontmatter', () => {
    expect(parseFrontmatter('# Title\n', 'a.md')).toMatchObject({ body: '# Title\n', bodyLine: 1 });
  });
});
