/** Assertions that name a check: `{"type": "contains", "value": "…"}` and its many spellings. */
import type { Path } from '../../../model/diagnostic.ts';
import { type Grader, grader, type Share } from '../../../model/grader.ts';
import { patternProblem } from '../../../model/pattern.ts';
import type { Notes } from './notes.ts';

type Fields = Readonly<Record<string, unknown>>;
type Shared = Share & { readonly negate: boolean };
/** null after reporting what is missing. */
type Make = (it: Draft) => Grader | null;

interface Draft {
  readonly id: string;
  readonly share: Shared;
  /** What the assertion is given, as texts. */
  readonly values: readonly string[];
  readonly fields: Fields;
  missing(what: string): null;
}

const texts =
  (match: 'all' | 'any', ignoreCase: boolean): Make =>
  ({ id, share, values, missing }) =>
    values.length === 0
      ? missing('value')
      : grader(id, 'contains', { of: 'said', values, match, ignoreCase }, share);

const one =
  (kind: 'starts-with' | 'ends-with' | 'equals'): Make =>
  ({ id, share, values: [value], missing }) =>
    value === undefined ? missing('value') : grader(id, kind, { of: 'answer', value }, share);

const pattern =
  (mustMatch: boolean): Make =>
  ({ id, share, values: [value], fields: { flags }, missing }) => {
    if (value === undefined) return missing('value');
    const options = { of: 'said', pattern: value, ...(typeof flags === 'string' && { flags }) } as const;
    return grader(id, 'regex', options, { ...share, negate: share.negate === mustMatch });
  };

const none: Make = ({ id, share, values, missing }) =>
  values.length === 0 ? missing('value') : grader(id, 'not-contains', { of: 'said', values }, share);

const files =
  (kind: 'files-exist' | 'files-created'): Make =>
  ({ id, share, values, fields: { path, file }, missing }) => {
    const paths = values.length > 0 ? values : [path, file].filter((it) => typeof it === 'string');
    return paths.length === 0 ? missing('path') : grader(id, kind, { paths }, share);
  };

const fileContent: Make = ({ id, share, values, fields: { path, file }, missing }) => {
  const [where] = [path, file].filter((it) => typeof it === 'string');
  if (where === undefined) return missing('path');
  if (values.length === 0) return missing('value');
  return grader(id, 'file-contains', { path: where, values, match: 'all' }, share);
};

/** Without what is spoken of (content, output, response, text), `_` as `-`. */
const TYPES: Readonly<Record<string, Make>> = {
  contains: texts('all', false),
  'contains-all': texts('all', false),
  'contains-any': texts('any', false),
  icontains: texts('all', true),
  'icontains-all': texts('all', true),
  'icontains-any': texts('any', true),
  'not-contains': none,
  'does-not-contain': none,
  'starts-with': one('starts-with'),
  'ends-with': one('ends-with'),
  equals: one('equals'),
  'exact-match': one('equals'),
  regex: pattern(true),
  'regex-match': pattern(true),
  matches: pattern(true),
  'not-regex': pattern(false),
  'not-matches': pattern(false),
  'is-json': ({ id, share }) => grader(id, 'is-json', { of: 'answer' }, share),
  'valid-json': ({ id, share }) => grader(id, 'is-json', { of: 'answer' }, share),
  'file-exists': files('files-exist'),
  'files-exist': files('files-exist'),
  'file-created': files('files-created'),
  'files-created': files('files-created'),
  'file-contains': fileContent,
};

const VALUES = ['value', 'values', 'pattern', 'expected', 'contains', 'regex'];

/** `a sentence`: it names no check, so that a judge decides it. null: it does, and is wrong. */
export function typedGrader(
  fields: Fields,
  id: string,
  share: Shared,
  path: Path,
  notes: Notes,
): Grader | null | 'a sentence' {
  const written = [fields['type'], fields['kind']].find((it) => typeof it === 'string');
  if (written === undefined) return judged(share, path, notes);
  const type = String(written)
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, '-');
  const make = ownMake(type) ?? ownMake(type.replace(/^(?:content|output|response|text)-/, ''));
  const key = VALUES.find((it) => fields[it] !== undefined);
  const given = key === undefined ? [] : [fields[key]].flat();
  if (make === undefined) {
    if (key !== undefined)
      notes.warnOnce([...path, 'type'], {
        rule: 'assertion-type',
        message: `the assertion type ${JSON.stringify(written)} is not known: the judge decides its text`,
        hint: `types that are checked without a model: ${Object.keys(TYPES).join(', ')}`,
      });
    return judged(share, path, notes);
  }
  const values = given.filter(
    (it): it is string | number => typeof it === 'string' || typeof it === 'number',
  );
  const missing = (what: string) => {
    notes.error(path, { rule: 'missing-key', message: `an assertion of type ${written} needs a ${what}` });
    return null;
  };
  if (values.length < given.length) return missing('text as its value');
  const made = make({ id, share, values: values.map(String), fields, missing });
  const problem = made?.kind === 'regex' && patternProblem(made.options.pattern, made.options.flags);
  if (!problem) return made;
  notes.error([...path, key ?? 'type'], {
    rule: 'bad-pattern',
    message: `the pattern does not compile: ${problem}`,
  });
  return null;
}

function ownMake(type: string): Make | undefined {
  return Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
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
