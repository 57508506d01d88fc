/** Finds quotes in a text: exact in their words, tolerant of white space, kinds of quotation marks and JSON escapes. */

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Sorted, without overlaps. */
export function findQuotes(text: string, quotes: readonly string[]): Range[] {
  if (quotes.length === 0 || text === '') return [];
  const forms = [flatten(written(text)), flatten(unescaped(written(text)))];
  const found = quotes.flatMap((quote) => {
    for (const form of forms) {
      const ranges = rangesOf(quote, form);
      if (ranges.length > 0) return ranges;
    }
    return [];
  });
  return merge(found);
}

/** Characters, and which part of the original each of them stands for. */
interface Mapped {
  readonly chars: readonly string[];
  readonly from: readonly number[];
  readonly to: readonly number[];
}

function written(text: string): Mapped {
  const chars = text.split('');
  return { chars, from: chars.map((_, at) => at), to: chars.map((_, at) => at + 1) };
}

const MAX_LEVELS = 3;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t', b: ' ', f: ' ' };

/** JSON inside JSON is escaped more than once. */
function unescaped(text: Mapped): Mapped {
  let current = text;
  for (let level = 0; level < MAX_LEVELS && current.chars.includes('\\'); level += 1) {
    const chars: string[] = [];
    const from: number[] = [];
    const to: number[] = [];
    const { chars: old } = current;
    let at = 0;
    const take = (char: string, length: number) => {
      chars.push(char);
      from.push(current.from[at] ?? 0);
      to.push(current.to[at + length - 1] ?? 0);
      at += length;
    };
    for (const match of old.join('').matchAll(ESCAPE)) {
      while (at < match.index) take(old[at] ?? '', 1);
      const [whole, code, sign = ''] = match;
      take(
        code === undefined ? (ESCAPED[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
        whole.length,
      );
    }
    while (at < old.length) take(old[at] ?? '', 1);
    current = { chars, from, to };
  }
  return current;
}

interface Flat {
  readonly text: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

function flatten({ chars, from, to }: Mapped): Flat {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  chars.forEach((char, at) => {
    const plain = plainChar(char);
    if (plain === ' ' && text.endsWith(' ')) {
      ends[ends.length - 1] = to[at] ?? 0;
      return;
    }
    text += plain;
    starts.push(from[at] ?? 0);
    ends.push(to[at] ?? 0);
  });
  return { text, from: starts, to: ends };
}

function plainChar(char: string): string {
  if (/\s/.test(char)) return ' ';
  if (/[\u2018\u2019\u201a\u201b]/.test(char)) return "'";
  return /[\u201c\u201d\u201e\u201f]/.test(char) ? '"' : char;
}

/** Short words that occur anywhere are not marked: that would mark half of the text. */
const MIN_LENGTH = 3;

function rangesOf(quote: string, { text, from, to }: Flat): Range[] {
  for (const form of [flatten(written(quote)).text, flatten(unescaped(written(quote))).text]) {
    const whole = form.trim();
    const pieces = text.includes(whole) ? [whole] : piecesOf(whole);
    if (pieces.length === 0 || pieces.some((piece) => piece.length < MIN_LENGTH)) continue;
    const ranges: Range[] = [];
    let at = 0;
    for (const piece of pieces) {
      const start = text.indexOf(piece, at);
      if (start < 0) break;
      at = start + piece.length;
      ranges.push({ from: from[start] ?? 0, to: to[at - 1] ?? 0 });
    }
    if (ranges.length === pieces.length) return ranges;
  }
  return [];
}

/** What stands around an ellipsis. */
function piecesOf(quote: string): string[] {
  return quote
    .split(/\[?(?:\.{3,}|…)\]?/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && range.from <= last.to)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else merged.push(range);
  }
  return merged;
}
