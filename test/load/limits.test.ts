import { describe, expect, it } from 'vitest';
import { decode } from '../../src/load/decode.ts';
import { parseFrontmatter } from '../../src/load/frontmatter.ts';
import { parseJson } from '../../src/load/json.ts';
import { parseYaml } from '../../src/load/yaml.ts';
import { SCHEMAS } from '../../src/model/schemas.ts';

/** As much as a file may hold. */
const SIZE = 4 * 1024 * 1024;
/** Generous: alone, each takes a second or two at most. */
const TIMEOUT = 30_000;

function full(unit: string, before = '', after = ''): string {
  return before + unit.repeat(Math.floor((SIZE - before.length - after.length) / unit.length)) + after;
}

/** Lines until the text is full. */
function lines(line: (index: number) => string): string {
  const all: string[] = [];
  for (let size = 0; size < SIZE; size += all.at(-1)?.length ?? 0) all.push(`${line(all.length)}\n`);
  return all.join('');
}

describe('the longest and worst JSON is dealt with', () => {
  it.each([
    ['brackets', full('[')],
    ['braces', full('{')],
    ['maps in maps', full('{"a":')],
    ['brackets behind a comment', full('[', '/*"*/')],
    ['brackets that are closed wrongly', full('[{]},')],
    ['brackets that close nothing', full(']')],
    ['words', full('x ')],
    ['comments', full('//\n')],
    ['quotes', full('"')],
    ['backslashes', full('\\', '"')],
    ['a list', full('0,', '[', '0]')],
    ['a map', `{${lines((i) => `"k${i}": 0,`)}"z": 0}`],
    ['a key again and again', full('"a":0,', '{', '"a":0}')],
    ['white space', full(' \n')],
  ])(
    '%s',
    (_, text) => {
      const { value, diagnostics } = parseJson(text, 'a.json');
      expect(value).toBeUndefined();
      expect(diagnostics.length).toBeLessThanOrEqual(101);
    },
    TIMEOUT,
  );

  it('one long text is no problem', () => {
    expect(parseJson(full('a', '"', '"'), 'a.json')).toMatchObject({ diagnostics: [] });
  });
});

describe('the longest and worst YAML is dealt with', () => {
  it.each([
    ['brackets', full('[')],
    ['braces', full('{')],
    ['lists in lists', full('- ')],
    ['keys in keys', full('? ')],
    ['maps in maps on one line', full('a: ')],
    ['maps in maps', lines((i) => `${' '.repeat(i)}a:`)],
    ['a list', full('- 0\n')],
    ['a flow list', full('0,', '[', '0]')],
    ['a map', lines((i) => `k${i}: 0`)],
    ['a key again and again', full('k: 0\n')],
    ['brackets that close nothing', full(']\n')],
    ['quotes', full('"a" ')],
    ['wrong escapes', full('\\q', '"', '"')],
    ['wrong escapes, as many as are looked at', `"${'\\q'.repeat(199_000)}"`],
    ['errors, as many as are looked at', '"" '.repeat(66_000)],
    ['documents', full('---\na\n')],
    ['directives', full('%a\n')],
    ['anchors without end', full('&a ')],
    ['aliases', full('- *a\n', '- &a 0\n')],
    ['aliases of aliases', lines((i) => `a${i}: &a${i} [*a${Math.max(i - 1, 0)}]`)],
    [
      'a long list that is repeated',
      `${full('0,', '- &a [', '0]\n').slice(0, 200_000)}]\n${'- *a\n'.repeat(99)}`,
    ],
    ['an open text', full('a\n', '"')],
    ['an open list', full('a\n', '[')],
    ['a long key', full('a', '', ': 1')],
  ])(
    '%s',
    (_, text) => {
      const { value, diagnostics } = parseYaml(text, 'a.yaml');
      expect(value).toBeUndefined();
      expect(diagnostics.length).toBeLessThanOrEqual(101);
    },
    TIMEOUT,
  );

  it.each([
    ['one long word', full('a')],
    ['a long block of text', full(' x\n', 'a: |\n')],
    ['folded text', full(' x\n', 'a: >\n')],
    ['a text over many lines', full(' x\n', 'a:\n')],
    ['white space', full(' ')],
  ])(
    '%s is no problem',
    (_, text) => {
      expect(parseYaml(text, 'a.yaml')).toMatchObject({ diagnostics: [] });
    },
    TIMEOUT,
  );
});

describe('the longest and worst Markdown is dealt with', () => {
  it.each([
    ['dashes', full('---\n')],
    ['dashes that do not close', full('--\n', '---\n')],
    ['spaces before a tab that is not there', full(' ', '---\n', '\n---\n')],
    ['line ends', full('\n')],
  ])('%s', (_, text) => {
    expect(parseFrontmatter(text, 'a.md').diagnostics).toHaveLength(1);
  });

  it('a long body is no problem', () => {
    const text = full('[a](b) `c`\n', '---\nname: a\n---\n');
    expect(parseFrontmatter(text, 'a.md')).toMatchObject({ diagnostics: [], value: { name: 'a' } });
  });
});

describe('the longest documents that are read are decoded', () => {
  const many = (count: number, item: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => item(i)).join();

  it.each([
    ['wrong items', 'manifest', `{"name":"a","version":"1.0.0","keywords":[${many(99_000, () => '0')}]}`],
    [
      'unknown keys',
      'manifest',
      `{"name":"a","version":"1.0.0",${many(49_000, (i) => `"permission${i}":0`)}}`,
    ],
    [
      'wrong keys',
      'manifest',
      `{"name":"a","version":"1.0.0","dependencies":{${many(49_000, (i) => `"K${i}":0`)}}}`,
    ],
    ['unions', 'mcp-servers', `{"servers":{${many(20_000, (i) => `"s${i}":{"x":0}`)}}}`],
    ['missing keys', 'lock', `{"lockVersion":2,"resolved":{${many(30_000, (i) => `"s${i}":{}`)}}}`],
  ] as const)(
    '%s',
    (_, name, text) => {
      const { diagnostics } = decode(SCHEMAS[name].schema, parseJson(text, 'a.json'));
      expect(diagnostics.length).toBeGreaterThan(100);
      expect(diagnostics.length).toBeLessThanOrEqual(202);
    },
    TIMEOUT,
  );
});
