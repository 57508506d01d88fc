/** A value of an eval file together with where it is written: what every reader here is given. */
import type { Path } from '../../../model/diagnostic.ts';
import type { Source } from '../../source.ts';
import { isObject } from '../uaaps/manifest.ts';

export interface Doc {
  readonly source: Source;
  /** Absolute. */
  readonly path: string;
  /** Absolute; what paths written in it are relative to, best first. */
  readonly folders: readonly string[];
}

export interface Part {
  readonly value: unknown;
  readonly path: Path;
  readonly doc: Doc;
}

export interface Fields extends Part {
  readonly value: Readonly<Record<string, unknown>>;
}

export function wholeOf(doc: Doc): Part {
  return { value: doc.source.value, path: [], doc };
}

export function isFields(part: Part): part is Fields {
  return isObject(part.value);
}

/** The first of these keys that is there; null counts as not there. */
export function fieldOf(part: Fields, ...keys: readonly string[]): Part | null {
  const key = keys.find(
    (it) => Object.hasOwn(part.value, it) && part.value[it] !== null && part.value[it] !== undefined,
  );
  return key === undefined ? null : innerPart(part, key);
}

export function innerPart(part: Part, key: string | number): Part {
  const value = (part.value as Record<string | number, unknown>)[key];
  return { value, path: [...part.path, key], doc: part.doc };
}

/** Of a list; anything else is a list of one. */
export function itemsOf(part: Part): Part[] {
  return Array.isArray(part.value) ? part.value.map((_, index) => innerPart(part, index)) : [part];
}

/** The key under which it stands, for messages. */
export function keyOf({ path }: Part): string {
  return String(path.at(-1) ?? 'the document');
}
