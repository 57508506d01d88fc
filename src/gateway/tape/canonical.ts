/** One text for every way of writing the same JSON value. */
import { createHash } from 'node:crypto';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function canonical(value: Json): string {
  return JSON.stringify(sorted(value));
}

/** 128 bits: nobody meets two equal ones by chance. */
export function hashOf(value: Json): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Every text of a value, changed. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (isList(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, mapTexts(field, change)]));
}

function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  // A list of pairs keeps its order also for keys that look like numbers.
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return [{}, ...entries.map(([key, field]): Json => [key, sorted(field)])];
}
