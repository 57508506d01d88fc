/** Does a quote stand in what was shown? Exact in its words, tolerant in how they are written down. */
import { CUT_MARK } from './cut.ts';
import type { Exhibit } from './digest.ts';

/** Material made ready for looking up many quotes. */
export interface Library {
  readonly all: readonly string[];
  /** Those that show what the agent did. */
  readonly deeds: readonly string[];
}

export function createLibrary(exhibits: readonly Exhibit[]): Library {
  const pages = (them: readonly Exhibit[]) =>
    them.flatMap(({ title, text }) => {
      // A gap is not evidence, and nothing reaches across it.
      const page = `${title}\n${text}`.replaceAll(CUT_MARK, GAP);
      return [...new Set([plain(page), plain(unescaped(page))])];
    });
  return { all: pages(exhibits), deeds: pages(exhibits.filter(({ isDeed }) => isDeed)) };
}

/** `too-short`: pieces around an ellipsis that occur anywhere prove nothing. */
export function findQuote(quote: string, pages: readonly string[]): 'found' | 'missing' | 'too-short' {
  const words = quote.replaceAll(CUT_MARK, '…');
  const forms = [...new Set([plain(words), plain(unescaped(words))])].filter((form) => SUBSTANCE.test(form));
  if (forms.some((form) => pages.some((page) => page.includes(form)))) return 'found';
  const split = forms.map(piecesOf).filter((pieces) => pieces.length > 0);
  if (!split.some((pieces) => pages.some((page) => inOrder(pieces, page)))) return 'missing';
  return split.some((pieces) => isLongEnough(pieces) && pages.some((page) => inOrder(pieces, page)))
    ? 'found'
    : 'too-short';
}

const GAP = '\u0000';
/** Dots and brackets alone occur everywhere. */
const SUBSTANCE = /[\p{L}\p{N}\p{S}]/u;
const MIN_PIECE = 4;

function isLongEnough(pieces: readonly string[]): boolean {
  return pieces.length === 1 || pieces.every((piece) => piece.length >= MIN_PIECE);
}

function piecesOf(quote: string): string[] {
  return quote
    .split(/\[?(?:\.{3,}|…)\]?/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

function inOrder(pieces: readonly string[], page: string): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = page.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return true;
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

/** JSON inside JSON is escaped more than once; quotes come with any number of these levels taken off. */
function unescaped(text: string): string {
  let result = text;
  for (let level = 0; level < MAX_LEVELS && result.includes('\\'); level += 1) {
    result = result.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, code?: string, sign?: string) =>
      code === undefined
        ? (ESCAPES[sign ?? ''] ?? sign ?? '')
        : String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return result;
}
