/** The files of an inventory whose path begins with a prefix, found without looking at all of them each time. */
import type { Inventory } from '../model/package.ts';

const sorted = new WeakMap<Inventory, readonly string[]>();

export function filesBelow(files: Inventory, prefix: string): readonly string[] {
  const paths =
    sorted.get(files) ??
    [...files]
      .filter(([, it]) => it.kind === 'file')
      .map(([path]) => path)
      .sort();
  sorted.set(files, paths);
  const start = firstFrom(paths, prefix);
  let end = start;
  while (paths[end]?.startsWith(prefix)) end += 1;
  return paths.slice(start, end);
}

/** Index of the first path that does not sort before `prefix`. */
function firstFrom(paths: readonly string[], prefix: string): number {
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((paths[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}
