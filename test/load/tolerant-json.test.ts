import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTolerantJson } from '../../src/load/tolerant-json.ts';
import { anyValue } from './arbitraries.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\r': '\r', '\\b': '\b' };

/** JSON in which control characters stand as themselves. */
function rawJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\\(?:\\|[^\\])/g, (it) => ESCAPES[it] ?? it);
}

describe('raw control characters', () => {
  it('are read as themselves, whatever else is in the document', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const text = rawJson({ value, more: 'line\nbreak' });
        const { value: read, diagnostics } = parseTolerantJson(text, 'a.json');
        expect(read).toEqual(JSON.parse(JSON.stringify({ value, more: 'line\nbreak' })));
        expect(diagnostics.map(({ rule }) => rule)).toEqual(['control-character']);
      }),
    );
  });

  it('leave everything at its place', () => {
    const text = '{"a": "x\ny\tz",\n "b": [1, "two\n"]}';
    const source = parseTolerantJson(text, 'a.json');
    expect(source.at(['b', 1])).toEqual({ line: 3, column: 11 });
    expect(source.diagnostics).toMatchObject([{ severity: 'warning', line: 1, column: 9 }]);
  });

  it('next to characters that stand in for them are not confused', () => {
    const taken = String.fromCharCode(0xe00a, 0xe00a);
    expect(parseTolerantJson(`{"a": "${taken}\n"}`, 'a.json').value).toEqual({ a: `${taken}\n` });
  });

  it('do not excuse other mistakes', () => {
    const { value, diagnostics } = parseTolerantJson('{"a": "x\ny" "b": 1}', 'a.json');
    expect(value).toBeUndefined();
    expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  });

  it('that are escaped need no warning', () => {
    expect(parseTolerantJson('{"a": "x\\ny"}', 'a.json')).toMatchObject({
      value: { a: 'x\ny' },
      diagnostics: [],
    });
  });
});
