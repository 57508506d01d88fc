/** Names of cases: ids made fit for file names. The same id twice is a mistake. */
import type { Findings } from './findings.ts';
import { fieldOf } from './part.ts';
import type { Test } from './tests.ts';

export interface CaseName {
  readonly name: string;
  /** The id as it is written, where that is another word. */
  readonly aliases: readonly string[];
}

const MAX_LENGTH = 64;

export class CaseNames {
  readonly #findings: Findings;
  readonly #lines = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  next({ part, id }: Test, index: number): CaseName {
    const at = fieldOf(part, 'id');
    const written = at === null ? id : idIn(at.value);
    if (written === null)
      this.#findings.error(at ?? part, {
        rule: at === null ? 'missing-key' : 'wrong-type',
        message: at === null ? 'a test needs an id' : 'id must be a text that is not empty',
      });
    const { source } = (at ?? part).doc;
    const place = `${source.file}:${source.at((at ?? part).path).line}`;
    const first = written === null ? undefined : this.#lines.get(written);
    if (first !== undefined)
      this.#findings.error(at ?? part, {
        rule: 'duplicate-id',
        message: `the id ${JSON.stringify(written)} is there twice: also at ${first}`,
        hint: 'give each test an id of its own',
      });
    else if (written !== null) this.#lines.set(written, place);
    const name = this.#unique(slug(written ?? '') || `test-${index + 1}`);
    return { name, aliases: written === null || written === name ? [] : [written] };
  }

  #unique(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++)
      name = `${wanted.slice(0, MAX_LENGTH - 1 - String(count).length)}-${count}`;
    this.#taken.add(name);
    return name;
  }
}

function idIn(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? null : text;
}

function slug(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_LENGTH);
}
