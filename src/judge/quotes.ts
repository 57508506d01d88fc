/** Does a quote stand in what was shown? Exact in its words, tolerant in how they are written down. */
import { CUT_EDGE, piecesOf } from './cut.ts';
import type { Exhibit } from './digest.ts';
import { visible } from './visible.ts';

/** Material made ready for looking up many quotes. */
export interface Library {
  readonly all: readonly Page[];
  /** What shows what the agent did. */
  readonly deeds: readonly Page[];
}

interface Page {
  readonly text: string;
  /** It is all there is of an exhibit, so that even a short quote of it is no chance. */
  readonly isEntire: boolean;
}

/** Titles are not in it: they are ours. */
export function createLibrary(exhibits: readonly Exhibit[]): Library {
  const deeds = exhibits.flatMap((exhibit) =>
    exhibit.deeds.flatMap((deed) => pagesOf(deed, deed === exhibit.text)),
  );
  return { all: [...exhibits.flatMap(({ text }) => pagesOf(text, true)), ...deeds], deeds };
}

/** `too-short`: it stands there, but so few characters occur anywhere. */
export function findQuote(quote: string, pages: readonly Page[]): 'found' | 'missing' | 'too-short' {
  const forms = formsOf(visible(quote)).filter((form) => SUBSTANCE.test(form) && !form.includes(CUT_EDGE));
  if (forms.some((form) => pages.some(({ text, isEntire }) => isEntire && text === form))) return 'found';
  const split = forms.flatMap((form) => [[form], brokenAt(form)]);
  const standing = split.filter(
    (pieces) => pieces.length > 0 && pages.some(({ text }) => standsIn(text, pieces)),
  );
  if (standing.length === 0) return 'missing';
  return standing.some(isLongEnough) ? 'found' : 'too-short';
}

/** Nothing reaches across a cut. */
function pagesOf(text: string, isAll: boolean): Page[] {
  const pieces = piecesOf(text);
  return pieces.flatMap((piece) =>
    formsOf(piece).map((form) => ({ text: form, isEntire: isAll && pieces.length === 1 })),
  );
}

/** Dots and brackets alone occur everywhere. */
const SUBSTANCE = /[\p{L}\p{N}\p{S}]/u;
const LETTER = /[\p{L}\p{N}]/gu;
const MIN_LETTERS = 4;
const MIN_PIECE = 4;
const MAX_PIECES = 20;
/** What an ellipsis may stand for, in characters. */
const MAX_LEFT_OUT = 500;

function isLongEnough(pieces: readonly string[]): boolean {
  const letters = pieces.join(' ').match(LETTER)?.length ?? 0;
  return letters >= MIN_LETTERS && (pieces.length === 1 || pieces.every((it) => it.length >= MIN_PIECE));
}

/** At its ellipses; none when there are too many to mean anything. */
function brokenAt(quote: string): string[] {
  const pieces = quote
    .split(/\[?(?:\.{3,}|…)\]?/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  return pieces.length > MAX_PIECES ? [] : pieces;
}

/** Each at the bounds of words, in their order, none too far from the one before. */
function standsIn(page: string, pieces: readonly string[]): boolean {
  let ends: readonly number[] | null = null;
  for (const piece of pieces) {
    const starts = placesOf(piece, page);
    ends = (ends === null ? starts : within(starts, ends)).map((start) => start + piece.length);
    if (ends.length === 0) return false;
  }
  return true;
}

/** The starts that come soon enough after one of the ends. Both are in order. */
function within(starts: readonly number[], ends: readonly number[]): number[] {
  let next = 0;
  return starts.filter((start) => {
    while (next < ends.length && (ends[next] ?? 0) <= start) next += 1;
    const last = ends[next - 1];
    return last !== undefined && start - last <= MAX_LEFT_OUT;
  });
}

function placesOf(piece: string, page: string): number[] {
  const places: number[] = [];
  for (let at = page.indexOf(piece); at >= 0; at = page.indexOf(piece, at + 1)) {
    const end = at + piece.length;
    if (isBound(page, at) && isBound(page, end)) places.push(at);
  }
  return places;
}

const WORD = new RegExp(`[\\p{L}\\p{N}\\p{M}_${CUT_EDGE}]`, 'u');
/** Scripts that put no space between words, or put endings straight on them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function isBound(page: string, at: number): boolean {
  const before = characterBefore(page, at);
  const after = String.fromCodePoint(page.codePointAt(at) ?? 0x20);
  if (!WORD.test(before) || !WORD.test(after)) return true;
  return before !== CUT_EDGE && after !== CUT_EDGE && (UNSPACED.test(before) || UNSPACED.test(after));
}

function characterBefore(page: string, at: number): string {
  const half = page[at - 1] ?? ' ';
  return /[\udc00-\udfff]/.test(half) ? `${page[at - 2] ?? ''}${half}` : half;
}

/** As it stands, and with escapes taken off: JSON inside JSON is escaped more than once. */
function formsOf(text: string): string[] {
  const forms = new Set<string>();
  let form = text;
  for (let level = 0; level <= MAX_LEVELS; level += 1) {
    forms.add(plain(form));
    if (!form.includes('\\')) break;
    form = unescaped(form);
  }
  return [...forms];
}

function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

const MAX_LEVELS = 3;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t', b: ' ', f: ' ' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, code?: string, sign?: string) =>
    code === undefined ? (ESCAPES[sign ?? ''] ?? sign ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
