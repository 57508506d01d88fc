/** Finds what a run left running. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';

/** Processes that a folder has to do with: started with it, working in it, or seeing it as one of their mounts. */
export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => tracesOf(pid).some((trace) => trace.includes(folder)))
    .map((pid) => `${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ')}`);
}

function tracesOf(pid: string): string[] {
  return [...['cmdline', 'environ', 'mountinfo'].map((name) => read(pid, name)), link(pid)];
}

function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

function link(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
