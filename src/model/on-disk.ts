/** Names on disk are kebab-case; inside they are camelCase. This is the one place that converts. */
import { z } from 'zod';

type Camel<S> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type CamelKeys<T> = { [K in keyof T as Camel<K>]: T[K] };

/** An object of known keys, read with camelCase names. Unknown keys are reported, never silently dropped. */
export function record<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).transform((value) => camelKeys(value));
}

/** A whole JSON document: like `record`, and it may name its schema for editors. */
export function jsonDocument<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return record({ $schema: z.string().optional(), ...shape });
}

function camelKeys<T extends object>(value: T): CamelKeys<T> {
  const entries = Object.entries(value).map(([key, field]) => [
    key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    field,
  ]);
  return Object.fromEntries(entries) as CamelKeys<T>;
}
