/** Finds processes by a word in the environment they were started with. */
import { readdirSync } from 'node:fs';
import { geteuid, pid } from 'node:process';
import { endProcess } from './end-process.ts';
import { isOver, processStat } from './process-stat.ts';
import { toldIn } from './told-in.ts';

/** Pids of processes of this user whose environment has one of the words; none where the system does not tell. */
export function processesMarked(words: readonly string[]): number[] {
  return words.length === 0 ? [] : otherProcesses().filter((id) => isMarked(id, words));
}

export function isMarked(id: number, words: readonly string[]): boolean {
  const environment = environmentOf(id);
  return environment !== null && words.some((word) => environment.includes(word));
}

/** Whether the system tells which processes there are, and what they were started with. */
export function canSeeProcesses(): boolean {
  return environmentOf(pid) !== null;
}

/** Also one that lets nobody read its environment. Root may do as if all were its own. */
export function isOfThisUser(id: number): boolean {
  const own = geteuid?.();
  const [, uids = ''] = /^Uid:\s*(.*)$/m.exec(toldIn(`/proc/${id}/status`) ?? '') ?? [];
  return uids !== '' && (own === 0 || uids.split('\t').includes(String(own)));
}

/** Those that such processes start meanwhile are marked as well, so it looks again until there is none. */
export function killMarked(words: readonly string[]): number[] {
  const ended = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const found = processesMarked(words);
    if (found.length === 0) break;
    for (const id of found) {
      ended.add(id);
      endProcess(id);
    }
  }
  return [...ended];
}

const ROUNDS = 20;

/** Pids of all but this one; none where the system does not tell. */
export function otherProcesses(): number[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => id !== pid);
}

/** null: it is gone, somebody else's, or not told. */
function environmentOf(id: number): string | null {
  return toldIn(`/proc/${id}/environ`) ?? environmentOfThreads(id);
}

/** Where the first thread has ended, the others still have it. */
function environmentOfThreads(id: number): string | null {
  const stat = processStat(id);
  if (stat?.state !== 'Z' || isOver(stat)) return null;
  for (const thread of namesIn(`/proc/${id}/task`)) {
    const found = toldIn(`/proc/${id}/task/${thread}/environ`);
    if (found !== null) return found;
  }
  return null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
