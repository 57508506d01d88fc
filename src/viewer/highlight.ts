/** Finds quotes in a text: exact in their words, tolerant of white space, kinds of quotation marks and JSON escapes. */

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Sorted, without overlaps. */
export function findQuotes(text: string, quotes: readonly string[]): Range[] {
  if (text === '' || quotes.length === 0) return [];
  const forms = [plain(text), plain(unescaped(text))];
  const found = quotes.flatMap((quote) => {
    for (const [level, form] of forms.entries()) {
      const places = placesOf(quote, form);
      if (places.length > 0) return [{ level, places }];
    }
    return [];
  });
  // Most texts hold none of the quotes, and need not be looked at character by character.
  const origins = forms.map((_, level) =>
    found.some((it) => it.level === level) ? originsOf(text, level > 0) : NO_ORIGINS,
  );
  return merge(
    found.flatMap(({ level, places }) =>
      places.map(({ from, to }) => ({
        from: origins[level]?.from[from] ?? 0,
        to: origins[level]?.to[to - 1] ?? 0,
      })),
    ),
  );
}

function plain(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/\s+/g, ' ');
}

/** JSON inside JSON is escaped more than once. */
const MAX_LEVELS = 3;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t', b: ' ', f: ' ' };

function unescaped(text: string): string {
  let result = text;
  for (let level = 0; level < MAX_LEVELS && result.includes('\\'); level += 1)
    result = result.replace(ESCAPE, (_, code?: string, sign?: string) => meant(code, sign));
  return result;
}

function meant(code: string | undefined, sign = ''): string {
  return code === undefined ? (ESCAPED[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16));
}

/** Nobody quotes a book, and words of two letters occur anywhere. */
const MAX_QUOTE = 10_000;
const MIN_PIECE = 3;

/** Where the quote, or what stands around its ellipses, is in a plain text. */
function placesOf(quote: string, text: string): Range[] {
  if (quote.length > MAX_QUOTE) return [];
  for (const form of [plain(quote), plain(unescaped(quote))]) {
    const whole = form.trim();
    const pieces = text.includes(whole) ? [whole] : piecesOf(whole);
    if (pieces.length === 0 || pieces.some((piece) => piece.length < MIN_PIECE)) continue;
    const places: Range[] = [];
    let at = 0;
    for (const piece of pieces) {
      const from = text.indexOf(piece, at);
      if (from < 0) break;
      at = from + piece.length;
      places.push({ from, to: at });
    }
    if (places.length === pieces.length) return places;
  }
  return [];
}

function piecesOf(quote: string): string[] {
  return quote
    .split(/\[?(?:\.{3,}|…)\]?/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

/** For each character of a plain text: which part of the original it stands for. */
interface Origins {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

const NO_ORIGINS: Origins = { from: [], to: [] };

function originsOf(text: string, isUnescaped: boolean): Origins {
  let current = text;
  const units = Array.from({ length: text.length }, (_, at) => at);
  let origins: Origins = { from: units, to: units.map((at) => at + 1) };
  for (let level = 0; isUnescaped && level < MAX_LEVELS && current.includes('\\'); level += 1) {
    origins = replaced(current, ESCAPE, origins);
    current = current.replace(ESCAPE, (_, code?: string, sign?: string) => meant(code, sign));
  }
  return replaced(current, /\s+/g, origins);
}

/** After each match has become one character. */
function replaced(text: string, pattern: RegExp, { from, to }: Origins): Origins {
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  const take = (length: number) => {
    starts.push(from[at] ?? 0);
    ends.push(to[at + length - 1] ?? 0);
    at += length;
  };
  for (const match of text.matchAll(pattern)) {
    while (at < match.index) take(1);
    take(match[0].length);
  }
  while (at < text.length) take(1);
  return { from: starts, to: ends };
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
