/** The same cases in two runs, or in the two arms of one. */

/** The decided trials of one case, at least one on each side. */
export interface Pair {
  readonly a: { readonly passed: number; readonly decided: number };
  readonly b: { readonly passed: number; readonly decided: number };
}

/** Pairs with the same counts: among thousands of cases most are alike. */
export interface PairGroup extends Pair {
  readonly times: number;
}

export function groupPairs(pairs: readonly Pair[]): PairGroup[] {
  const groups = new Map<string, Pair & { times: number }>();
  for (const { a, b } of pairs) {
    const key = `${a.passed}/${a.decided} ${b.passed}/${b.decided}`;
    const group = groups.get(key);
    if (group) group.times++;
    else groups.set(key, { a, b, times: 1 });
  }
  return [...groups.values()];
}

/** Of single trials: how many pass only in b, and only in a. */
export function discordant(groups: readonly PairGroup[]): { gained: number; lost: number } {
  const count = (passedA: number, passedB: number) =>
    groups
      .filter(({ a, b }) => a.passed === passedA && b.passed === passedB)
      .reduce((sum, { times }) => sum + times, 0);
  return { gained: count(0, 1), lost: count(1, 0) };
}
