/** Single characters and kinds of characters after a backslash, as they are written for JavaScript's `v` flag. */
import type { Cursor } from './cursor.ts';

export type Escaped =
  | { readonly kind: 'literal'; readonly code: number }
  /** A set, such as `\d`; good inside and outside of a class. */
  | { readonly kind: 'set'; readonly source: string }
  | { readonly kind: 'assertion'; readonly source: string };

const SINGLE: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11, a: 7 };
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

const WORD = { unicode: '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]', ascii: '[0-9A-Za-z_]' };
const DIGIT = { unicode: '\\p{Nd}', ascii: '[0-9]' };
const SPACE = { unicode: '\\p{White_Space}', ascii: '[\\t-\\r ]' };
const SETS: Readonly<Record<string, { readonly unicode: string; readonly ascii: string }>> = {
  w: WORD,
  d: DIGIT,
  s: SPACE,
};

/** The backslash is passed. */
export function readEscape(cursor: Cursor, unicode: boolean): Escaped {
  if (cursor.isDone) throw new SyntaxError('the pattern ends with a backslash');
  const sign = cursor.next();
  const set = Object.hasOwn(SETS, sign.toLowerCase()) ? SETS[sign.toLowerCase()] : undefined;
  if (set) {
    const source = set[unicode ? 'unicode' : 'ascii'];
    return { kind: 'set', source: sign === sign.toLowerCase() ? source : inverted(source) };
  }
  if (sign === 'p' || sign === 'P') return { kind: 'set', source: property(cursor, sign === 'P') };
  if (Object.hasOwn(SINGLE, sign)) return { kind: 'literal', code: SINGLE[sign] ?? 0 };
  if (Object.hasOwn(HEX_DIGITS, sign)) return { kind: 'literal', code: hexadecimal(cursor, sign) };
  const assertion = assertionOf(sign, cursor, WORD[unicode ? 'unicode' : 'ascii']);
  if (assertion !== null) return { kind: 'assertion', source: assertion };
  if (/^\d$/.test(sign))
    throw new SyntaxError('back-references and octal numbers are not part of Rust’s patterns');
  if (/^[a-z]$/i.test(sign) || (sign.codePointAt(0) ?? 0) > 127)
    throw new SyntaxError(`\\${sign} has no meaning in Rust’s patterns`);
  return { kind: 'literal', code: sign.codePointAt(0) ?? 0 };
}

/** A character as it may stand anywhere, also inside a class. */
export function literal(code: number): string {
  const sign = String.fromCodePoint(code);
  return /^[A-Za-z0-9]$/.test(sign) ? sign : `\\u{${code.toString(16)}}`;
}

/** All other characters. In brackets of its own: V8 turns a bare `[^…]` back again where a repeated group holds it. */
export function inverted(set: string): string {
  return `[[^${set}]]`;
}

function assertionOf(sign: string, cursor: Cursor, word: string): string | null {
  const before = `(?<=${word})`;
  const notBefore = `(?<!${word})`;
  const after = `(?=${word})`;
  const notAfter = `(?!${word})`;
  if (sign === 'A') return '^';
  if (sign === 'z') return '$';
  if (sign === '<' || (sign === 'b' && cursor.take('{start}'))) return `(?:${notBefore}${after})`;
  if (sign === '>' || (sign === 'b' && cursor.take('{end}'))) return `(?:${before}${notAfter})`;
  if (sign === 'b' && cursor.take('{start-half}')) return notBefore;
  if (sign === 'b' && cursor.take('{end-half}')) return `(?:${notAfter})`;
  if (sign === 'b') return `(?:${before}${notAfter}|${notBefore}${after})`;
  if (sign === 'B') return `(?:${before}${after}|${notBefore}${notAfter})`;
  return null;
}

function hexadecimal(cursor: Cursor, sign: string): number {
  const digits = cursor.take('{') ? cursor.until('}', `\\${sign}{`) : cursor.some(HEX_DIGITS[sign] ?? 0);
  const code = /^[0-9A-Fa-f]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  if (!isCharacter) throw new SyntaxError(`\\${sign}${digits} is not the number of a character`);
  return code;
}

function property(cursor: Cursor, negated: boolean): string {
  const written = cursor.take('{') ? cursor.until('}', '\\p{') : cursor.next();
  const [, isOpposite, name = ''] = /^(\^?)(.*)$/s.exec(written) ?? [];
  const [, key = '', not = '', value = name] = /^([^=:!]*)(!?)[=:](.*)$/s.exec(name) ?? [];
  const opposites = [negated, isOpposite !== '', not !== ''].filter(Boolean).length;
  const found = candidates(key, value).find(isProperty);
  if (found === undefined) throw new SyntaxError(`\\p{${written}} is not a known property of characters`);
  return `\\${opposites % 2 === 1 ? 'P' : 'p'}{${found}}`;
}

/** Rust does not mind how a property is spelt, and lets scripts and categories stand alone. */
function candidates(key: string, value: string): string[] {
  const words = value.split(/[\s_-]+/).filter(Boolean);
  const capital = words.map((it) => it.charAt(0).toUpperCase() + it.slice(1).toLowerCase()).join('_');
  const spellings = [...new Set([value, capital, value.toUpperCase()])];
  const keys =
    key === '' ? ['', 'General_Category=', 'Script='] : [`${key}=`, `${KEYS[key.toLowerCase()] ?? key}=`];
  return keys.flatMap((it) => spellings.map((spelling) => `${it}${spelling}`));
}

const KEYS: Readonly<Record<string, string>> = {
  gc: 'General_Category',
  general_category: 'General_Category',
  sc: 'Script',
  script: 'Script',
  scx: 'Script_Extensions',
  script_extensions: 'Script_Extensions',
};

function isProperty(name: string): boolean {
  if (!/^[\w=]+$/.test(name)) return false;
  try {
    return new RegExp(`\\p{${name}}`, 'v') instanceof RegExp;
  } catch {
    return false;
  }
}
