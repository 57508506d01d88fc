/** Looks, while a command runs, at what it uses and no kernel limit holds back without privileges: disk and processes. */
import { readdirSync, readFileSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exceeded } from '../model/process.ts';
import type { SandboxRequest } from './sandbox.ts';

/** `firstPid`: of the command's processes, all others descend from it; null: not known yet. */
export type Look = (firstPid: number | null) => Promise<Exceeded | null>;

/** More files than anybody looks through afterwards. */
const MAX_FILES = 200_000;

/** null: the request sets no such limit. To be called when the command starts. */
export function watchUse({ mounts, limits }: Pick<SandboxRequest, 'mounts' | 'limits'>): Look | null {
  const { diskBytes, processes } = limits;
  if (diskBytes === undefined && processes === undefined) return null;
  const folders = mounts.filter(({ mode }) => mode === 'rw').map(({ from }) => from);
  const before = diskBytes === undefined ? null : diskUse(folders);
  return async (firstPid) => {
    if (processes !== undefined && firstPid !== null && tasksBelow(firstPid) > processes)
      return { limit: 'processes', error: `ran more than ${processes} processes and threads at once` };
    if (diskBytes === undefined || before === null) return null;
    const [was, is] = [await before, await diskUse(folders)];
    if (is.bytes - was.bytes > diskBytes)
      return {
        limit: 'disk',
        error: `wrote more than ${Math.round(diskBytes / 1024 ** 2)} MiB to its folders`,
      };
    if (is.files - was.files > MAX_FILES)
      return { limit: 'disk', error: `made more than ${MAX_FILES} files in its folders` };
    return null;
  };
}

interface DiskUse {
  readonly bytes: number;
  readonly files: number;
}

/** As the disk has it: holes take no room, and a file with several names takes it once. */
async function diskUse(folders: readonly string[]): Promise<DiskUse> {
  const linked = new Set<number>();
  let bytes = 0;
  let files = 0;
  const add = ({ blocks, nlink, ino }: Stats) => {
    files += 1;
    if (nlink > 1 && linked.has(ino)) return;
    if (nlink > 1) linked.add(ino);
    bytes += blocks * 512;
  };
  // Without recursion: whoever is watched decides how deep folders are.
  const queue = [...folders];
  for (let folder = queue.pop(); folder !== undefined && files <= 2 * MAX_FILES; folder = queue.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        files += 1;
        queue.push(path);
        continue;
      }
      const stats = await lstat(path).catch(() => null);
      if (stats) add(stats);
    }
  }
  return { bytes, files };
}

/** Also those in namespaces of their own: whoever loses its parent becomes a child of the first process. */
function tasksBelow(firstPid: number): number {
  const children = new Map<number, { readonly pid: number; readonly tasks: number }[]>();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? parentOf(name) : null;
    if (found === null) continue;
    const siblings = children.get(found.parent);
    if (siblings) siblings.push(found);
    else children.set(found.parent, [found]);
  }
  let tasks = 0;
  const queue = [firstPid];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    for (const child of children.get(pid) ?? []) {
      tasks += child.tasks;
      queue.push(child.pid);
    }
  }
  return tasks;
}

function parentOf(pid: string): { parent: number; pid: number; tasks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before may hold anything, also a bracket.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), pid: Number(pid), tasks: Number(fields[17]) };
  } catch {
    return null;
  }
}
