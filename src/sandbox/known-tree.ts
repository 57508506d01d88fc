/** A folder as it was at some moment, with all below it. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

export interface KnownTree {
  /** Whether nothing in it was touched since: the kernel sets the times that tell, no program can. */
  isAsItWas(): boolean;
}

interface Mark {
  readonly path: string;
  readonly ino: number;
  readonly ctimeMs: number;
  readonly size: number;
}

/** null: some of it cannot be looked at. */
export function knownTree(dir: string): KnownTree | null {
  const marks: Mark[] = [];
  const complete = walkTree(dir, (path, { ino, ctimeMs, size }) => {
    marks.push({ path, ino, ctimeMs, size });
    return true;
  });
  // Whatever comes or goes changes the folder that it is in: none of them has to be listed again.
  return complete ? { isAsItWas: () => marks.every(isAsMarked) } : null;
}

function isAsMarked({ path, ino, ctimeMs, size }: Mark): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && stats.ino === ino && stats.ctimeMs === ctimeMs && stats.size === size;
  } catch {
    return false;
  }
}

/** Everything at and below a path; false when `visit` wants no more, or a folder was locked or is gone. */
export function walkTree(path: string, visit: (path: string, stats: Stats) => boolean): boolean {
  try {
    const stats = lstatSync(path);
    if (!visit(path, stats)) return false;
    return !stats.isDirectory() || readdirSync(path).every((name) => walkTree(join(path, name), visit));
  } catch {
    return false;
  }
}
