/** Which expectations are met by which items, so that as many as possible are. Each item meets one. */

/** In the order of both; other items may come between. Gives the places of those that are met. */
export function longestInOrder<Expected, Item>(
  expected: readonly Expected[],
  items: readonly Item[],
  isMet: (expected: Expected, item: Item) => boolean,
): ReadonlySet<number> {
  // best[i][j]: how many of the expectations from i on the items from j on can meet.
  const best = expected.map(() => new Array<number>(items.length + 1).fill(0));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  const meets = (i: number, j: number) => isMet(expected[i] as Expected, items[j] as Item);
  for (let i = expected.length - 1; i >= 0; i -= 1) {
    const row = best[i] as number[];
    for (let j = items.length; j >= 0; j -= 1) {
      const met = j < items.length && meets(i, j) ? 1 + at(i + 1, j + 1) : 0;
      row[j] = Math.max(met, at(i + 1, j), j < items.length ? at(i, j + 1) : 0);
    }
  }
  const found = new Set<number>();
  let [i, j] = [0, 0];
  while (i < expected.length && j < items.length) {
    // To take the first that can be had never costs another one.
    if (meets(i, j)) {
      found.add(i);
      i += 1;
      j += 1;
    } else if (at(i, j) === at(i, j + 1)) j += 1;
    else i += 1;
  }
  return found;
}

/** In any order: one that takes an item gives it up where it can take another. */
export function mostPairs<Expected, Item>(
  expected: readonly Expected[],
  items: readonly Item[],
  isMet: (expected: Expected, item: Item) => boolean,
): ReadonlySet<number> {
  const takenBy = new Map<number, number>();
  const take = (wanting: number, tried: Set<number>): boolean => {
    for (const [index, item] of items.entries()) {
      if (tried.has(index) || !isMet(expected[wanting] as Expected, item)) continue;
      tried.add(index);
      const holder = takenBy.get(index);
      if (holder === undefined || take(holder, tried)) {
        takenBy.set(index, wanting);
        return true;
      }
    }
    return false;
  };
  for (const index of expected.keys()) take(index, new Set());
  return new Set(takenBy.values());
}
