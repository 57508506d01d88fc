/** Tells a full disk from whatever else goes wrong: it is nobody's verdict. */
import { statfs } from 'node:fs/promises';

/** Less than this, and next to nothing can be written. */
const FULL_BYTES = 64 * 1024;

/** null: there is room below the folder. */
export async function fullDisk(folder: string): Promise<Error | null> {
  const stats = await statfs(folder).catch(() => null);
  if (!stats) return null;
  // Some file systems do not count their files: then there are none in all.
  const takesFiles = stats.files === 0 || stats.ffree > 0;
  if (takesFiles && stats.bavail * stats.bsize >= FULL_BYTES) return null;
  return Object.assign(new Error(`no space is left for ${folder}`), { code: 'ENOSPC' });
}

export function isFullDisk(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
