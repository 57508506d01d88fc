import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/load/json.ts';
import { findingLine } from '../helpers/package.ts';

function mistakes(text: string): string[] {
  return parseJson(text, 'a.json').diagnostics.map(findingLine);
}

describe('parseJson', () => {
  it('reads a document and says where everything stands', () => {
    const text = '{\n  "name": "a",\n  "list": [1, { "deep": null }]\n}\n';
    const { value, diagnostics, at } = parseJson(text, 'a.json');
    expect(value).toEqual({ name: 'a', list: [1, { deep: null }] });
    expect(diagnostics).toEqual([]);
    expect(at([])).toEqual({ line: 1, column: 1 });
    expect(at(['name'])).toEqual({ line: 2, column: 11 });
    expect(at(['name'], 'key')).toEqual({ line: 2, column: 3 });
    expect(at(['list', 0])).toEqual({ line: 3, column: 12 });
    expect(at(['list', 1, 'deep'])).toEqual({ line: 3, column: 25 });
    expect(at(['list', 1, 'deep'], 'key')).toEqual({ line: 3, column: 17 });
  });

  it.each([
    ['a key that is not there', ['list', 1, 'other'], { line: 3, column: 15 }],
    ['an index that is not there', ['list', 7], { line: 3, column: 11 }],
    ['a key of a list', ['list', 'name'], { line: 3, column: 11 }],
    ['a part of a scalar', ['name', 'x', 3], { line: 2, column: 11 }],
    ['the key of an element', ['list', 0], { line: 3, column: 12 }],
  ])('points at the nearest thing above %s', (_, path, position) => {
    const text = '{\n  "name": "a",\n  "list": [1, { "deep": null }]\n}\n';
    expect(parseJson(text, 'a.json').at(path, 'key')).toEqual(position);
  });

  it.each([
    ['', '1:1 syntax: is empty'],
    [' \n\t\n ', '1:1 syntax: is empty'],
    ['{"a" 1}', '1:6 syntax: a colon is expected here'],
    ['{"a": 1 "b": 2}', '1:9 syntax: a comma is expected here'],
    ["{'a': 1}", '1:2 syntax: this is not JSON (keys and text stand in double quotes)'],
    ['{a: 1}', '1:2 syntax: this is not JSON (keys and text stand in double quotes)'],
    ['{"a": [1, 2}', '1:12 syntax: a comma is expected here'],
    ['{"a": 1', '1:8 syntax: a closing } is expected here'],
    ['{"a": [1', '1:9 syntax: a closing ] is expected here'],
    ['{"a": }', '1:7 syntax: a value is expected here'],
    ['{} {}', '1:4 syntax: the document should end here'],
    ['{\n  // why\n  "a": 1\n}', '2:3 syntax: comments are not allowed in JSON'],
    ['{\n  "a": 1,\n}', '3:1 syntax: there is a comma too many before this }'],
    ['[1, ]', '1:5 syntax: there is a comma too many before this ]'],
    ['["a]', '1:2 syntax: this string is not closed'],
    ['["\\q"]', '1:2 syntax: this string has an escape that does not exist in JSON'],
    ['["\\u12"]', '1:2 syntax: this \\u escape is not complete'],
    ['["\u0001"]', '1:2 syntax: control characters must be escaped in JSON strings'],
    ['[1.]', '1:2 syntax: this number is not complete'],
    ['[01]', '1:3 syntax: a comma is expected here'],
    ['[NaN]', '1:2 syntax: this is not JSON (keys and text stand in double quotes)'],
    ['\ufeff{}', '1:1 syntax: this is not JSON (keys and text stand in double quotes)'],
  ])('explains %j', (text, line) => {
    expect(mistakes(text)).toEqual([`error a.json:${line}`]);
    expect(parseJson(text, 'a.json').value).toBeUndefined();
  });

  it('reports the first mistake of every line, with CRLF as with LF', () => {
    const text = '{\r\n  "a": tru,\r\n  "b" 2,\r\n  "c": [1 2]\r\n}\r\n';
    expect(mistakes(text)).toEqual(mistakes(text.replaceAll('\r', '')));
    expect(mistakes(text)).toMatchInlineSnapshot(`
      [
        "error a.json:2:8 syntax: this is not JSON (keys and text stand in double quotes)",
        "error a.json:3:7 syntax: a colon is expected here",
        "error a.json:4:11 syntax: a comma is expected here",
      ]
    `);
  });

  it('counts a tab as one column', () => {
    expect(parseJson('{\n\t\t"a":\t1\n}', 'a.json').at(['a'])).toEqual({ line: 2, column: 8 });
  });

  it('reports a key that is there twice, at the second, and goes on with the last value', () => {
    const { value, diagnostics, at } = parseJson(
      '{\n  "a": 1,\n  "b": {"c": 1, "c": 2},\n  "a": 3\n}',
      'a.json',
    );
    expect(diagnostics.map(findingLine)).toMatchInlineSnapshot(`
      [
        "error a.json:3:17 duplicate-key: the key "c" is there twice (remove one of them)",
        "error a.json:4:3 duplicate-key: the key "a" is there twice (remove one of them)",
      ]
    `);
    expect(value).toEqual({ a: 3, b: { c: 2 } });
    expect(at(['a'])).toEqual({ line: 4, column: 8 });
  });

  it('keeps keys that objects inherit as plain keys', () => {
    const { value, at, diagnostics } = parseJson('{"__proto__": {"x": 1}, "constructor": 2}', 'a.json');
    expect(diagnostics).toEqual([]);
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(at(['__proto__', 'x'])).toEqual({ line: 1, column: 21 });
    expect(at(['toString'])).toEqual({ line: 1, column: 1 });
  });

  it('refuses more than 100 levels, at the place where they begin', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(mistakes(nested(100))).toEqual([]);
    expect(mistakes(nested(101))).toMatchInlineSnapshot(`
      [
        "error a.json:1:101 too-deep: is nested deeper than 100 levels from here on (flatten the document)",
      ]
    `);
  });

  it.each([
    ['brackets after a string that a line end closes', '"\r'],
    ['brackets after a comment with a quote', '/*"*/'],
    ['brackets after brackets that close nothing', ']]]]'],
  ])('is not tricked into a deep recursion by %s', (_, before) => {
    expect(mistakes(before + '['.repeat(100_000))).toHaveLength(1);
    expect(mistakes(before + '[},'.repeat(100_000))).toHaveLength(1);
    expect(mistakes(before + '[{]},'.repeat(100_000))).toHaveLength(1);
  });

  it('refuses documents that are too long to be anyone’s, and counts mistakes beyond a hundred', () => {
    expect(mistakes(`[${'0,'.repeat(100_000)}0]`)).toMatchInlineSnapshot(`
      [
        "error a.json:1:200001 too-large: has more than 200000 words and signs up to here (split the document)",
      ]
    `);
    const many = mistakes(`[${'x,\n'.repeat(150)}0]`);
    expect(many).toHaveLength(101);
    expect(many.at(-1)).toBe('error a.json too-many: has 50 more errors like these');
  });
});
