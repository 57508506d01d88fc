/** What a case expects, in every spelling, as graders and criteria. */
import type { Path } from '../../../model/diagnostic.ts';
import { agreesWith } from '../../../model/reference.ts';
import { type Graded, itemsOf, readAssertions, type Written } from './assertions.ts';
import type { Entry } from './entries.ts';
import { ASSERTIONS, EXPECTED, FORBIDDEN } from './keys.ts';
import type { Notes } from './notes.ts';

export interface Expected {
  /** What a good result looks like. */
  readonly reference: string | null;
  /** Lists are assertions by another name. */
  readonly items: readonly Written[];
  readonly keys: readonly string[];
}

export function readExpected({ fields, path }: Entry, notes: Notes): Expected {
  const texts: string[] = [];
  const items: Written[] = [];
  const keys = EXPECTED.filter((key) => fields[key] !== undefined && fields[key] !== null);
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === 'string') texts.push(value.trim());
    else if (typeof value === 'object') items.push(...writtenIn(value, [...path, key], plain, 'assertion'));
    else
      notes.warnOnce([...path, key], {
        rule: 'wrong-type',
        message: `${JSON.stringify(key)} is ${JSON.stringify(value)}, which cannot be graded`,
      });
  }
  return { reference: texts.filter(Boolean).join('\n\n') || null, items, keys };
}

export function gradedBy({ fields, path }: Entry, { reference, items }: Expected, notes: Notes): Graded {
  const from = (keys: readonly string[], phrase: (key: string) => (text: string) => string, prefix: string) =>
    keys
      .filter((key) => fields[key] !== undefined && fields[key] !== null)
      .flatMap((key) => writtenIn(fields[key], [...path, key], phrase(key), prefix));
  const graded = readAssertions(
    [
      ...from(ASSERTIONS, (key) => (key === 'must_include' ? included : plain), 'assertion'),
      ...items,
      ...from(FORBIDDEN, (key) => (key === 'must_not_include' ? excluded : forbidden), 'forbidden'),
    ],
    notes,
  );
  if (graded.graders.length + graded.criteria.length > 0 || reference === null) return graded;
  return { graders: [], criteria: [agreesWith(reference)] };
}

function writtenIn(value: unknown, path: Path, phrase: Written['phrase'], prefix: string): Written[] {
  return itemsOf(value, path).map((it) => ({ ...it, phrase, prefix }));
}

const plain = (text: string) => text;
const included = (text: string) => `The result includes: ${text}`;
const excluded = (text: string) => `The result does not include: ${text}`;
const forbidden = (text: string) => `This did not happen: ${text}`;
