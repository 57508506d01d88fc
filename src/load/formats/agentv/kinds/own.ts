/** Kinds that this format has no word for, by the names that aam has: files, hooks, parts of JSON. */
import { type GraderKind, type GraderOptions, grader } from '../../../../model/grader.ts';
import type { Draft, ReadKind } from '../graded.ts';
import { fieldOf, type Part } from '../part.ts';
import { SHARED_KEYS } from '../share.ts';
import { booleanIn, oneOf, textIn, textsIn } from '../values.ts';

export const OWN_KINDS: Readonly<Record<string, ReadKind>> = {
  'files-exist': paths('files-exist'),
  'file-exists': paths('files-exist'),
  'files-created': paths('files-created'),
  'file-created': paths('files-created'),
  'file-contains': (draft) => {
    const { findings } = draft.reading;
    const part = givenIn(draft, [], ['path']);
    const path = textIn(fieldOf(draft.part, 'path'), findings)?.trim();
    const values = textsIn(part, findings);
    if (!path) return missing(draft, 'path');
    if (values === null || values.length === 0 || values.includes('')) return missing(draft, 'value');
    return add(draft, 'file-contains', { path, values, match: 'all' });
  },
  'json-subset': (draft) => {
    const part = givenIn(draft);
    return part === null
      ? missing(draft, 'value')
      : add(draft, 'json-subset', { of: 'answer', value: part.value as never });
  },
  'agent-blocked': (draft) => {
    const expected = booleanIn(givenIn(draft), draft.reading.findings);
    return add(draft, 'agent-blocked', { expected: expected ?? true });
  },
};

function paths(kind: 'files-exist' | 'files-created'): ReadKind {
  return (draft) => {
    const found = textsIn(givenIn(draft, ['path', 'paths']), draft.reading.findings);
    return found === null || found.length === 0 || found.includes('')
      ? missing(draft, 'path')
      : add(draft, kind, { paths: found });
  };
}

function givenIn(
  { part, reading }: Draft,
  names: readonly string[] = [],
  others: readonly string[] = [],
): Part | null {
  reading.findings.keys(part, [...SHARED_KEYS, 'value', 'values', ...names, ...others]);
  return oneOf(part, ['value', 'values', ...names], reading.findings);
}

function missing({ part, type, reading }: Draft, what: string): null {
  reading.findings.error(part, {
    rule: 'missing-key',
    message: `an assertion of the type ${type} needs a ${what}`,
  });
  return null;
}

function add<Kind extends GraderKind>(draft: Draft, kind: Kind, options: GraderOptions[Kind]): string {
  const id = draft.name(draft.type);
  draft.into.graders.push(grader(id, kind, options, draft.share) as never);
  return id;
}
