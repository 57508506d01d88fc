/** Texts and values as strangers, cats and attackers write them. */
import fc from 'fast-check';
import { stringify } from 'yaml';

const ODD_WORDS = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '<<', '', 'name', 'skill:constructor'],
  ...[
    '../../etc/passwd',
    '/etc/passwd',
    '..\\x',
    'a\nb',
    '\u001b[31m',
    '\0',
    '\ufeff',
    '\u2028',
    '😀',
    '\ud800',
  ],
  ...['skill:', 'hook:__proto__', 'constructor:x', '*', '(', '$PACKAGE_ROOT/..', '~', 'null', 'yes', '1e999'],
];

/** Any UTF-16, halves of surrogate pairs included. */
const anyText: fc.Arbitrary<string> = fc
  .array(fc.nat(0xffff), { maxLength: 200 })
  .map((codes) => String.fromCharCode(...codes));

const word = fc.oneof(fc.constantFrom(...ODD_WORDS), fc.string({ maxLength: 20 }), anyText);

/** What JSON can say, with the keys that break naive code. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, 1, 2, 1.5, 1e300, Number.MAX_SAFE_INTEGER),
    word,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(word, tie('value')), { maxLength: 4 })
      // fromEntries: a key called __proto__ stays a key.
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

const JSON_PIECES = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '"name"',
    '1',
    '-',
    '0',
    '.',
    'e',
    'true',
    'null',
    '\\',
    '\\u12',
  ],
  ...[' ', '\n', '\r\n', '\r', '\t', '//', '/*', '*/', '\u0001', '\ufeff', '\ud800', '"__proto__":', '{"a":'],
];

const YAML_PIECES = [
  ...[
    '- ',
    '-',
    '? ',
    ': ',
    ':',
    'a',
    'b: ',
    'key: v',
    '\n',
    '\n  ',
    '\n    ',
    '\r\n',
    '\t',
    ' ',
    '"',
    "'",
    '|',
    '>',
  ],
  ...[
    '|2-\n',
    '[',
    ']',
    '{',
    '}',
    ',',
    '#',
    ' # c',
    '&a ',
    '*a',
    '!',
    '!!timestamp 2001-01-01',
    '!!set ',
    '!!binary ',
    '!!str ',
    '!<x> ',
    '%YAML 1.1\n',
    '---',
    '\n---\n',
  ],
  ...[
    '...',
    '\n...\n',
    '<<: ',
    '~',
    'null',
    '.nan',
    '\\',
    '\\x',
    '\ufeff',
    '\0',
    '\ud800',
    '@',
    '`',
    '__proto__: ',
  ],
];

function pieces(list: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...list), { maxLength: 60 }).map((parts) => parts.join(''));
}

/** A valid text with some pieces lost, repeated, moved or replaced. */
export function mutated(texts: readonly string[], list: readonly string[]): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(),
    length: fc.nat(20),
    insert: fc.oneof(fc.constantFrom('', ...list), fc.string({ maxLength: 5 })),
    again: fc.boolean(),
  });
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 6 }))
    .map(([text, edits]) =>
      edits.reduce((before, { at, length, insert, again }) => {
        const start = at % (before.length + 1);
        const chunk = before.slice(start, start + length);
        return before.slice(0, start) + (again ? chunk + chunk : '') + insert + before.slice(start + length);
      }, text),
    );
}

export function jsonTexts(valid: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    anyText,
    pieces(JSON_PIECES),
    mutated(valid, JSON_PIECES),
    anyValue.map((value) => JSON.stringify(value, null, 1)),
  );
}

export function yamlTexts(valid: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    anyText,
    pieces(YAML_PIECES),
    mutated(valid, YAML_PIECES),
    anyValue.map((value) => stringify(value)),
  );
}

/** Text or no text at all, as the bytes of a file. */
export function anyBytes(valid: readonly string[]): fc.Arbitrary<Buffer> {
  const text = fc.oneof(jsonTexts(valid), yamlTexts(valid), mutated(valid, ['---\n', '\n---\n', '\r']));
  return fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    text.map((it) => Buffer.from(it)),
    text.map((it) => Buffer.from(`\ufeff${it.replaceAll('\n', '\r\n')}`)),
    text.map((it) => Buffer.from(it, 'utf16le')),
    fc.tuple(text, fc.uint8Array({ minLength: 1, maxLength: 3 })).map(([it, tail]) => {
      return Buffer.concat([Buffer.from(it), Buffer.from(tail)]);
    }),
  );
}

/** A value with one part of it replaced, removed or renamed. */
export function damaged(value: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(value);
  return fc
    .record({
      at: fc.nat(),
      action: fc.constantFrom('replace', 'remove', 'rename'),
      junk: anyValue,
      key: word,
    })
    .map(({ at, action, junk, key }) => {
      const path = places[at % places.length] ?? [];
      return edit(value, path, action, junk, key);
    });
}

type Step = string | number;

function placesIn(value: unknown, path: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [Step, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return [path, ...entries.flatMap(([step, child]) => placesIn(child, [...path, step]))];
}

function edit(value: unknown, path: readonly Step[], action: string, junk: unknown, key: string): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return junk;
  if (Array.isArray(value))
    return value.map((it, i) => (i === step ? edit(it, rest, action, junk, key) : it));
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, child]) => {
      if (name !== step) return [[name, child]];
      if (rest.length > 0 || action === 'replace') return [[name, edit(child, rest, action, junk, key)]];
      return action === 'remove' ? [] : [[key, child]];
    }),
  );
}
