/** Looks, while a command runs, at what it uses and no kernel limit holds back without privileges: disk and processes. */
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { processStat } from '../host/process-stat.ts';
import type { Exceeded } from '../model/process.ts';
import type { DiskUse, Mount, SandboxRequest } from './sandbox.ts';

/** `firstPid`: of the command's processes, all others descend from it; null: not known yet. */
export type Look = (firstPid: number | null) => Promise<Exceeded | null>;

/** More files than anybody looks through afterwards. */
const MAX_FILES = 200_000;
/** Looked at before anything else gets its turn. */
const FILES_AT_ONCE = 200;

/** null: the request sets no such limit. To be called when the command starts. */
export function watchUse({ mounts, limits }: Pick<SandboxRequest, 'mounts' | 'limits'>): Look | null {
  const { diskBytes, processes } = limits;
  if (diskBytes === undefined && processes === undefined) return null;
  const written = mounts.filter(({ mode }) => mode === 'rw');
  const folders = written.map(({ from }) => from);
  const before = diskBytes === undefined ? null : heldBefore(written);
  return async (firstPid) => {
    const running = firstPid === null ? [] : processesBelow(firstPid);
    const tasks = running.reduce((sum, it) => sum + it.tasks, 0);
    if (processes !== undefined && tasks > processes)
      return { limit: 'processes', error: `ran more than ${processes} processes and threads at once` };
    if (diskBytes === undefined || before === null) return null;
    const [was, is] = [await before, await diskUse(folders, running)];
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

async function heldBefore(mounts: readonly Mount[]): Promise<DiskUse> {
  const unknown = mounts.filter(({ held }) => held === undefined).map(({ from }) => from);
  const all = [...mounts.flatMap(({ held }) => held ?? []), await diskUse(unknown)];
  return all.reduce((sum, it) => ({ bytes: sum.bytes + it.bytes, files: sum.files + it.files }));
}

/**
 * As the disk has it: holes take no room, a file with several names takes it once, one without a name as long as it is
 * open. Synchronous for the few files of most workspaces, since that costs a tenth.
 */
export async function diskUse(
  folders: readonly string[],
  running: readonly Running[] = [],
): Promise<DiskUse> {
  const counted = new Set<string>();
  const disks = new Set<number>();
  let bytes = 0;
  let files = 0;
  const add = ({ blocks, nlink, dev, ino }: Stats) => {
    const name = `${dev} ${ino}`;
    if (nlink !== 1 && counted.has(name)) return;
    if (nlink !== 1) counted.add(name);
    bytes += blocks * 512;
  };
  // Without recursion: whoever is watched decides how deep folders are.
  const queue = [...folders];
  for (let folder = queue.pop(); folder !== undefined && files <= 2 * MAX_FILES; folder = queue.pop()) {
    for (const entry of entriesOf(folder)) {
      files += 1;
      if (files % FILES_AT_ONCE === 0) await nextTurn();
      const path = join(folder, entry.name);
      if (entry.isDirectory()) queue.push(path);
      else {
        const stats = statsOf(path);
        if (stats) add(stats);
      }
    }
  }
  if (running.length > 0) for (const folder of folders) disks.add(statsOf(folder)?.dev ?? -1);
  for (const { pid } of running) {
    for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const stats = await stat(`/proc/${pid}/fd/${descriptor}`).catch(() => null);
      if (stats?.isFile() && stats.nlink === 0 && disks.has(stats.dev)) add(stats);
    }
  }
  return { bytes, files };
}

/** None: it is gone, or locked. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  /** Threads. */
  readonly tasks: number;
}

/** Also those in namespaces of their own: whoever loses its parent becomes a child of the first process. */
function processesBelow(firstPid: number): Running[] {
  const children = new Map<number, Running[]>();
  for (const it of readdirSync('/proc').flatMap(readProcess)) {
    const siblings = children.get(it.parent);
    if (siblings) siblings.push(it);
    else children.set(it.parent, [it]);
  }
  const found: Running[] = [];
  const queue = [firstPid];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      queue.push(child.pid);
    }
  }
  return found;
}

function readProcess(name: string): Running[] {
  const stat = /^\d+$/.test(name) ? processStat(Number(name)) : null;
  return stat ? [{ pid: Number(name), parent: stat.parent, tasks: stat.threads }] : [];
}
