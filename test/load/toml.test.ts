import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parseToml } from '../../src/load/toml.ts';
import type { Path } from '../../src/model/diagnostic.ts';
import { findingLine } from '../helpers/package.ts';

const DOCUMENT = `# a comment with [brackets]
schema_version = 1
title = "a # b = c"
long = """
[not.a.table]
x = 1"""
raw = '''it's ""' '''

[defaults]
tags = ["a", # one
  "b"]
when = 1999-01-02 03:04:05Z

[[cases]]
id = "x/one"
input.messages = [{ role = "user", content = "hi" }]

[cases.expected]
output = [
  { kind = "contains", "value" = 'v' },
]

[[cases]]
"id" = "x/two"

[[cases.steps]]
name = "first"
[[cases.steps]]
name = "second"
`;

describe('TOML', () => {
  it.each([
    [['schema_version'], '2:18'],
    [['title'], '3:9'],
    [['raw'], '7:7'],
    [['defaults'], '9:1'],
    [['defaults', 'tags', 1], '11:3'],
    [['defaults', 'when'], '12:8'],
    [['cases', 0], '14:1'],
    [['cases', 0, 'id'], '15:6'],
    [['cases', 0, 'input', 'messages', 0, 'content'], '16:46'],
    [['cases', 0, 'expected', 'output', 0, 'kind'], '20:12'],
    [['cases', 1, 'id'], '24:8'],
    [['cases', 1, 'steps', 1, 'name'], '29:8'],
    // What is not there stands where its parent does.
    [['cases', 1, 'expected', 'output'], '23:1'],
  ] as [Path, string][])('knows where %j stands', (path, place) => {
    const { at, diagnostics } = parseToml(DOCUMENT, 'a.toml');
    expect(diagnostics).toEqual([]);
    const { line, column } = at(path);
    expect(`${line}:${column}`).toBe(place);
  });

  it('points at keys too', () => {
    const { at } = parseToml(DOCUMENT, 'a.toml');
    expect(at(['cases', 0, 'expected', 'output', 0, 'value'], 'key')).toEqual({ line: 20, column: 24 });
  });

  it('has dates as texts', () => {
    const { value } = parseToml('when = 1999-01-02\n', 'a.toml');
    expect(value).toEqual({ when: '1999-01-02' });
  });

  it.each([
    ['a = ', 'error a.toml:1:'],
    ['a = 1\na = 2\n', 'error a.toml:2:'],
    ['a = "x\n', 'error a.toml:1:'],
  ])('%j is refused with its place', (text, beginning) => {
    const { value, diagnostics } = parseToml(text, 'a.toml');
    expect(value).toBeUndefined();
    expect(diagnostics.map(findingLine).join('\n')).toContain(beginning);
  });

  it('is refused where it is nested too deeply', () => {
    const tables = `[${Array.from({ length: 150 }, () => 'a').join('.')}]\n`;
    const lists = `a = ${'['.repeat(150)}${']'.repeat(150)}\n`;
    for (const text of [tables, lists])
      expect(parseToml(text, 'a.toml').diagnostics.map(({ rule }) => rule)).toEqual(['too-deep']);
  });

  it('has a place for every value, whatever is written', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const document = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('table')),
      table: fc.dictionary(fc.string(), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    })).table as fc.Arbitrary<Record<string, unknown>>;
    fc.assert(
      fc.property(document, (it) => {
        const text = stringify(it);
        const { at, value } = parseToml(text, 'a.toml');
        expect(value).toEqual(JSON.parse(JSON.stringify(parse(text))));
        const lines = text.split('\n');
        for (const [path, leaf] of leaves(value, [])) {
          const { line, column } = at(path);
          const there = lines[line - 1]?.slice(column - 1) ?? '';
          const shown =
            typeof leaf === 'string' ? /^["']/ : new RegExp(`^${String(leaf).replaceAll(/[+.]/g, '\\$&')}`);
          expect(there, `${JSON.stringify(path)} in\n${text}`).toMatch(shown);
        }
      }),
    );
  });
});

function leaves(value: unknown, path: Path): [Path, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, field]) =>
    leaves(field, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
