/** A text as it reads behind its escapes, which hide both a secret and where it begins. */

/** Positions lead back to the text it was made of. */
export interface View {
  readonly text: string;
  /** Where the character that is seen at this place begins in the original. */
  startOf(index: number): number;
}

/** JSON in a URL in JSON… Nobody writes more of these. */
const MAX_LAYERS = 12;

/** The text itself, then without one layer of escapes after the other. */
export function decodedViews(text: string): [View, ...View[]] {
  const views: [View, ...View[]] = [{ text, startOf: (index) => index }];
  for (let last = views[0]; views.length <= MAX_LAYERS; ) {
    const next = behind(last, ESCAPE, meaningOf);
    if (next.text === last.text) break;
    views.push(next);
    last = next;
  }
  return views;
}

/** Lines that a program broke to keep them short. */
export function unbroken(view: View): View {
  return behind(view, /[\r\n]+[ \t]*/g, () => '');
}

/** Of JSON and of URLs; a run of `25` behind a percent sign is the same percent sign again and again. */
const ESCAPE =
  /\\(?:u(?<code>[\da-fA-F]{4})|x(?<byte>[\da-fA-F]{2})|(?<sign>[\\"'/bfnrt]))|%(?:25)*(?<octet>[\da-fA-F]{2})/g;
const SIGNS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function meaningOf({ code, byte, octet, sign }: Readonly<Record<string, string | undefined>>): string {
  if (sign !== undefined) return SIGNS[sign] ?? sign;
  return String.fromCharCode(Number.parseInt(code ?? byte ?? octet ?? '', 16));
}

function behind(
  { text, startOf }: View,
  pattern: RegExp,
  replacement: (groups: Readonly<Record<string, string | undefined>>) => string,
): View {
  let seen = '';
  let end = 0;
  /** Places in the view, and those in the original from which on both go side by side. */
  const here: number[] = [0];
  const there: number[] = [0];
  const mark = (from: number, to: number) => {
    here.push(from);
    there.push(to);
  };
  for (const match of text.matchAll(pattern)) {
    seen += text.slice(end, match.index);
    const meaning = replacement(match.groups ?? {});
    if (meaning !== '') mark(seen.length, match.index);
    seen += meaning;
    end = match.index + match[0].length;
    mark(seen.length, end);
  }
  return { text: seen + text.slice(end), startOf: (index) => startOf(originalPlace(here, there, index)) };
}

function originalPlace(here: readonly number[], there: readonly number[], index: number): number {
  let low = 0;
  let high = here.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((here[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return (there[low] ?? 0) + index - (here[low] ?? 0);
}
