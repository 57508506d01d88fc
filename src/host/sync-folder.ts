/** Makes sure that names in a folder survive a loss of power. */
import { open } from 'node:fs/promises';

/** Some file systems cannot do it, and there is nothing that could be done instead. */
const CANNOT = new Set(['EINVAL', 'EPERM', 'EACCES', 'EISDIR', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF']);

export async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    if (!CANNOT.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
