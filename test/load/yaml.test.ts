import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/load/yaml.ts';
import { findingLine } from '../helpers/package.ts';

function mistakes(text: string, options?: { jsonOnly?: boolean }): string[] {
  return parseYaml(text, 'a.yaml', options).diagnostics.map(findingLine);
}

const NESTED = `# a case
name: a
input:
  files:
    - one
    - path: two
      size: 2
  flow: {x: [1, "2"]}
`;

describe('parseYaml', () => {
  it('reads a document and says where everything stands', () => {
    const { value, diagnostics, at } = parseYaml(NESTED, 'a.yaml');
    expect(diagnostics).toEqual([]);
    expect(value).toEqual({
      name: 'a',
      input: { files: ['one', { path: 'two', size: 2 }], flow: { x: [1, '2'] } },
    });
    expect(at([])).toEqual({ line: 2, column: 1 });
    expect(at(['name'])).toEqual({ line: 2, column: 7 });
    expect(at(['name'], 'key')).toEqual({ line: 2, column: 1 });
    expect(at(['input', 'files', 0])).toEqual({ line: 5, column: 7 });
    expect(at(['input', 'files', 1, 'size'])).toEqual({ line: 7, column: 13 });
    expect(at(['input', 'files', 1, 'size'], 'key')).toEqual({ line: 7, column: 7 });
    expect(at(['input', 'flow', 'x', 1])).toEqual({ line: 8, column: 17 });
  });

  it('points at the nearest thing above a part that is not there', () => {
    const { at } = parseYaml(NESTED, 'a.yaml');
    expect(at(['input', 'prompt'], 'key')).toEqual({ line: 4, column: 3 });
    expect(at(['input', 'files', 9, 'x'])).toEqual({ line: 5, column: 5 });
    expect(at(['name', 'x'])).toEqual({ line: 2, column: 7 });
  });

  it('has the same lines and columns with CRLF, and counts from where it stands in its file', () => {
    const lf = parseYaml(NESTED, 'a.yaml');
    const crlf = parseYaml(NESTED.replaceAll('\n', '\r\n'), 'a.yaml');
    expect(crlf.value).toEqual(lf.value);
    const path = ['input', 'files', 1, 'size'];
    expect(crlf.at(path)).toEqual(lf.at(path));
    const shifted = parseYaml(NESTED, 'a.yaml', { firstLine: 11 });
    expect(shifted.at(path)).toEqual({ line: 17, column: 13 });
  });

  it('reads what YAML 1.2 says, whatever version the file claims', () => {
    const text = '%YAML 1.1\n---\na: yes\nb: 0x10\nc: 1_000\nd: 2001-01-01\ne: ~\nf: "1"\n1: g\n';
    expect(parseYaml(text, 'a.yaml')).toMatchObject({
      value: { a: 'yes', b: 16, c: '1_000', d: '2001-01-01', e: null, f: '1', 1: 'g' },
      diagnostics: [],
    });
  });

  it('reads nothing as null, and ends at a document end', () => {
    expect(parseYaml('', 'a.yaml')).toMatchObject({ value: null, diagnostics: [] });
    expect(parseYaml('# nothing\n', 'a.yaml')).toMatchObject({ value: null, diagnostics: [] });
    expect(parseYaml('---\na: 1\n...\n', 'a.yaml')).toMatchObject({ value: { a: 1 }, diagnostics: [] });
  });

  it.each([
    [
      'description: Fix: it\n',
      '1:14 syntax: there is a second "key: value" on this line (put the value in quotes if it contains a colon)',
    ],
    ['name: a\n\tb: c\n', '2:1 syntax: tabs must not be used for indentation (use spaces)'],
    [
      'input:\n  prompt: hi\n   files: x\n',
      '2:11 syntax: the line after this value is indented too far (indent it like this key)',
    ],
    ['a:\n  b: 1\n c: 2\n', '3:1 syntax: this line is not indented like the lines it belongs to'],
    ['b c\nd: e\n', '1:1 syntax: this key has no colon on its line (write key: value)'],
    ['a: 1\nb\n', '2:1 syntax: a colon is missing after this key (write key: value)'],
    [
      'globs: *.ts\n',
      '1:8 syntax: *.ts stands for nothing: there is no &.ts before it (put the value in quotes if it is text that begins with *)',
    ],
    ['a: &x [*x]\n', '1:8 syntax: *x stands for a value it is part of'],
    [
      'a: @x\n',
      '1:4 syntax: a value without quotes cannot start with reserved character @ (put the value in quotes)',
    ],
    ['a: "x\n', '2:1 syntax: the text before this has no closing "'],
    ["a: 'x\nb: c\n", "3:1 syntax: the text before this has no closing '"],
    ['a: [1, 2\nb: 3\n', '2:1 syntax: a bracket before this is not closed'],
    ['a: "\\q"\n', '1:5 syntax: invalid escape sequence \\q'],
    ['? [x]\n: 1\n', '1:3 syntax: a key must be plain text'],
    [
      '- a\nb: c\n',
      '2:1 syntax: this does not belong here: the value before it has ended (look at quotes and indentation)',
    ],
    [
      'a: "b" c\n',
      '1:8 syntax: this does not belong here: the value before it has ended (look at quotes and indentation)',
    ],
    ['a: 1\n---\nb: 2\n', '2:1 syntax: a second document begins here (put it into a file of its own)'],
    ['[1,,2]\n', '1:4 syntax: unexpected , in flow sequence'],
    ['[a, b: c, {d: e]\n', '1:16 syntax: a bracket before this is not closed'],
  ])('explains %j', (text, line) => {
    expect(mistakes(text)).toEqual([`error a.yaml:${line}`]);
    expect(parseYaml(text, 'a.yaml').value).toBeUndefined();
  });

  it('reports keys that are there twice, in block and flow, and merge keys, and still has a value', () => {
    const text = 'a: 1\nb: {c: 1, "c": 2}\na: 3\n<<: {d: 1}\n';
    expect(mistakes(text)).toMatchInlineSnapshot(`
      [
        "error a.yaml:2:11 duplicate-key: the key "c" is there twice (remove one of them)",
        "error a.yaml:3:1 duplicate-key: the key "a" is there twice (remove one of them)",
        "error a.yaml:4:1 yaml-subset: merge keys are not part of YAML 1.2 (write the keys out)",
      ]
    `);
    expect(parseYaml(text, 'a.yaml').value).toEqual({ a: 3, b: { c: 2 }, '<<': { d: 1 } });
    expect(mistakes('"<<": 1\n')).toEqual([]);
  });

  it('writes aliases out, and points at the alias', () => {
    const { value, diagnostics, at } = parseYaml('a: &x {b: [1]}\nc: [*x, *x]\nd: &x 2\ne: *x\n', 'a.yaml');
    expect(diagnostics).toEqual([]);
    expect(value).toEqual({ a: { b: [1] }, c: [{ b: [1] }, { b: [1] }], d: 2, e: 2 });
    expect(at(['c', 1, 'b', 0])).toEqual({ line: 2, column: 9 });
  });

  it('warns about tags it does not know, and never makes anything but JSON of them', () => {
    const text = 'a: !!binary aGk=\nb: !!set {x}\nc: !!timestamp 2001-01-01\nd: !mine [1]\n';
    expect(mistakes(text)).toMatchInlineSnapshot(`
      [
        "warning a.yaml:1:4 syntax: the tag !!binary is not known",
        "warning a.yaml:2:4 syntax: the tag !!set is not known",
        "warning a.yaml:3:4 syntax: the tag !!timestamp is not known",
        "warning a.yaml:4:4 syntax: the tag !mine is not known",
      ]
    `);
    expect(parseYaml(text, 'a.yaml').value).toEqual({ a: 'aGk=', b: { x: null }, c: '2001-01-01', d: [1] });
  });

  it('allows only what JSON can say where that is asked for', () => {
    const text = 'a: &x 1\nb: *x\nc: !!str 2\n<<: {d: 1}\n';
    expect(mistakes(text, { jsonOnly: true })).toMatchInlineSnapshot(`
      [
        "error a.yaml:1:7 yaml-subset: anchors are not allowed here (write the value out)",
        "error a.yaml:2:4 yaml-subset: aliases are not allowed here (write the value out)",
        "error a.yaml:3:10 yaml-subset: tags are not allowed here (write the value out)",
        "error a.yaml:4:1 yaml-subset: merge keys are not part of YAML 1.2 (write the keys out)",
      ]
    `);
  });

  it('keeps keys that objects inherit as plain keys', () => {
    const { value, at } = parseYaml('__proto__: {x: 1}\nconstructor: 2\n', 'a.yaml');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(at(['__proto__', 'x'])).toEqual({ line: 1, column: 16 });
    expect(at(['toString'])).toEqual({ line: 1, column: 1 });
  });

  it.each([
    ['flow', (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`],
    ['block lists', (levels: number) => `${'- '.repeat(levels)}a`],
    [
      'block maps',
      (levels: number) => Array.from({ length: levels }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    ],
    ['aliases', (levels: number) => aliasChain(levels)],
  ])('refuses more than 100 levels of %s', (_, nested) => {
    expect(mistakes(nested(100))).toEqual([]);
    const [mistake, ...others] = parseYaml(nested(101), 'a.yaml').diagnostics;
    expect(mistake).toMatchObject({
      rule: 'too-deep',
      message: 'is nested deeper than 100 levels from here on',
    });
    expect(others).toEqual([]);
  });

  it('refuses aliases that would fill the memory', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 30; i++) lines.push(`a${i}: &a${i} [${Array(9).fill(`*a${i - 1}`)}]`);
    expect(mistakes(lines.join('\n'))).toMatchInlineSnapshot(`
      [
        "error a.yaml:6:14 too-large: has more than 200000 words and signs up to here (split the document)",
      ]
    `);
  });

  it('refuses documents that are too long to be anyone’s', () => {
    expect(mistakes('- 0\n'.repeat(100_000))).toMatchInlineSnapshot(`
      [
        "error a.yaml:40001:1 too-large: has more than 200000 words and signs up to here (split the document)",
      ]
    `);
    expect(mistakes(`"${'\\q'.repeat(1_000_000)}"`)).toHaveLength(1);
  });
});

/** A map whose last value is `levels` deep only when every alias is written out. */
function aliasChain(levels: number): string {
  const lines = ['a1: &a1 []'];
  for (let i = 2; i < levels; i++) lines.push(`a${i}: &a${i} [*a${i - 1}]`);
  return lines.join('\n');
}
