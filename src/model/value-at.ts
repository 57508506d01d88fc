/** The value at a path such as `a.b[0].c`; undefined: there is none. */
export function valueAt(value: unknown, path: string): unknown {
  const parts = path.split(/[.[\]]/).filter((part) => part !== '');
  return parts.reduce<unknown>((at, part) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    return (at as Record<string, unknown>)[part];
  }, value);
}
