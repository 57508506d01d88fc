/** Where a path leads when something is to be written there. */
import type { Stats } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

export interface Destination {
  /** Links are followed: they stay, and what they lead to is written. */
  readonly path: string;
  /** A pipe, a terminal, a device, or an open file of this program: to be written to, never replaced. */
  readonly isStream: boolean;
}

const MAX_LINKS = 40;
/** What /dev/stdout and /dev/fd/3 lead to. */
const DESCRIPTORS = /^\/proc\/\d+\/(?:task\/\d+\/)?fd$/;

/** Throws where nothing may be written: a folder, a disk, links without end. */
export async function findDestination(path: string): Promise<Destination> {
  let place = path;
  for (let hops = 0; hops < MAX_LINKS; hops++) {
    const folder = await realpath(dirname(place)).catch(ignoreMissing);
    if (folder === null) return { path: place, isStream: false };
    const here = join(folder, basename(place));
    if (DESCRIPTORS.test(folder)) return { path: here, isStream: true };
    const stats = await lstat(here).catch(ignoreMissing);
    if (!stats?.isSymbolicLink()) return { path: here, isStream: stats !== null && isStream(stats, path) };
    place = resolve(folder, await readlink(here));
  }
  throw new Error(`${path} is a link that leads nowhere`);
}

function isStream(stats: Stats, path: string): boolean {
  if (stats.isDirectory()) throw new Error(`${path} is a folder`);
  if (stats.isBlockDevice()) throw new Error(`${path} is a disk`);
  if (stats.isSocket()) throw new Error(`${path} is a socket`);
  return !stats.isFile();
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
