/** One entry of a record as a line of JSON, so that no text inside can pass for another entry. */
import { cut } from './cut.ts';
import { visible } from './visible.ts';

/** `budget`: for each field. All fields stay, and give up more of their text where there are many long ones. */
export function entryLine(entry: object, budget: number): string {
  for (let each = budget; ; each = Math.floor(each / 2)) {
    const fields = Object.entries(entry).map(([key, value]) => [key, bounded(value, each)]);
    const line = JSON.stringify(Object.fromEntries(fields));
    if (line.length <= LONG_FIELDS * budget || each <= SHORTEST) return line;
  }
}

/** How many fields of an entry may have all of their budget. */
const LONG_FIELDS = 3;
const SHORTEST = 16;

function bounded(value: unknown, budget: number): unknown {
  const short = shortened(value, budget, 0);
  if (typeof short === 'string') return short;
  const text = JSON.stringify(short) ?? 'null';
  if (text.length <= 2 * budget) return short;
  // What was cut inside goes with it: only one cut is told of.
  return cut(JSON.stringify(readable(value, 0)), budget);
}

const MAX_DEPTH = 32;
const TOO_DEEP = '[nested too deeply to be shown]';

function shortened(value: unknown, budget: number, depth: number): unknown {
  return mapped(value, depth, (text) => cut(visible(text), budget));
}

function readable(value: unknown, depth: number): unknown {
  return mapped(value, depth, visible);
}

function mapped(value: unknown, depth: number, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((it) => mapped(it, depth + 1, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [visible(key), mapped(it, depth + 1, change)]),
  );
}
