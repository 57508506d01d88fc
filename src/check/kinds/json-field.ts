/** A part of the text's JSON contains, lacks, equals or matches something. A part that is not there fails, whatever is asked of it. */
import { runInNewContext } from 'node:vm';
import { query } from 'json-p3';
import type { JsonField } from '../../model/grader.ts';
import type { GraderResult } from '../check.ts';
import { contains, notContains } from './contains.ts';
import { edges } from './edges.ts';
import { regex } from './regex.ts';

const MAX_MS = 1_000;

/** `gap`: why the text is not whole. */
export function jsonField(
  { field, relation, value }: JsonField,
  text: string,
  where: string,
  gap: string | null = null,
): GraderResult {
  let found: readonly string[];
  try {
    found = valuesAt(parsed(text), field).map(textOf);
  } catch (error) {
    return unreadable(error as Error, field, text, where);
  }
  const place = `${field} of ${where}`;
  if (found.length === 0) return { verdict: 'FAIL', message: `${where} has no ${field}` };
  const results = found.map((it) => compare(relation, value, it, place, gap));
  const decisive = relation === 'not-contains' ? 'FAIL' : 'PASS';
  const [first = { verdict: 'SKIP', message: place }] = results;
  return (
    results.find(({ verdict }) => verdict === decisive) ??
    results.find(({ verdict }) => verdict === 'SKIP') ??
    first
  );
}

/** No value, one, or as many as a JSONPath finds. */
function valuesAt(root: unknown, field: string): readonly unknown[] {
  // Another context only for its time limit: a filter may hold a pattern that searches without end.
  if (field.startsWith('$'))
    return runInNewContext(
      'find()',
      { find: () => query(field, root as never).values() },
      { timeout: MAX_MS },
    );
  const steps = field.startsWith('/')
    ? field.slice(1).split('/').map(unescaped)
    : field === ''
      ? []
      : [field];
  let value: unknown = root;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(step)) return [];
    if (!Object.hasOwn(value, step)) return [];
    value = (value as Record<string, unknown>)[step];
  }
  return [value];
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function unreadable(error: Error, field: string, text: string, where: string): GraderResult {
  // Told by the caller: neither what must be there nor what must not can be shown of it.
  if (error instanceof RangeError) throw error;
  if ((error instanceof SyntaxError && !field.startsWith('$')) || isNotJson(text)) {
    const why =
      text.trim() === ''
        ? 'it is empty'
        : /^\s*```/.test(text)
          ? 'it stands between ``` fences'
          : error.message;
    return { verdict: 'FAIL', message: `${where} has no ${field}: it is not JSON: ${why}` };
  }
  return { verdict: 'SKIP', message: `${field} could not be looked up: ${error.message}` };
}

function isNotJson(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

function compare(
  relation: JsonField['relation'],
  value: string,
  text: string,
  place: string,
  gap: string | null,
): GraderResult {
  if (relation === 'contains') return contains([value], text, place);
  if (relation === 'not-contains') return notContains([value], text, place, gap);
  if (relation === 'equals') return edges('equals', { value, exact: true }, text, place);
  return regex({ pattern: value, dialect: 'rust' }, text, place);
}

/** Texts as they are, everything else as compact JSON with sorted keys. */
function textOf(value: unknown): string {
  return typeof value === 'string' && !value.startsWith(DIGITS) ? value : compact(value);
}

function compact(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(',')}]`;
  if (typeof value === 'string' && value.startsWith(DIGITS)) return value.slice(DIGITS.length);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${compact(field)}`).join(',')}}`;
}

/** Begins what stands for a whole number with more digits than JavaScript keeps; of no use to anybody else. */
const DIGITS = '\u{fdd0}';
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** With every digit of long numbers, such as ids: what is not in them must not seem to be, nor the other way round. */
function parsed(text: string): unknown {
  JSON.parse(text);
  const isLong = (token: string) => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
  return JSON.parse(text.replaceAll(TOKENS, (token) => (isLong(token) ? `"${DIGITS}${token}"` : token)));
}
