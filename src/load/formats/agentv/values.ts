/** Values of the type they must have, or null after reporting that they have not. */
import type { Findings } from './findings.ts';
import { type Fields, fieldOf, innerPart, isFields, itemsOf, keyOf, type Part } from './part.ts';

/** Numbers are taken as text where text is meant: YAML makes numbers of what people write without quotes. */
export function textIn(part: Part | null, findings: Findings): string | null {
  if (part === null) return null;
  if (typeof part.value === 'string') return part.value;
  if (typeof part.value === 'number' || typeof part.value === 'boolean') return String(part.value);
  return wrongType(part, 'a text', findings);
}

/** One text or a list of them. */
export function textsIn(part: Part | null, findings: Findings): string[] | null {
  if (part === null) return null;
  const texts = itemsOf(part).map((it) => textIn(it, findings));
  return texts.some((it) => it === null) ? null : (texts as string[]);
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
  /** More than `min`, not equal to it. */
  readonly above?: boolean;
  readonly whole?: boolean;
}

export function numberIn(
  part: Part | null,
  findings: Findings,
  {
    min = Number.NEGATIVE_INFINITY,
    max = Number.POSITIVE_INFINITY,
    above = false,
    whole = false,
  }: Bounds = {},
): number | null {
  if (part === null) return null;
  const { value } = part;
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType(part, 'a number', findings);
  const fits = (above ? value > min : value >= min) && value <= max && (!whole || Number.isInteger(value));
  if (fits) return value;
  const kind = whole ? 'a whole number' : 'a number';
  const lower = Number.isFinite(min) ? ` ${above ? 'above' : 'from'} ${min}` : '';
  const upper = Number.isFinite(max) ? ` up to ${max}` : lower && !above ? ' on' : '';
  findings.error(part, {
    rule: 'wrong-value',
    message: `${keyOf(part)} must be ${kind}${lower}${upper}, not ${value}`,
  });
  return null;
}

export function booleanIn(part: Part | null, findings: Findings): boolean | null {
  if (part === null) return null;
  return typeof part.value === 'boolean' ? part.value : wrongType(part, 'true or false', findings);
}

export function fieldsIn(part: Part | null, findings: Findings): Fields | null {
  if (part === null) return null;
  return isFields(part) ? part : wrongType(part, 'a map of keys', findings);
}

export function listIn(part: Part | null, findings: Findings): Part[] | null {
  if (part === null) return null;
  return Array.isArray(part.value) ? itemsOf(part) : wrongType(part, 'a list', findings);
}

/** A word of a set, however its parts are joined. */
export function wordIn<Word extends string>(
  part: Part | null,
  words: readonly Word[],
  findings: Findings,
): Word | null {
  if (part === null) return null;
  const written =
    typeof part.value === 'string' ? part.value.trim().toLowerCase().replaceAll('_', '-') : null;
  const known = words.find((word) => word === written);
  if (known !== undefined) return known;
  findings.error(part, {
    rule: 'wrong-value',
    message: `${keyOf(part)} must be one of ${words.join(', ')}, not ${JSON.stringify(part.value)}`,
  });
  return null;
}

/** What stands under one of these names; under two of them it is not clear which one is meant. */
export function oneOf(fields: Fields, keys: readonly string[], findings: Findings): Part | null {
  const [first, second] = keys.filter((key) => fieldOf(fields, key) !== null);
  if (second !== undefined)
    findings.error(innerPart(fields, second), {
      rule: 'two-values',
      message: `${first} and ${second} are two names for one thing, and both are there`,
      hint: 'leave one of them out',
    });
  return fieldOf(fields, ...keys);
}

/** A text that must be there. */
export function requiredText(fields: Fields, key: string, what: string, findings: Findings): string | null {
  const part = fieldOf(fields, key);
  if (part === null) {
    findings.error(fields, { rule: 'missing-key', message: `${what} needs a ${key}` });
    return null;
  }
  return textIn(part, findings);
}

function wrongType(part: Part, expected: string, findings: Findings): null {
  findings.error(part, { rule: 'wrong-type', message: `${keyOf(part)} must be ${expected}` });
  return null;
}
