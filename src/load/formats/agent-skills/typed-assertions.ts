/** Assertions that name a check: `{"type": "contains", "value": "…"}` and its many spellings. */
import type { Path } from '../../../model/diagnostic.ts';
import type { Grader } from '../../../model/grader.ts';
import { matchesAnything, patternProblem } from '../../../model/pattern.ts';
import type { Notes } from '../../notes.ts';
import { CHECK_TYPES, checkType, type Fields, type Shared } from './check-types.ts';

export interface TypedAssertion {
  readonly fields: Fields;
  readonly id: string;
  readonly share: Shared;
  readonly path: Path;
  /** It stands where people write what must not be. */
  readonly isForbidden: boolean;
}

const VALUES = ['value', 'values', 'pattern', 'expected', 'contains', 'regex'];
/** Of some types alone: elsewhere they would say something that nobody checks. */
const SPECIAL = ['path', 'file', 'flags'];

/** `a sentence`: it names no check, so that a judge decides it. null: it does, and is wrong. */
export function typedGrader(assertion: TypedAssertion, notes: Notes): Grader | null | 'a sentence' {
  const { fields, id, share, path, isForbidden } = assertion;
  const written = typeOf(fields);
  if (written === undefined) return judged(share, path, notes);
  const type = checkType(written);
  const keys = VALUES.filter((it) => fields[it] !== undefined && fields[it] !== null);
  const [key] = keys;
  if (type === undefined) {
    if (key !== undefined) notes.warnOnce([...path, 'type'], unknownType(written));
    return judged(share, path, notes);
  }
  const refuse = (problem: string, at: Path = path) => {
    notes.error(at, { rule: 'wrong-value', message: `an assertion of type ${written} ${problem}` });
    return null;
  };
  const isTwiceNegative = isForbidden && (share.negate || type.isNegative);
  if (isTwiceNegative) return refuse(TWICE_NEGATIVE);
  if (keys.length > 1) return refuse(`has ${keys.join(' and ')}, and only one of them can count`);
  const unread = SPECIAL.find((it) => fields[it] !== undefined && !type.keys.includes(it));
  if (unread !== undefined)
    return refuse(`does not know ${unread}${UNREAD[unread] ?? ''}`, [...path, unread]);
  const given = key === undefined ? [] : [fields[key]].flat();
  const values = given.filter((it) => typeof it === 'string' || typeof it === 'number');
  if (values.length < given.length) return refuse('needs a text as its value');
  const negate = share.negate || isForbidden;
  const made = type.make({ id, share: { ...share, negate }, values: values.map(String), fields, refuse });
  const problem = made?.kind === 'regex' ? patternFault(made.options) : null;
  if (problem === null) return made;
  notes.error([...path, key ?? 'type'], { rule: 'bad-pattern', message: problem });
  return null;
}

/** What the fields say they are; undefined: nothing. */
export function typeOf(fields: Fields): string | undefined {
  return [fields['type'], fields['kind']].find((it) => typeof it === 'string');
}

const TWICE_NEGATIVE =
  'says once more that something must not be, where all must not be: write what is forbidden itself';

const UNREAD: Readonly<Record<string, string>> = {
  path: ': it looks at what the agent said, and file-contains at a file',
  file: ': it looks at what the agent said, and file-contains at a file',
  flags: ', which is for regex; icontains does not care for upper and lower case',
};

function unknownType(written: string) {
  return {
    rule: 'assertion-type',
    message: `the assertion type ${JSON.stringify(written)} is not known: the judge decides its text`,
    hint: `types that are checked without a model: ${CHECK_TYPES.join(', ')}`,
  };
}

function patternFault({ pattern, flags }: { readonly pattern: string; readonly flags?: string }) {
  const problem = patternProblem(pattern, flags);
  if (problem !== null) return `the pattern does not compile: ${problem}`;
  return matchesAnything(pattern, flags) ? 'the pattern matches every text, so it decides nothing' : null;
}

/** A judge decides what stands there; the opposite must be said in words. */
function judged({ negate }: Shared, path: Path, notes: Notes): 'a sentence' | null {
  if (!negate) return 'a sentence';
  notes.error([...path, 'negate'], {
    rule: 'wrong-value',
    message: 'negate is for checks; a sentence for the judge says itself what must not be',
  });
  return null;
}
