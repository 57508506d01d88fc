/** What the documents that travel between machines are made of. */
import { z } from 'zod';
import { envName, pathProblem } from '../names.ts';
import { isTooDeep } from '../nesting.ts';
import type { Json } from '../tests.ts';

export const text = z.string();
export const texts = z.array(text);
export const flag = z.boolean();
/** Finite, as all numbers here: JSON has no others. */
export const amount = z.number().nonnegative();
export const whole = z.int().nonnegative();

/** Taken as it is, whatever its keys are called. Looked through without recursion, so that no depth of it hurts. */
export const json = z.custom<Json>((value) => !isTooDeep(value) && isJson(value), {
  error: 'must be JSON that is not nested endlessly',
});

export const jsonMap = z.custom<Record<string, Json>>(
  (value) => isMap(value) && !isTooDeep(value) && isJson(value),
  { error: 'must be a JSON object that is not nested endlessly' },
);

/** A path in the workspace or in the folder of a run. */
export const insidePath = text.superRefine((path, context) => {
  const problem = pathProblem(path);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

/** A map by names of the author's. One that could be lost on the way is refused. */
export function named<Value extends z.ZodType>(value: Value, name: z.ZodType<string, string> = text) {
  return z
    .unknown()
    .refine((it) => !(isMap(it) && Object.hasOwn(it, '__proto__')), { error: 'has a key called __proto__' })
    .pipe(z.record(name, value));
}

const noNul = text.refine((value) => !value.includes('\0'), { error: 'must not contain a NUL character' });

/** Variables, by names that a variable can have. */
export const environment = named(noNul, envName);

/**
 * The schema, if what it lets through is the type of the model and nothing else: a field that one of them has and the
 * other has not, optional or not, is a mistake that the compiler finds.
 */
export function exactly<Model>() {
  return <Schema extends z.ZodType>(
    schema: Same<z.output<Schema>, Model> extends true ? Schema : never,
  ): z.ZodType<Model> => schema as unknown as z.ZodType<Model>;
}

/** Whether two types have the same fields all the way down; what is readonly does not count. */
export type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

// JSON has no end to go down to.
type Plain<T> = [Json] extends [T] ? T : T extends object ? { -readonly [Key in keyof T]: Plain<T[Key]> } : T;

function isJson(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const it = open.pop();
    if (Array.isArray(it) || isMap(it)) for (const inner of Object.values(it)) open.push(inner);
    else if (typeof it === 'number' ? !Number.isFinite(it) : !isWord(it)) return false;
  }
  return true;
}

function isMap(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isWord(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}
