/** What stands at a path; undefined: nothing, a link that leads in a circle, or a name that is too long to stand anywhere. */
import { type Stats, statSync } from 'node:fs';

export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
