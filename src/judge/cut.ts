/** Keeps text within a number of characters: head and tail stay, and a sign says what went. */

export function cut(text: string, budget: number): string {
  if (text.length <= budget) return text;
  const head = wholeHead(text, Math.ceil(budget / 2));
  const tail = wholeTail(text, Math.floor(budget / 2));
  return `${head}${sign(text.length - head.length - tail.length, 'characters')}${tail}`;
}

/** The same for a list of lines: none of them is cut, but some are left out. */
export function cutLines(lines: readonly string[], budget: number): string {
  let [head, tail, room] = [0, lines.length, budget];
  for (let fromHead = true; head < tail; fromHead = !fromHead) {
    const line = (fromHead ? lines[head] : lines[tail - 1]) ?? '';
    room -= line.length + 1;
    if (room < 0) break;
    if (fromHead) head += 1;
    else tail -= 1;
  }
  if (head === tail) return lines.join('\n');
  return [...lines.slice(0, head), sign(tail - head, 'entries'), ...lines.slice(tail)].join('\n');
}

/** For messages, where a few dots are enough. */
export function abridge(text: string, budget: number): string {
  if (text.length <= budget) return text;
  return `${wholeHead(text, Math.ceil(budget / 2))} […] ${wholeTail(text, Math.floor(budget / 2))}`;
}

/** What was cut is told with the mark of the request, which nobody who wrote the text can know. */
export function tellCuts(text: string, mark: string): string {
  return text.replace(SIGNS, (_, what: string) => `[${mark}: ${what} cut]`);
}

/** The pieces of a text that has been cut. Each has `CUT_EDGE` where the next one is missing. */
export function piecesOf(text: string): string[] {
  const pieces = text.split(SIGNS).filter((_, index) => index % 2 === 0);
  return pieces.map((piece, index) => {
    const before = index === 0 ? '' : CUT_EDGE;
    return `${before}${piece}${index === pieces.length - 1 ? '' : CUT_EDGE}`;
  });
}

/** Stands in no text of others: `visible` writes such characters out. */
export const CUT_EDGE = '\uf8ff';

const SIGNS = new RegExp(`${CUT_EDGE}([\\d,]+ (?:characters|entries))${CUT_EDGE}`, 'g');

function sign(count: number, what: 'characters' | 'entries'): string {
  return `${CUT_EDGE}${count.toLocaleString('en-US')} ${what}${CUT_EDGE}`;
}

/** A pair that makes one character is not torn. */
function wholeHead(text: string, length: number): string {
  return text.slice(0, isHigh(text, length - 1) ? length - 1 : length);
}

function wholeTail(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(isHigh(text, start - 1) ? start + 1 : start);
}

function isHigh(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}
