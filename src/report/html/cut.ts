import type { ViewerText } from '../../model/viewer.ts';

const HEAD_SHARE = 0.75;

/** The beginning and the end of a text that is longer than `limit` characters. Captures come from files: anything may be in them. */
export function cutText(value: unknown, limit: number): ViewerText {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= limit) return text;
  const head = Math.floor(limit * HEAD_SHARE);
  const tail = limit - head;
  return { head: text.slice(0, head), cut: text.length - limit, tail: text.slice(text.length - tail) };
}

/** For texts that are told in a line or two. */
export function cutLine(value: unknown, limit = 2_000): string {
  const text = cutText(value, limit);
  return typeof text === 'string' ? text : `${text.head} […] ${text.tail}`;
}
