/** `expected_output`: what a good result looks like, as text for the judge and as data for graders. */
import type { Json } from '../../../model/tests.ts';
import { fieldOf, isFields, itemsOf, type Part } from './part.ts';
import { readPartText } from './part-text.ts';
import type { Reading } from './reading.ts';

export interface Expected {
  readonly text: string | null;
  /** undefined: it is no data. */
  readonly data: Json | undefined;
}

export function readExpected(part: Part | null, reading: Reading): Expected {
  if (part === null) return { text: null, data: undefined };
  const messages = messagesIn(part);
  if (messages === null)
    return { text: readPartText(part, reading)?.trim() || null, data: dataIn(part.value) };
  const texts = messages.map((it) => textOfMessage(it, reading));
  const last = messages
    .map((it) => (isFields(it) ? fieldOf(it, 'content') : null))
    .findLast((it) => it !== null);
  return {
    text: texts.filter(Boolean).join('\n\n').trim() || null,
    data: last ? dataIn(last.value) : undefined,
  };
}

function messagesIn(part: Part): Part[] | null {
  if (!Array.isArray(part.value) || part.value.length === 0) return null;
  const items = itemsOf(part);
  return items.every((it) => isFields(it) && typeof it.value['role'] === 'string') ? items : null;
}

function textOfMessage(part: Part, reading: Reading): string {
  if (!isFields(part)) return '';
  const content = fieldOf(part, 'content');
  const calls = fieldOf(part, 'tool_calls');
  return [
    content === null ? '' : (readPartText(content, reading) ?? ''),
    calls === null ? '' : `Tool calls: ${JSON.stringify(calls.value, null, 2)}`,
  ]
    .filter((it) => it !== '')
    .join('\n\n');
}

function dataIn(value: unknown): Json | undefined {
  if (typeof value === 'object' && value !== null) return value as Json;
  if (typeof value !== 'string') return undefined;
  try {
    const data: unknown = JSON.parse(value);
    return typeof data === 'object' && data !== null ? (data as Json) : undefined;
  } catch {
    return undefined;
  }
}
