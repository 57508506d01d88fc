/** Classes of characters in brackets. */
import type { Cursor } from './cursor.ts';
import { inverted, literal, readEscape } from './escapes.ts';
import { variants } from './folding.ts';

export interface ClassFlags {
  readonly x: boolean;
  readonly u: boolean;
  /** Both cases of every letter are written out. */
  readonly spellsCases: boolean;
}

/** The opening bracket is passed. */
export function readClass(cursor: Cursor, flags: ClassFlags): string {
  const negated = cursor.take('^');
  let left: string | null = null;
  let operator = '';
  for (let isFirst = true; ; isFirst = false) {
    const union: string = readUnion(cursor, flags, isFirst);
    left = left === null ? `[${union}]` : joined(left, operator, `[${union}]`);
    operator = ['&&', '--', '~~'].find((it) => cursor.take(it)) ?? '';
    if (operator !== '') continue;
    if (!cursor.take(']')) throw new SyntaxError('a class of characters is not closed: ] is missing');
    return negated ? inverted(left) : left;
  }
}

function joined(left: string, operator: string, right: string): string {
  if (operator !== '~~') return `[${left}${operator}${right}]`;
  return `[[${left}--${right}][${right}--${left}]]`;
}

/** Up to the closing bracket or an operator. */
function readUnion(cursor: Cursor, flags: ClassFlags, isFirst: boolean): string {
  let source = isFirst ? leadingHyphens(cursor, flags) : '';
  let mayClose = !isFirst || source !== '';
  for (;;) {
    if (flags.x) cursor.skipSpace();
    if (cursor.isDone) throw new SyntaxError('a class of characters is not closed: ] is missing');
    if (mayClose && cursor.sees(']')) return source;
    if (cursor.sees('&&') || cursor.sees('~~') || (mayClose && cursor.sees('--'))) return source;
    source += readItem(cursor, flags);
    mayClose = true;
  }
}

/** At the beginning they are neither ranges nor operators. */
function leadingHyphens(cursor: Cursor, { x }: ClassFlags): string {
  let source = '';
  for (;;) {
    if (x) cursor.skipSpace();
    if (!cursor.take('-')) return source;
    source = literal(HYPHEN);
  }
}

const HYPHEN = 45;

function readItem(cursor: Cursor, flags: ClassFlags): string {
  const posix = /^\[:(\^?)([a-z]+):\]/.exec(restOf(cursor));
  if (posix) {
    cursor.some(posix[0].length);
    const [, not, name = ''] = posix;
    const set = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
    if (set === undefined) throw new SyntaxError(`[:${name}:] is not a known class`);
    return `[${not}${set}]`;
  }
  if (cursor.take('[')) return readClass(cursor, flags);
  const from = readSingle(cursor, flags);
  if (flags.x) cursor.skipSpace();
  if (!cursor.sees('-') || cursor.sees('-]') || cursor.sees('--')) return shown(from, from, flags);
  cursor.next();
  if (flags.x) cursor.skipSpace();
  const to = readSingle(cursor, flags);
  if (typeof from === 'string' || typeof to === 'string')
    throw new SyntaxError('a range must go from a character to a character');
  if (from > to) throw new SyntaxError('a range of characters goes backwards');
  return shown(from, to, flags);
}

function restOf(cursor: Cursor): string {
  return cursor.sees('[:') ? cursor.peek(POSIX_LENGTH) : '';
}

const POSIX_LENGTH = 12;

/** A character by its number, or a set as it is written. */
function readSingle(cursor: Cursor, { u }: ClassFlags): number | string {
  const sign = cursor.next();
  if (sign !== '\\') return sign.codePointAt(0) ?? 0;
  const escaped = readEscape(cursor, u);
  if (escaped.kind === 'assertion')
    throw new SyntaxError('a class of characters holds an assertion, such as \\b');
  return escaped.kind === 'literal' ? escaped.code : escaped.source;
}

function shown(from: number | string, to: number | string, { spellsCases }: ClassFlags): string {
  if (typeof from === 'string' || typeof to === 'string') return String(from);
  const range = from === to ? literal(from) : `${literal(from)}-${literal(to)}`;
  if (!spellsCases) return range;
  const others = Array.from({ length: Math.min(to - from + 1, MAX_SPELT) }, (_, index) =>
    variants(from + index),
  );
  return range + [...new Set(others.flat())].map(literal).join('');
}

const MAX_SPELT = 4096;

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t\\x20',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e',
  space: '\\t-\\r\\x20',
  upper: 'A-Z',
  word: '0-9A-Za-z\\x5f',
  xdigit: '0-9A-Fa-f',
};
