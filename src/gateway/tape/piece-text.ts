/** A piece of a request as people read it. */
import { isList, isObject, type Json } from './canonical.ts';

export function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (isList(value)) return value.map(textOf).join('\n');
  if (!isObject(value)) return JSON.stringify(value);
  for (const field of ['text', 'content', 'output'] as const) {
    const inner = value[field];
    if (typeof inner === 'string' || isList(inner)) return textOf(inner);
  }
  return JSON.stringify(value, null, 1).replaceAll('\\n', '\n');
}
