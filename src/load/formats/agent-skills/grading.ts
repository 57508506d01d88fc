/** What a case expects, in every spelling, as graders and criteria. */
import type { Path } from '../../../model/diagnostic.ts';
import { agreesWith } from '../../../model/reference.ts';
import type { Notes } from '../../notes.ts';
import { type Graded, itemsOf, readAssertions, type Written } from './assertions.ts';
import type { Entry } from './entries.ts';
import { ASSERTIONS, EXPECTED, FORBIDDEN } from './keys.ts';

export interface Expected {
  /** What a good result looks like. */
  readonly reference: string | null;
  /** Lists are assertions by another name. */
  readonly items: readonly Written[];
  readonly keys: readonly string[];
}

export function readExpected({ fields, path }: Entry, notes: Notes): Expected {
  const texts: string[] = [];
  let items: Written[] = [];
  const keys = EXPECTED.filter((key) => fields[key] !== undefined && fields[key] !== null);
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === 'string') texts.push(value.trim());
    else if (typeof value === 'object') items = items.concat(writtenIn(value, [...path, key], WANTED));
    else
      notes.warnOnce([...path, key], {
        rule: 'wrong-type',
        message: `${JSON.stringify(key)} is ${JSON.stringify(value)}, which cannot be graded`,
      });
  }
  return { reference: texts.filter(Boolean).join('\n\n') || null, items, keys };
}

export function gradedBy({ fields, path }: Entry, { reference, items }: Expected, notes: Notes): Graded {
  const from = (keys: readonly string[], kindOf: (key: string) => Kind) =>
    keys
      .filter((key) => fields[key] !== undefined && fields[key] !== null)
      .flatMap((key) => writtenIn(fields[key], [...path, key], kindOf(key)));
  const graded = readAssertions(
    [
      ...from(ASSERTIONS, (key) => (key === 'must_include' ? INCLUDED : WANTED)),
      ...items,
      ...from(FORBIDDEN, (key) => (key === 'must_not_include' ? EXCLUDED : UNWANTED)),
    ],
    notes,
  );
  if (graded.graders.length + graded.criteria.length > 0 || reference === null) return graded;
  return { graders: [], criteria: [agreesWith(reference)] };
}

type Kind = Pick<Written, 'phrase' | 'prefix' | 'isForbidden'>;

function writtenIn(value: unknown, path: Path, kind: Kind): Written[] {
  return itemsOf(value, path).map((it) => ({ ...it, ...kind }));
}

const WANTED: Kind = { phrase: (text) => text, prefix: 'assertion', isForbidden: false };
const INCLUDED: Kind = { ...WANTED, phrase: (text) => `The result includes: ${text}` };
const UNWANTED: Kind = {
  phrase: (text) => `This did not happen: ${text}`,
  prefix: 'forbidden',
  isForbidden: true,
};
const EXCLUDED: Kind = { ...UNWANTED, phrase: (text) => `The result does not include: ${text}` };
