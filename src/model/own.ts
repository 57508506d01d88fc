/** What a map read from a file holds under a key; never what every object inherits, such as `constructor`. */
export function own<M extends Readonly<Record<string, unknown>>>(
  map: M | undefined,
  key: string,
): M[keyof M] | undefined {
  return map && Object.hasOwn(map, key) ? map[key as keyof M] : undefined;
}
