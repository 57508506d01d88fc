/** Copies a file that somebody may have swapped for something else since it was looked at. */
import { closeSync, constants, copyFileSync, fstatSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { UserError } from '../model/errors.ts';

/**
 * `root`: without links; the file must be below it, wherever its path leads by now. What was opened is what is looked at
 * and copied: between the two nothing can be swapped any more. Synchronous: for many small files that is faster.
 */
export function copyFileWithin(root: string, from: string, to: string): void {
  // Neither a pipe nor a device is waited for.
  const descriptor = openSync(from, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const real = pathOf(descriptor, from);
    if (!fstatSync(descriptor).isFile() || !real.startsWith(root === '/' ? root : `${root}/`))
      throw new UserError(`${from} was a file of the package and is none any more`, 'run it again');
    copyFileSync(openedAt(descriptor, from), to, constants.COPYFILE_FICLONE);
  } finally {
    closeSync(descriptor);
  }
}

function pathOf(descriptor: number, path: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // Elsewhere than on Linux.
    return realpathSync(path);
  }
}

function openedAt(descriptor: number, path: string): string {
  const opened = `/proc/self/fd/${descriptor}`;
  try {
    readlinkSync(opened);
    return opened;
  } catch {
    return path;
  }
}
