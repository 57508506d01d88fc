/** A text begins with, ends with or is another one. White space around both does not count, unless it must. */
import type { CheckResult } from '../check.ts';

const RELATIONS = {
  'starts-with': { holds: (text: string, value: string) => text.startsWith(value), verb: 'start with' },
  'ends-with': { holds: (text: string, value: string) => text.endsWith(value), verb: 'end with' },
  equals: { holds: (text: string, value: string) => text === value, verb: 'equal' },
} as const;

interface Edge {
  readonly value: string;
  readonly ignoreCase?: boolean | undefined;
  /** White space counts. */
  readonly exact?: boolean | undefined;
}

export function edges(
  relation: keyof typeof RELATIONS,
  { value, ignoreCase = false, exact = false }: Edge,
  text: string,
  where: string,
): CheckResult {
  const whole = (it: string) => (exact ? it : it.trim());
  const plain = (it: string) => (ignoreCase ? whole(it).toLowerCase() : whole(it));
  const { holds, verb } = RELATIONS[relation];
  const actual = whole(text);
  if (holds(plain(text), plain(value)))
    return { verdict: 'PASS', message: `${where} does ${verb} ${quoted(value)}`, actual: null };
  const shown = relation === 'ends-with' ? actual.slice(-MAX_SHOWN) : actual;
  return {
    verdict: 'FAIL',
    message: `${where} does not ${verb} ${quoted(value)} but is ${relation === 'ends-with' ? 'in the end ' : ''}${quoted(shown)}`,
    actual,
  };
}

const MAX_SHOWN = 80;

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
