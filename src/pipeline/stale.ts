/** What processes of aam left behind when they were killed: temporary folders, sandboxes, half-written files. */
import { existsSync, readdirSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { killMarked, processesMarked } from '../host/marked-processes.ts';
import { ownedFoldersIn, ownerOf, removeOwnedFolder } from '../host/owned-folder.ts';
import { staleTemporaries } from '../report/write.ts';
import { lastOwner } from './run-lock.ts';

/** Absolute paths, and pids. */
export interface Leftovers {
  readonly folders: readonly string[];
  readonly processes: readonly number[];
  readonly files: readonly string[];
}

/** Where else a run may look for a folder without instructions above it, or for a short path. */
const PARENTS = ['/tmp', '/var/tmp'];

/** `aam`: folders that hold `runs`; `written`: folders that reports go to. Removes nothing. */
export async function findLeftovers(aam: readonly string[], written: readonly string[]): Promise<Leftovers> {
  const folders = staleFolders();
  const runs = aam.flatMap((folder) => subfolders(join(folder, 'runs')));
  const files = await Promise.all([...written, ...runs].map(staleTemporaries));
  return {
    folders: [...folders, ...runs.filter(isUnbegun)],
    processes: processesMarked(markedBy(folders)),
    files: [...new Set(files.flat())],
  };
}

/** Returns what was found and is gone. */
export async function removeLeftovers(found: Leftovers): Promise<Leftovers> {
  // Processes first: with the folders goes the knowledge of whose they are.
  const processes = killMarked(markedBy(found.folders));
  const removed = await Promise.all(
    found.folders.map(async (path) => ((await removeFolder(path)) ? [path] : [])),
  );
  await Promise.all(found.files.map((path) => rm(path, { force: true }).catch(() => {})));
  return { folders: removed.flat(), processes, files: found.files.filter((path) => !existsSync(path)) };
}

function staleFolders(): string[] {
  return [...new Set([tmpdir(), ...PARENTS])].flatMap(ownedFoldersIn).filter((path) => {
    const owner = ownerOf(path);
    return owner === 'dead' || owner === 'unclaimed';
  });
}

/** Processes of a sandbox have the name of its folder in their environment. */
function markedBy(folders: readonly string[]): string[] {
  return folders.map((path) => basename(path)).filter((name) => /^aam-(?:box|home)_/.test(name));
}

/** Killed before anything was written down that could be continued, or while it was removed. */
function isUnbegun(dir: string): boolean {
  try {
    const names = readdirSync(dir);
    if (names.length === 0) return true;
    return !names.includes('run.json') && lastOwner(dir)?.isLiving === false;
  } catch {
    return false;
  }
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

/** An empty folder is only removed as long as it is empty: somebody may just be about to make it theirs. */
async function removeFolder(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch {
    if (ownerOf(path) !== 'dead' && !isUnbegun(path)) return false;
    return (await removeOwnedFolder(path)).left === null;
  }
}
