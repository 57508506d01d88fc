/** Findings about an eval file and the files it brings in. */
import { compareDiagnostics, type Diagnostic, type Finding, finding } from '../../../model/diagnostic.ts';
import { nearest } from '../../../model/nearest.ts';
import { mistakesIn, type ReadWithMistakes } from '../../mistakes.ts';
import type { Doc, Fields, Part } from './part.ts';

interface Repeated {
  readonly part: Part;
  readonly it: Finding;
  readonly places: Set<string>;
}

export class Findings {
  readonly #single: Diagnostic[] = [];
  readonly #repeated = new Map<string, Repeated>();

  opened({ source }: Doc): void {
    this.#single.push(...source.diagnostics);
  }

  error(part: Part, it: Finding, at: 'key' | 'value' = 'value'): void {
    this.#single.push(finding('error', part.doc.source, part.path, it, at));
  }

  warn(part: Part, it: Finding, at: 'key' | 'value' = 'value'): void {
    this.#single.push(finding('warning', part.doc.source, part.path, it, at));
  }

  /** How much has been told so far, of each place by itself. */
  get told(): number {
    return this.#single.length;
  }

  /** One warning for all that have the same rule and message, at the first of them. */
  warnOnce(part: Part, it: Finding): void {
    const { file, at } = part.doc.source;
    const key = `${it.rule} ${it.message}`;
    const { line, column } = at(part.path, 'key');
    const place = `${file}:${line}:${column}`;
    const known = this.#repeated.get(key);
    if (known) known.places.add(place);
    else this.#repeated.set(key, { part, it, places: new Set([place]) });
  }

  /** Tells of keys that are not honoured, by the words given for each, and of those that are not known. */
  keys(part: Fields, known: readonly string[], unheard: Readonly<Record<string, string>> = {}): void {
    for (const key of Object.keys(part.value)) {
      if (known.includes(key) || key.startsWith('x-')) continue;
      const at = { ...part, path: [...part.path, key] };
      const why = Object.hasOwn(unheard, key) ? unheard[key] : undefined;
      if (why !== undefined) this.warnOnce(at, { rule: 'not-honoured', message: `${key}: ${why}` });
      else this.warnOnce(at, unknownKey(key, [...known, ...Object.keys(unheard)]));
    }
  }

  /** What is wrong with what `read` reads. */
  mistakesIn<Result>(read: () => Result): ReadWithMistakes<Result> {
    return mistakesIn(this.#single, read);
  }

  /** What several cases share is told once. */
  get all(): Diagnostic[] {
    const repeated = [...this.#repeated.values()].map(({ part, it, places }) => {
      const message = places.size > 1 ? `${it.message} (${places.size} times)` : it.message;
      return finding('warning', part.doc.source, part.path, { ...it, message }, 'key');
    });
    const told = new Set<string>();
    const once = this.#single.filter(({ file, line, column, message }) => {
      const key = JSON.stringify([file, line, column, message]);
      return !told.has(key) && told.add(key);
    });
    return [...once, ...repeated].sort(compareDiagnostics);
  }
}

function unknownKey(key: string, known: readonly string[]): Finding {
  const meant = nearest(key, known);
  return {
    rule: 'unknown-key',
    message: `${JSON.stringify(key)} is not a known field: it has no part in the verdict`,
    ...(meant && { hint: `did you mean ${meant}?` }),
  };
}
