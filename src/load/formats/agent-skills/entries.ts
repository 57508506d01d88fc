/** Finds the cases of a document, in every shape that people give to it. */
import type { Path } from '../../../model/diagnostic.ts';
import type { Notes } from '../../notes.ts';
import { isObject } from '../uaaps/manifest.ts';

export interface Entry {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly path: Path;
  /** By the list it stands in; null: the entry itself may say. */
  readonly shouldTrigger: boolean | null;
}

export interface Entries {
  readonly skillName: string | null;
  readonly entries: readonly Entry[];
  /** Those included that are no case at all. */
  readonly found: number;
}

export const LISTS = ['evals', 'cases', 'tests', 'test_cases', 'evaluations', 'queries', 'eval_queries'];
const SKILL_NAMES = ['skill_name', 'skill', 'skillName'];
export const TRIGGER_LISTS = { should_trigger: true, should_not_trigger: false } as const;
/** About the file as a whole, and of no consequence for a run. */
const INFORMATION = new Set([
  ...['$schema', 'schema', 'schema_version', 'schemaVersion', 'version', 'name', 'title', 'description'],
  ...['notes', 'note', 'author', 'license', 'metadata', 'created', 'updated', 'tags'],
]);

export function findEntries(document: unknown, notes: Notes): Entries {
  if (Array.isArray(document)) return { skillName: null, ...entriesOf(document, [], null, notes) };
  if (!isObject(document)) {
    notes.error([], { rule: 'wrong-type', message: 'the document must be a map of keys or a list of cases' });
    return NOTHING;
  }
  const skillKey = SKILL_NAMES.find((key) => typeof document[key] === 'string');
  const lists = LISTS.filter((key) => Array.isArray(document[key]));
  const triggers = Object.entries(TRIGGER_LISTS).filter(([key]) => Array.isArray(document[key]));
  for (const key of Object.keys(document)) {
    const isRead = key === skillKey || lists.includes(key) || triggers.some(([it]) => it === key);
    if (!isRead && !INFORMATION.has(key)) notes.warnOnce([key], unread(key));
  }
  const parts = [
    ...lists.map((key) => entriesOf(document[key] as unknown[], [key], null, notes)),
    ...triggers.map(([key, expected]) => entriesOf(document[key] as unknown[], [key], expected, notes)),
  ];
  if (parts.length === 0) {
    notes.error([], {
      rule: 'missing-key',
      message: 'there is no list of cases',
      hint: 'it is called "evals":  {"skill_name": "…", "evals": [{"id": 1, "prompt": "…", "assertions": ["…"]}]}',
    });
  }
  return {
    skillName: skillKey === undefined ? null : String(document[skillKey]).trim() || null,
    entries: parts.flatMap(({ entries }) => entries),
    found: parts.reduce((sum, { found }) => sum + found, 0),
  };
}

const NOTHING: Entries = { skillName: null, entries: [], found: 0 };

export function unread(key: string) {
  return {
    rule: 'unknown-key',
    message: `${JSON.stringify(key)} is not read: it has no part in the verdict`,
  };
}

/** Queries that should trigger a skill may be plain texts. */
function entriesOf(list: readonly unknown[], at: Path, shouldTrigger: boolean | null, notes: Notes) {
  if (list.length === 0) notes.error(at, { rule: 'no-cases', message: 'the list of cases is empty' });
  const entries = list.flatMap((value, index): Entry[] => {
    const path = [...at, index];
    if (isObject(value)) return [{ fields: value, path, shouldTrigger }];
    if (typeof value === 'string' && shouldTrigger !== null)
      return [{ fields: { query: value }, path, shouldTrigger }];
    notes.error(path, { rule: 'wrong-type', message: 'a case must be a map of keys' });
    return [];
  });
  return { entries, found: list.length };
}
