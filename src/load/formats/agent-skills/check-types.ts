/** The types of assertions that are checked without a model, and what each of them is given. */
import { type Grader, grader, type Share } from '../../../model/grader.ts';
import { normalizePath, pathProblem } from '../../../model/names.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Shared = Share & { readonly negate: boolean };

interface Draft {
  readonly id: string;
  readonly share: Shared;
  /** What the assertion is given, as texts. */
  readonly values: readonly string[];
  readonly fields: Fields;
  /** Reports what is wrong with it, in words that follow "an assertion of type …". */
  refuse(problem: string): null;
}

interface CheckType {
  /** null after reporting what is wrong. */
  readonly make: (it: Draft) => Grader | null;
  /** Keys of its own, beside those that every type knows. */
  readonly keys: readonly string[];
  /** It says itself that something must not be. */
  readonly isNegative: boolean;
}

/** By its name as people write it; undefined: it is none. What is spoken of may stand in front. */
export function checkType(written: string): CheckType | undefined {
  const type = written
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, '-');
  const names = [type, type.replace(/^(?:content|output|response|text)-/, '')];
  const name = names.find((it) => Object.hasOwn(TYPES, it));
  return name === undefined ? undefined : TYPES[name];
}

const EMPTY = 'has an empty value, which is in every text';
const ONE = 'takes one value, not a list: write an assertion for each';

/** Of a list that must not be there, nothing may be. */
const texts = (match: 'all' | 'any' | 'as asked', ignoreCase: boolean): CheckType =>
  type(({ id, share, values, refuse }) => {
    if (values.length === 0) return refuse('needs a value');
    if (values.includes('')) return refuse(EMPTY);
    const matched = match === 'as asked' ? (share.negate ? 'any' : 'all') : match;
    return grader(id, 'contains', { of: 'said', values, match: matched, ignoreCase }, share);
  });

const none = (): CheckType => ({
  ...type(({ id, share, values, refuse }) => {
    if (values.length === 0) return refuse('needs a value');
    return values.includes('') ? refuse(EMPTY) : grader(id, 'not-contains', { of: 'said', values }, share);
  }),
  isNegative: true,
});

const one = (kind: 'starts-with' | 'ends-with' | 'equals'): CheckType =>
  type(({ id, share, values: [value, ...more], refuse }) => {
    if (value === undefined) return refuse('needs a value');
    if (more.length > 0) return refuse(ONE);
    // Only an answer can be nothing at all; everything begins and ends with nothing.
    if (kind !== 'equals' && value.trim() === '') return refuse(EMPTY);
    return grader(id, kind, { of: 'answer', value }, share);
  });

const pattern = (mustMatch: boolean): CheckType => ({
  ...type(
    ({ id, share, values: [value, ...more], fields: { flags }, refuse }) => {
      if (value === undefined) return refuse('needs a value');
      if (more.length > 0) return refuse(ONE);
      if (flags !== undefined && typeof flags !== 'string') return refuse('needs its flags as a text');
      const options = { of: 'said', pattern: value, ...(flags !== undefined && { flags }) } as const;
      return grader(id, 'regex', options, { ...share, negate: share.negate === mustMatch });
    },
    ['flags'],
  ),
  isNegative: !mustMatch,
});

const json = (): CheckType =>
  type(({ id, share, values, refuse }) =>
    values.length > 0 ? refuse('takes no value') : grader(id, 'is-json', { of: 'answer' }, share),
  );

const FILE_KEYS = ['path', 'file'];

const files = (kind: 'files-exist' | 'files-created'): CheckType =>
  type(({ id, share, values, fields, refuse }) => {
    const paths = [...values, ...pathsIn(fields)];
    if (paths.length === 0) return refuse('needs a path');
    if (values.length > 0 && paths.length > values.length) return refuse('names its file twice');
    const problem = unusable(paths);
    if (problem !== null) return refuse(problem);
    if (share.negate && paths.length > 1) return refuse(`that must not hold ${ONE}`);
    return grader(id, kind, { paths }, share);
  }, FILE_KEYS);

const fileContent = (): CheckType =>
  type(({ id, share, values, fields, refuse }) => {
    const [path, ...more] = pathsIn(fields);
    if (path === undefined) return refuse('needs a path');
    if (more.length > 0) return refuse('names its file twice');
    if (values.length === 0) return refuse('needs a value');
    if (values.includes('')) return refuse(EMPTY);
    const problem = unusable([path]);
    if (problem !== null) return refuse(problem);
    return grader(id, 'file-contains', { path, values, match: share.negate ? 'any' : 'all' }, share);
  }, FILE_KEYS);

/** `_` as `-`. */
const TYPES: Readonly<Record<string, CheckType>> = {
  contains: texts('as asked', false),
  'contains-all': texts('all', false),
  'contains-any': texts('any', false),
  icontains: texts('as asked', true),
  'icontains-all': texts('all', true),
  'icontains-any': texts('any', true),
  'not-contains': none(),
  'does-not-contain': none(),
  'starts-with': one('starts-with'),
  'ends-with': one('ends-with'),
  equals: one('equals'),
  'exact-match': one('equals'),
  regex: pattern(true),
  'regex-match': pattern(true),
  matches: pattern(true),
  'not-regex': pattern(false),
  'not-matches': pattern(false),
  'is-json': json(),
  'valid-json': json(),
  'file-exists': files('files-exist'),
  'files-exist': files('files-exist'),
  'file-created': files('files-created'),
  'files-created': files('files-created'),
  'file-contains': fileContent(),
};

export const CHECK_TYPES: readonly string[] = Object.keys(TYPES);

function type(make: CheckType['make'], keys: readonly string[] = []): CheckType {
  return { make, keys, isNegative: false };
}

function pathsIn(fields: Fields): string[] {
  return FILE_KEYS.map((key) => fields[key]).filter((it) => typeof it === 'string');
}

/** A path that no file of the workspace can have decides nothing. */
function unusable(paths: readonly string[]): string | null {
  for (const path of paths) {
    const problem = pathProblem(path) ?? (normalizePath(path) === '' ? 'is the whole workspace' : null);
    if (problem !== null) return `has the path ${JSON.stringify(path)}, which ${problem}`;
  }
  return null;
}
