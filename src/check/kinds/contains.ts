/** Substrings that must, or must not, be in a text. */
import type { CheckResult } from '../check.ts';

interface Matching {
  readonly match?: 'all' | 'any';
  readonly ignoreCase?: boolean | undefined;
}

export function contains(
  needles: readonly string[],
  text: string,
  where: string,
  { match = 'all', ignoreCase = false }: Matching = {},
): CheckResult {
  const has = finder(text, ignoreCase);
  const missing = needles.filter((needle) => !has(needle));
  const first = needles.findIndex((needle) => !has(needle));
  if (match === 'any' && missing.length < needles.length) {
    const found = needles.find(has);
    return { verdict: 'PASS', message: `${where} contains ${JSON.stringify(found)}`, actual: null };
  }
  if (match === 'all' && first < 0)
    return { verdict: 'PASS', message: `${where} has all ${needles.length}`, actual: null };
  const all = missing.map((needle) => JSON.stringify(needle)).join(', ');
  const none = match === 'any' && needles.length > 1;
  return {
    verdict: 'FAIL',
    message: `${where} ${none ? 'contains none of' : 'does not contain'} ${all || 'any text, as none is given'}`,
    actual: excerpt(text),
    at: [Math.max(first, 0)],
  };
}

/** `gap`: why the text is not whole, so that a part which must not be there may be in what is missing. */
export function notContains(
  needles: readonly string[],
  text: string,
  where: string,
  gap: string | null = null,
  ignoreCase = false,
): CheckResult {
  const found = needles.findIndex(finder(text, ignoreCase));
  if (found < 0 && gap !== null && needles.length > 0) {
    const message = `${where} is not known to its end, so it may contain ${JSON.stringify(needles[0])}: ${gap}`;
    return { verdict: 'FAIL', message, actual: excerpt(text) };
  }
  if (found < 0) return { verdict: 'PASS', message: `${where} has none of ${needles.length}`, actual: null };
  const needle = needles[found] ?? '';
  const line = text.slice(0, plain(text, ignoreCase).indexOf(plain(needle, ignoreCase))).split('\n').length;
  const message = `${where} contains ${JSON.stringify(needle)} (line ${line})`;
  return { verdict: 'FAIL', message, actual: excerpt(text), at: [found] };
}

function finder(text: string, ignoreCase: boolean): (needle: string) => boolean {
  const searched = plain(text, ignoreCase);
  return (needle) => searched.includes(plain(needle, ignoreCase));
}

function plain(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

const EXCERPT_LENGTH = 500;

function excerpt(text: string): string {
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text;
}
