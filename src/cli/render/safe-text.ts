import { seconds } from '../../model/words.ts';

/** Text from outside, made safe to print: control characters become visible instead of acting on the terminal. */
export function safeText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, (char) => {
      const code = char.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
    });
}

/** The same on one line: a name from outside must not look like a line of ours. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', '␊');
}

/** The same on lines that are further in than any of ours that begin a line. */
export function safeBlock(text: string): string {
  return safeText(text).replaceAll('\n', '\n      ');
}

/** The last lines of a text, and how many came before. */
export function lastLines(text: string, count: number): { lines: string[]; before: number } {
  const lines = text.trimEnd().split('\n');
  return { lines: lines.slice(-count), before: Math.max(lines.length - count, 0) };
}

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

export function duration(ms: number): string {
  return seconds(ms / 1000);
}
