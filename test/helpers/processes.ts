/** Looks for processes that should be gone. */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** Pids of living processes whose command line contains a text. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => commandLine(pid).includes(text))
    .map(Number);
}

/** Like `processesWith`, but only of one program: a shell's own text may name another. */
export function programsWith(program: string, text: string): number[] {
  return processesWith(text).filter((pid) => commandLine(String(pid)).startsWith(`${program} `));
}

/** The one of our own children that a process descends from. */
export function childAbove(pid: number): number {
  const parent = parentOf(pid);
  if (parent === process.pid) return pid;
  if (parent <= 1) throw new Error(`${pid} does not descend from this process`);
  return childAbove(parent);
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before it may hold anything.
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
