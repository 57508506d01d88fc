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

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
