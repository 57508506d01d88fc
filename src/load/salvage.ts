/** What is left of a document when its wrong parts are taken out, so that rules can look at the rest. */
import type { z } from 'zod';
import type { Path, Position } from '../model/diagnostic.ts';

type At = (path: Path, part?: 'key' | 'value') => Position;
type Issue = z.core.$ZodIssue;

export interface Salvaged<T> {
  readonly value: T;
  /** Positions in the whole document, by paths in what is left. */
  readonly at: At;
}

const MAX_ROUNDS = 20;

/** null: nothing is left that fits the schema. `value` is taken apart; `explain` makes issues point at single parts. */
export function salvage<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at: At,
  explain: (issues: readonly Issue[]) => readonly Issue[],
): Salvaged<z.output<Schema>> | null {
  /** Where the items of a shortened list stood. */
  const places = new WeakMap<readonly unknown[], number[]>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = schema.safeParse(value);
    if (result.success)
      return { value: result.data, at: (path, part) => at(original(value, path, places), part) };
    const targets = explain(result.error.issues).flatMap((issue) => wrongParts(issue, value));
    // From the end of lists to their beginning, so that what is still to be removed stays where it is.
    for (const target of targets.sort((a, b) => comparePaths(b, a))) {
      if (target.length === 0) return null;
      remove(value, target, places);
    }
  }
  return null;
}

/** What is missing makes its parent wrong; everything else is wrong itself. */
function wrongParts(issue: Issue, root: unknown): Path[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
  return [stepInto(root, path) === undefined ? path.slice(0, -1) : path];
}

function remove(root: unknown, path: Path, places: WeakMap<readonly unknown[], number[]>): void {
  const parent = stepInto(root, path.slice(0, -1));
  const last = path.at(-1);
  if (Array.isArray(parent) && typeof last === 'number') {
    const indexes = places.get(parent) ?? parent.map((_, index) => index);
    indexes.splice(last, 1);
    parent.splice(last, 1);
    places.set(parent, indexes);
  } else if (typeof parent === 'object' && parent !== null && last !== undefined) {
    delete (parent as Record<string | number, unknown>)[last];
  }
}

function original(root: unknown, path: Path, places: WeakMap<readonly unknown[], number[]>): Path {
  let node = root;
  return path.map((step) => {
    const place = Array.isArray(node) && typeof step === 'number' ? places.get(node)?.[step] : undefined;
    node = stepInto(node, [step]);
    return place ?? step;
  });
}

function stepInto(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, step)
        ? (node as Record<string | number, unknown>)[step]
        : undefined,
    root,
  );
}

function comparePaths(a: Path, b: Path): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [x, y] = [a[index], b[index]];
    if (typeof x === 'number' && typeof y === 'number' && x !== y) return x - y;
    if (String(x) !== String(y)) return String(x) < String(y) ? -1 : 1;
  }
  return a.length - b.length;
}
