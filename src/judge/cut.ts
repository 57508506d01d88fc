/** Keeps text within a number of characters: head and tail stay, and a mark says what went. */

export function cut(text: string, budget: number): string {
  if (text.length <= budget) return text;
  const head = wholeHead(text, Math.ceil(budget / 2));
  const tail = wholeTail(text, Math.floor(budget / 2));
  return `${head}${cutMark(text.length - head.length - tail.length, 'characters')}${tail}`;
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
  return [...lines.slice(0, head), cutMark(tail - head, 'entries'), ...lines.slice(tail)].join('\n');
}

export const CUT_MARK = /\[… [\d,]+ (?:characters|entries) cut …\]/g;

function cutMark(count: number, what: 'characters' | 'entries'): string {
  return `[… ${count.toLocaleString('en-US')} ${what} cut …]`;
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
