/** Substrings that must, or must not, be in a text. */
import type { CheckResult } from '../check.ts';

export function contains(needles: readonly string[], text: string, where: string): CheckResult {
  const missing = needles.findIndex((needle) => !text.includes(needle));
  if (missing < 0) return { verdict: 'PASS', message: `${where} has all ${needles.length}`, actual: null };
  const others = needles.filter((needle, index) => index > missing && !text.includes(needle));
  const all = [needles[missing], ...others].map((needle) => JSON.stringify(needle)).join(', ');
  return {
    verdict: 'FAIL',
    message: `${where} does not contain ${all}`,
    actual: excerpt(text),
    at: [missing],
  };
}

/** `gap`: why the text is not whole, so that a part which must not be there may be in what is missing. */
export function notContains(
  needles: readonly string[],
  text: string,
  where: string,
  gap: string | null = null,
): CheckResult {
  const found = needles.findIndex((needle) => text.includes(needle));
  if (found < 0 && gap !== null && needles.length > 0) {
    const message = `${where} is not known to its end, so it may contain ${JSON.stringify(needles[0])}: ${gap}`;
    return { verdict: 'FAIL', message, actual: excerpt(text) };
  }
  if (found < 0) return { verdict: 'PASS', message: `${where} has none of ${needles.length}`, actual: null };
  const needle = needles[found] ?? '';
  const line = text.slice(0, text.indexOf(needle)).split('\n').length;
  const message = `${where} contains ${JSON.stringify(needle)} (line ${line})`;
  return { verdict: 'FAIL', message, actual: excerpt(text), at: [found] };
}

const EXCERPT_LENGTH = 500;

function excerpt(text: string): string {
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text;
}
