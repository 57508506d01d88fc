/** What a map read from a file holds under a key; never what every object inherits, such as `constructor`. */
export function own<T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return map && Object.hasOwn(map, key) ? map[key] : undefined;
}
