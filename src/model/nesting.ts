const MAX_DEPTH = 500;

/** What no walk through it, and no way to write it down, would survive. Without recursion, of course. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((it) => (typeof it === 'object' && it !== null ? Object.values(it) : []));
  }
  return false;
}
