/** Reads streams of JSON lines of which nothing is promised. */
import type { AgentEvent } from '../model/agent-event.ts';
import type { Json } from '../model/tests.ts';
import { MAX_LINE_BYTES } from './lines.ts';

export type JsonObject = { readonly [key: string]: Json | undefined };

/** Gets the objects of a stream one by one. */
export interface LineReader {
  read(line: JsonObject): Iterable<AgentEvent>;
  /** What is known at the end of the stream. */
  end(): Iterable<AgentEvent>;
}

const EXCERPT = 500;
/** A shorter line cannot have been cut: no character takes more than three bytes. */
const SURELY_WHOLE = Math.floor(MAX_LINE_BYTES / 3);
/** A stream that is all nonsense is told as such by its first lines. */
const MAX_UNREADABLE = 100;

export async function* readJsonLines(
  lines: AsyncIterable<string>,
  reader: LineReader,
): AsyncGenerator<AgentEvent> {
  let unreadable = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const value = parse(line);
    if (isObject(value) && typeof value['type'] === 'string') yield* reader.read(value);
    else if (line.length >= SURELY_WHOLE) yield { type: 'cut', what: 'a line of the output was too long' };
    else if (++unreadable <= MAX_UNREADABLE) yield { type: 'unreadable', line: line.slice(0, EXCERPT) };
  }
  yield* reader.end();
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** An empty text says nothing. */
export function textOrNull(value: Json | undefined): string | null {
  return text(value) || null;
}

export function numberOrNull(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** The text in the content of a tool's result: a text, or blocks of which some are text. */
export function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((block) => object(block)['text'])
    .filter((it) => typeof it === 'string')
    .join('\n');
}
