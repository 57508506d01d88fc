/** Assertions about the text of the answer. */
import { type GraderKind, type GraderOptions, grader } from '../../../../model/grader.ts';
import { matchesAnything, patternProblem } from '../../../../model/pattern.ts';
import type { Draft, ReadKind } from '../graded.ts';
import { fieldOf, keyOf, type Part } from '../part.ts';
import { SHARED_KEYS } from '../share.ts';
import { oneOf, textIn, textsIn } from '../values.ts';

const VALUES = ['value', 'values'];

export const TEXT_KINDS: Readonly<Record<string, ReadKind>> = {
  contains: plain(false),
  'contains-all': texts('all', false),
  'contains-any': texts('any', false),
  icontains: plain(true),
  'icontains-all': texts('all', true),
  'icontains-any': texts('any', true),
  'not-contains': none(false),
  'not-icontains': none(true),
  'starts-with': one('starts-with'),
  'ends-with': one('ends-with'),
  equals: one('equals'),
  regex,
  'is-json': (draft) => {
    draft.reading.findings.keys(draft.part, SHARED_KEYS, {
      value: 'a schema for the JSON is not read: only whether the answer is JSON',
      schema: 'a schema for the JSON is not read: only whether the answer is JSON',
    });
    return add(draft, 'is-json', { of: 'answer' }, 'is-json');
  },
};

/** The opposite of a list is that nothing of it is there, as `not-contains` has it. */
function plain(ignoreCase: boolean): ReadKind {
  return (draft) => {
    if (!draft.share.negate || !Array.isArray(fieldOf(draft.part, ...VALUES)?.value))
      return texts('all', ignoreCase)(draft);
    return none(ignoreCase)({ ...draft, share: { ...draft.share, negate: false } });
  };
}

function texts(match: 'all' | 'any', ignoreCase: boolean): ReadKind {
  return (draft) => {
    const values = filled(draft);
    if (values === null) return null;
    return add(draft, 'contains', { of: 'said', values, match, ignoreCase }, values[0] ?? '');
  };
}

/** An empty text is everywhere. */
function filled(draft: Draft): readonly string[] | null {
  const part = wantedValue(draft);
  const values = textsIn(part, draft.reading.findings);
  if (part === null || values === null) return null;
  if (values.length > 0 && values.every((it) => it !== '')) return values;
  draft.reading.findings.error(part, { rule: 'wrong-value', message: `${keyOf(part)} must not be empty` });
  return null;
}

/** None of them, where the opposite of `contains` would be content with one that is missing. */
function none(ignoreCase: boolean): ReadKind {
  return (draft) => {
    const values = filled(draft);
    const options = { of: 'said', values: values ?? [], ...(ignoreCase && { ignoreCase }) } as const;
    return values === null ? null : add(draft, 'not-contains', options, values[0] ?? '');
  };
}

function one(kind: 'starts-with' | 'ends-with' | 'equals'): ReadKind {
  return (draft) => {
    const part = wantedValue(draft);
    const value = textIn(part, draft.reading.findings);
    if (part === null || value === null) return null;
    // Only an answer that is empty equals nothing; every answer begins and ends with it.
    if (kind === 'equals' || value.trim() !== '') return add(draft, kind, { of: 'answer', value }, value);
    draft.reading.findings.error(part, { rule: 'wrong-value', message: `${keyOf(part)} must not be empty` });
    return null;
  };
}

function regex(draft: Draft): string | null {
  const { findings } = draft.reading;
  const part = wantedValue(draft, ['value', 'pattern'], ['flags']);
  const pattern = textIn(part, findings);
  const flags = textIn(fieldOf(draft.part, 'flags'), findings);
  if (part === null || pattern === null) return null;
  const problem = patternProblem(pattern, flags ?? undefined);
  if (problem !== null) {
    findings.error(part, { rule: 'bad-pattern', message: `the pattern does not compile: ${problem}` });
    return null;
  }
  if (matchesAnything(pattern, flags ?? undefined)) {
    const message = 'the pattern matches every text, so it decides nothing';
    findings.error(part, { rule: 'bad-pattern', message });
    return null;
  }
  return add(draft, 'regex', { of: 'said', pattern, ...(flags !== null && { flags }) }, pattern);
}

function wantedValue(
  { part, type, reading }: Draft,
  keys: readonly string[] = VALUES,
  others: string[] = [],
): Part | null {
  reading.findings.keys(part, [...SHARED_KEYS, ...keys, ...others]);
  const value = oneOf(part, keys, reading.findings);
  if (value === null)
    reading.findings.error(part, {
      rule: 'missing-key',
      message: `an assertion of the type ${type} needs a value`,
    });
  return value;
}

function add<Kind extends GraderKind>(
  draft: Draft,
  kind: Kind,
  options: GraderOptions[Kind],
  about: string,
): string {
  const words = about
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 24);
  const id = draft.name(
    draft.type === kind && about === kind ? kind : [draft.type, words].filter(Boolean).join('-'),
  );
  draft.into.graders.push(grader(id, kind, options, draft.share) as never);
  return id;
}
