/** Finds processes that were started by this one, or may have been. */
import { pid } from 'node:process';
import { endProcess } from './end-process.ts';
import { isMarked, isOfThisUser, otherProcesses } from './marked-processes.ts';
import { isOver, type ProcessStat, processStat } from './process-stat.ts';

/**
 * Pids of this user's processes that have started since and have the word in their environment, or are in a session of
 * their own below one of the ancestors of this one: whoever loses its parent goes there, whatever has become of its
 * environment. Some may be strangers.
 */
export function processesOf(word: string, since: number): number[] {
  const own = processStat(pid);
  const above = own && ancestorsOf(own);
  const isStray = (id: number, stat: ProcessStat) =>
    above?.has(stat.parent) && stat.session !== own?.session && !isOver(stat) && isOfThisUser(id);
  return otherProcesses().filter((id) => {
    const stat = processStat(id);
    return stat !== null && stat.start >= since && (isMarked(id, [word]) || isStray(id, stat));
  });
}

function ancestorsOf({ parent }: ProcessStat): ReadonlySet<number> {
  const found = new Set([1]);
  for (let id = parent; id > 1 && !found.has(id); id = processStat(id)?.parent ?? 0) found.add(id);
  return found;
}

/** Ends all that descends from this process, with all that is in the same groups; for a process that ends at once itself. */
export function endChildren(): void {
  for (const target of descendants().flatMap((id) => [-id, id])) endProcess(target);
}

function descendants(): number[] {
  const others = otherProcesses().map((id) => ({ id, parent: processStat(id)?.parent }));
  const found = [pid];
  for (const above of found) for (const { id, parent } of others) if (parent === above) found.push(id);
  return found.slice(1);
}
