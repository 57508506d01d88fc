/** Text laid out for a terminal. */

const WIDTH = 80;

/** Breaks a sentence into lines that fit; further lines are indented. */
export function wrap(text: string, indent = '', width = WIDTH): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ (?!%)/)) {
    const isFull = line !== '' && line.length + 1 + word.length > width;
    if (isFull) lines.push(line);
    line = isFull ? `${indent}${word}` : line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** What fits on a line, with a sign that there was more. */
export function cut(text: string, width = WIDTH): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** Columns as wide as their widest cell, the last one as it is. */
export function columns(rows: readonly (readonly string[])[], gap = 2): string[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: count }, (_, index) =>
    rows.reduce((most, row) => Math.max(most, [...(row[index] ?? '')].length), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, index) => `${cell}${' '.repeat(Math.max(0, (widths[index] ?? 0) - [...cell].length))}`)
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}
