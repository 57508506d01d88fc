/** Values that a CLI makes up anew in every run, numbered in the order in which they appear. */
import { type Json, mapTexts } from './canonical.ts';

/**
 * `call` and `item` are replaced only where they are ids. The others may be repeated in any text, by the model too:
 * a replayed answer must then use the names of its own run.
 */
export type NameKind = 'call' | 'item' | 'agent' | 'saved-output' | 'place' | 'mark';

const IN_TEXTS: ReadonlySet<NameKind> = new Set<NameKind>(['agent', 'saved-output', 'place', 'mark']);
const IN_ANSWERS: ReadonlySet<NameKind> = new Set<NameKind>(['agent', 'saved-output', 'place']);

export class Names {
  readonly #given = new Map<string, { readonly kind: NameKind; readonly name: string }>();
  readonly #counts = new Map<NameKind, number>();

  /** The name of a value; the same value has the same name wherever it stands. */
  give(kind: NameKind, value: string): string {
    const id = `${kind}\0${value}`;
    const known = this.#given.get(id);
    if (known) return known.name;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const name = placeholder(`${kind}-${number}`);
    this.#given.set(id, { kind, name });
    return name;
  }

  copy(): Names {
    const copy = new Names();
    for (const [id, { kind }] of this.#given) copy.give(kind, id.slice(kind.length + 1));
    return copy;
  }

  /** Replaces what may be repeated in any text. */
  replaceIn(body: Json): Json {
    const values = this.#longestFirst();
    if (values.length === 0) return body;
    return mapTexts(body, (text) =>
      values.reduce((changed, [value, name]) => changed.replaceAll(value, () => name), text),
    );
  }

  /** The same without saying which is which. */
  blank(text: string): string {
    return this.#longestFirst().reduce(
      (changed, [value]) => changed.replaceAll(value, placeholder('…')),
      text,
    );
  }

  /** name → value, of what an answer may repeat. */
  get repeatable(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#values(IN_ANSWERS).map(([value, name]) => [name, value]));
  }

  /** All values, in order. */
  get values(): readonly string[] {
    return [...this.#given.keys()];
  }

  /** One may be the beginning of another. */
  #longestFirst(): [string, string][] {
    return this.#values(IN_TEXTS).sort(([a], [b]) => b.length - a.length);
  }

  #values(kinds: ReadonlySet<NameKind>): [string, string][] {
    return [...this.#given].flatMap(([id, { kind, name }]) =>
      kinds.has(kind) ? [[id.slice(kind.length + 1), name]] : [],
    );
  }
}

export function placeholder(what: string): string {
  return `⟦${what}⟧`;
}
