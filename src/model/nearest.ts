/** Nobody mistypes longer words, and comparing them would take long. */
const LONGEST_WORD = 200;

/** The candidate a mistyped word most likely meant, or undefined when none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.floor(word.length / 2)) + 1;
  for (const candidate of all) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? all.find((candidate) => isFirstPart(word, candidate));
}

/** `claude` of `claude-code`. */
function isFirstPart(word: string, candidate: string): boolean {
  return word.length > 2 && candidate.toLowerCase().startsWith(`${word.toLowerCase()}-`);
}

/** Up to `count` candidates worth naming: the close ones, and those that contain the word. */
export function nearMisses(word: string, candidates: Iterable<string>, count = 3): string[] {
  const lower = word.toLowerCase();
  return [...new Set(candidates)]
    .map((candidate) => {
      const other = candidate.toLowerCase();
      const contains = lower !== '' && (other.includes(lower) || lower.includes(other));
      return { candidate, distance: contains ? 1 : editDistance(lower, other, 4) };
    })
    .filter(({ distance, candidate }) => distance < 4 && distance <= Math.max(candidate.length / 2, 1))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Optimal string alignment: a swap of two neighbours counts once. Gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || a.length > LONGEST_WORD) return limit;
  let previous: number[] = [];
  let current = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const beforePrevious = previous;
    previous = current;
    current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      }
      current.push(cost);
    }
    if (Math.min(...current) >= limit) return limit;
  }
  return at(current, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
