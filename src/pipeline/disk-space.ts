/** Tells a full disk from whatever else goes wrong: it is nobody's verdict. */
import { statfs } from 'node:fs/promises';

/** Less than this, and next to nothing can be written. */
const FULL_BYTES = 64 * 1024;

/** null: there is room below the folder. */
export async function fullDisk(folder: string): Promise<Error | null> {
  const stats = await statfs(folder).catch(() => null);
  if (!stats) return null;
  // Some file systems count neither their size nor their files.
  const hasRoom = stats.blocks === 0 || stats.bavail * stats.bsize >= FULL_BYTES;
  const takesFiles = stats.files === 0 || stats.ffree > 0;
  if (hasRoom && takesFiles) return null;
  return Object.assign(new Error(`no space is left for ${folder}`), { code: 'ENOSPC' });
}

export function isFullDisk(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
