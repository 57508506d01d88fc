/** Names of cases: their ids as text, made fit for file names and unique. */

import type { Notes } from '../../notes.ts';
import type { Entry } from './entries.ts';

export interface CaseName {
  readonly name: string;
  readonly aliases: readonly string[];
}

const MAX_LENGTH = 64;

export function nameCases(entries: readonly Entry[], notes: Notes): CaseName[] {
  const written = new Map<string, number>();
  const taken = new Set<string>();
  return entries.map(({ fields, path }, index) => {
    const { id } = fields;
    const isGiven = (typeof id === 'string' && id.trim() !== '') || typeof id === 'number';
    if (id !== undefined && !isGiven)
      notes.warn([...path, 'id'], {
        rule: 'wrong-type',
        message: 'id must be a number or a text; it is not used',
      });
    const title = titleOf(fields);
    const wanted = (isGiven && idSlug(id)) || slug(title ?? '') || `eval-${index + 1}`;
    const name = unique(wanted, taken);
    if (isGiven && isChanged(id))
      notes.warn([...path, 'id'], {
        rule: 'id',
        message: `the id ${JSON.stringify(id)} cannot be kept as it is: this case is called ${name}`,
        hint: 'ids are whole numbers from 0 on, or texts of a-z, A-Z, 0-9, _ and -',
      });
    const first = written.get(wanted);
    if (first !== undefined && isGiven)
      notes.warn([...path, 'id'], {
        rule: 'duplicate-id',
        message: `the id ${JSON.stringify(id)} is there twice: this case is called ${name}`,
        hint: 'give each case an id of its own',
      });
    written.set(wanted, index);
    taken.add(name);
    const others = [isGiven ? String(id) : '', slug(title ?? '')];
    return { name, aliases: [...new Set(others.filter((it) => it !== '' && it !== name))] };
  });
}

export function titleOf(fields: Entry['fields']): string | null {
  const given = ['name', 'eval_name', 'title'].map((key) => fields[key]);
  return given.find((it): it is string => typeof it === 'string' && it.trim() !== '')?.trim() ?? null;
}

/** A number below 0 is not the one above it. */
function idSlug(id: unknown): string {
  return typeof id === 'number' && id < 0 ? slug(`minus ${-id}`) : slug(String(id));
}

/** Whether its name says something else. Blanks and slashes that become hyphens do not count. */
function isChanged(id: unknown): boolean {
  if (typeof id === 'number') return !(Number.isSafeInteger(id) && id >= 0);
  return /[^\x00-\x7f]/.test(String(id)) || slug(String(id)) === '' || String(id).trim().length > MAX_LENGTH;
}

function unique(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let count = 2; ; count++) {
    const name = `${wanted.slice(0, MAX_LENGTH - 1 - String(count).length)}-${count}`;
    if (!taken.has(name)) return name;
  }
}

function slug(text: string): string {
  return text
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_LENGTH);
}
