/** Every part of the expected JSON is in the actual one: maps may have more keys, lists must have the same length. */
import { createPatch } from 'diff';
import type { CheckResult } from '../check.ts';

/** Throws a RangeError when the text is nested too deeply to be looked through. */
export function jsonSubset(expected: unknown, text: string, where: string): CheckResult {
  let actual: unknown;
  try {
    actual = JSON.parse(text);
    // What cannot be written again cannot be shown.
    JSON.stringify(actual);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const found = text.trim() === '' ? 'it is empty' : (error as Error).message;
    return { verdict: 'FAIL', message: `${where} is not JSON: ${found}`, actual: text.slice(0, 500) };
  }
  const mismatch = firstMismatch(expected, actual, []);
  if (!mismatch) return { verdict: 'PASS', message: `${where} has all that is expected`, actual: null };
  const place = mismatch.path.length > 0 ? `at ${pointer(mismatch.path)}: ` : '';
  return {
    verdict: 'FAIL',
    message: `${where} differs ${place}expected ${show(mismatch.expected)}, got ${show(mismatch.actual)}`,
    actual,
    at: mismatch.path,
    ...difference(expected, actual),
  };
}

/** The same rule for two values. */
export function isPartOf(expected: unknown, actual: unknown): boolean {
  return firstMismatch(expected, actual, []) === null;
}

/** Maps may have more keys, at any depth outside of lists; lists are equal. */
export function isPartWithLists(expected: unknown, actual: unknown): boolean {
  if (!isObject(expected)) return isPartOf(expected, actual) && isPartOf(actual, expected);
  return (
    isObject(actual) &&
    Object.keys(expected).every(
      (key) => Object.hasOwn(actual, key) && isPartWithLists(expected[key], actual[key]),
    )
  );
}

interface Mismatch {
  readonly path: readonly (string | number)[];
  readonly expected: unknown;
  readonly actual: unknown;
}

function firstMismatch(
  expected: unknown,
  actual: unknown,
  path: readonly (string | number)[],
): Mismatch | null {
  const mismatch = { path, expected, actual };
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return mismatch;
    return first(expected.keys(), (index) => firstMismatch(expected[index], actual[index], [...path, index]));
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return mismatch;
    return first(Object.keys(expected), (key) =>
      firstMismatch(expected[key], Object.hasOwn(actual, key) ? actual[key] : undefined, [...path, key]),
    );
  }
  return Object.is(expected, actual) || expected === actual ? null : mismatch;
}

function first<Item>(items: Iterable<Item>, find: (item: Item) => Mismatch | null): Mismatch | null {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return null;
}

/** Texts with little in common are compared for minutes. */
const MAX_MS = 500;

/** What was expected against the part of the actual value that it speaks of, line by line. */
function difference(expected: unknown, actual: unknown): { readonly diff?: string } {
  const before = `${JSON.stringify(expected, null, 2)}\n`;
  const after = `${JSON.stringify(project(actual, expected), null, 2) ?? 'nothing'}\n`;
  const patch = createPatch('', before, after, '', '', { context: 3, timeout: MAX_MS });
  if (patch === undefined) return {};
  const lines = patch.split('\n').slice(4);
  const diff = lines
    .filter((line) => !line.startsWith('@@') && !line.startsWith('\\'))
    .join('\n')
    .trimEnd();
  return { diff };
}

/** The actual value without the keys that nothing was expected of, in the order of the expectation. */
function project(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((item, index) => (index < expected.length ? project(item, expected[index]) : item));
  }
  if (isObject(actual) && isObject(expected)) {
    const keys = Object.keys(expected).filter((key) => Object.hasOwn(actual, key));
    return Object.fromEntries(keys.map((key) => [key, project(actual[key], expected[key])]));
  }
  return actual;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pointer(path: readonly (string | number)[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
