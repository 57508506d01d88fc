/** Makes text from outside harmless in Markdown: it is shown as it is, and does nothing. */

/** On one line, for headings, lists and cells of a table. Nothing becomes a link, a mention or a formula either. */
export function inline(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]#|~$@:.]|^[-+=]/g, '\\$&')
    .replace(/[&<>]/g, (char) => ENTITIES[char] ?? char)
    .replace(/\\[@#]/g, `$&${NOT_JOINED}`);
}

/** GitHub looks for mentions and issues when escapes are gone. */
const NOT_JOINED = '\u200d';

/** As code, on one line. A bar would end the cell of a table, whatever stands before it. */
export function code(text: string): string {
  const line = oneLine(text);
  if (line.includes('|')) return `<code>${inline(text).replace(/\\\|/g, '&#124;')}</code>`;
  const ticks = '`'.repeat(longestRun(line) + 1);
  return line === '' ? '' : `${ticks} ${line} ${ticks}`;
}

/** As a block of code that nothing in the text can end. */
export function block(text: string, indent = ''): string {
  const shown = visible(text).trimEnd();
  const ticks = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return [`${ticks}text`, ...shown.split('\n'), ticks].map((line) => `${indent}${line}`).join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function oneLine(text: string): string {
  return visible(text).replace(/\s*\n\s*/g, ' ');
}

/** Control characters, and those that turn the direction of text, are shown and do not act. */
function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (char) => {
      const value = char.charCodeAt(0);
      return value < 0x20 ? String.fromCharCode(0x2400 + value) : `\\u${value.toString(16).padStart(4, '0')}`;
    });
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
