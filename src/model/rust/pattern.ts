/** Regular expressions of Rust's `regex` crate, rewritten for JavaScript. Only whether they match is kept, no groups. */
import { type ClassFlags, readClass } from './classes.ts';
import { Cursor } from './cursor.ts';
import { inverted, literal, readEscape } from './escapes.ts';
import { variants } from './folding.ts';

/** Throws a SyntaxError for what Rust would not compile either. */
export function compileRustPattern(pattern: string): RegExp {
  const once = new Translator(pattern, false);
  const source = once.translate();
  if (!once.foldsSome || once.foldsAll) return new RegExp(source, once.foldsAll ? 'vi' : 'v');
  return new RegExp(new Translator(pattern, true).translate(), 'v');
}

interface Flags {
  /** Case does not count. */
  i: boolean;
  /** ^ and $ are at every line. */
  m: boolean;
  /** The dot is also a line break. */
  s: boolean;
  /** Repetitions are lazy, and `?` makes them greedy. */
  U: boolean;
  u: boolean;
  /** Space and comments do not count. */
  x: boolean;
}

const MAX_DEPTH = 200;
const NOT_BREAK = inverted('\\n');

class Translator {
  readonly #cursor: Cursor;
  readonly #spellsCases: boolean;
  #folded = 0;
  #plain = 0;
  #depth = 0;

  /** `spellsCases`: for patterns in which case counts only in part. */
  constructor(pattern: string, spellsCases: boolean) {
    this.#cursor = new Cursor(pattern);
    this.#spellsCases = spellsCases;
  }

  get foldsSome(): boolean {
    return this.#folded > 0;
  }

  get foldsAll(): boolean {
    return this.#folded > 0 && this.#plain === 0;
  }

  translate(): string {
    const source = this.#group({ i: false, m: false, s: false, U: false, u: true, x: false });
    if (!this.#cursor.isDone) throw new SyntaxError('a closing ) has no opening one');
    return source;
  }

  /** Up to its closing parenthesis. Flags that are set inside hold to its end. */
  #group(flags: Flags): string {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new SyntaxError('groups are nested too deeply');
    let source = '';
    let last: string | null = null;
    for (;;) {
      if (flags.x) this.#cursor.skipSpace();
      if (this.#cursor.isDone || this.#cursor.sees(')')) break;
      if (this.#cursor.take('|')) {
        source += `${last ?? ''}|`;
        last = null;
        continue;
      }
      const repetition = this.#repetition(flags);
      if (repetition !== null) {
        if (last === null) throw new SyntaxError('there is nothing before the repetition');
        last = `(?:${last})${repetition}`;
        continue;
      }
      source += last ?? '';
      last = this.#atom(flags);
    }
    this.#depth -= 1;
    return source + (last ?? '');
  }

  /** Gives null where something else stands. */
  #repetition({ U, x }: Flags): string | null {
    const cursor = this.#cursor;
    let counts: string;
    if (cursor.sees('*') || cursor.sees('+') || cursor.sees('?')) counts = cursor.next();
    else if (cursor.take('{')) {
      const inner = cursor.until('}', 'a repetition in braces').replaceAll(/\s/g, '');
      if (!/^\d+(?:,\d*)?$/.test(inner)) throw new SyntaxError(`{${inner}} is not a number of repetitions`);
      counts = `{${inner}}`;
    } else return null;
    if (x) cursor.skipSpace();
    const isLazy = cursor.take('?') !== U;
    return isLazy ? `${counts}?` : counts;
  }

  /** '' for flags, which stand for nothing themselves; null is no atom at all. */
  #atom(flags: Flags): string | null {
    const cursor = this.#cursor;
    const sign = cursor.next();
    switch (sign) {
      case '(':
        return this.#parenthesis(flags);
      case '[':
        return readClass(cursor, this.#classFlags(flags));
      case '.':
        return flags.s ? '[\\s\\S]' : NOT_BREAK;
      case '^':
        return flags.m ? `(?<!${NOT_BREAK})` : '^';
      case '$':
        return flags.m ? `(?!${NOT_BREAK})` : '$';
      case '\\': {
        const escaped = readEscape(cursor, flags.u);
        if (escaped.kind === 'literal') return this.#literal(escaped.code, flags);
        if (escaped.kind === 'set') this.#count(flags);
        return escaped.source;
      }
      default:
        return this.#literal(sign.codePointAt(0) ?? 0, flags);
    }
  }

  #parenthesis(flags: Flags): string | null {
    const cursor = this.#cursor;
    const inner = { ...flags };
    if (cursor.take('?')) {
      if (['=', '!', '<=', '<!'].some((it) => cursor.sees(it)))
        throw new SyntaxError('looking ahead or behind is not part of Rust’s patterns');
      if (cursor.take('P<') || cursor.take('<')) {
        const name = cursor.until('>', 'the name of a group');
        if (!/^[_\p{L}][\w.[\]\p{L}]*$/u.test(name))
          throw new SyntaxError(`${name} cannot be the name of a group`);
      } else {
        const ended = this.#readFlags(inner);
        if (ended === ')') {
          Object.assign(flags, inner);
          return null;
        }
      }
    }
    const source = this.#group(inner);
    if (!cursor.take(')')) throw new SyntaxError('a group is not closed: ) is missing');
    return `(?:${source})`;
  }

  /** `i-s` and so on; gives the sign that ended them. */
  #readFlags(flags: Flags): ')' | ':' {
    let value = true;
    for (;;) {
      const sign = this.#cursor.next();
      if (sign === ')' || sign === ':') return sign;
      if (sign === '-' && value) value = false;
      else if (Object.hasOwn(flags, sign)) flags[sign as keyof Flags] = value;
      else
        throw new SyntaxError(
          sign === '' ? 'a group is not closed: ) is missing' : `(?${sign} is not a known flag`,
        );
    }
  }

  #literal(code: number, flags: Flags): string {
    const others = variants(code);
    if (others.length > 0) this.#count(flags);
    if (!this.#spellsCases || !flags.i || others.length === 0) return literal(code);
    return `[${[code, ...others].map(literal).join('')}]`;
  }

  #classFlags(flags: Flags): ClassFlags {
    this.#count(flags);
    return { x: flags.x, u: flags.u, spellsCases: this.#spellsCases && flags.i };
  }

  #count({ i }: Flags): void {
    if (i) this.#folded += 1;
    else this.#plain += 1;
  }
}
