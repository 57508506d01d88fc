/** Removes folders that strangers' programs worked in. */
import { execFile } from 'node:child_process';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Also removes folders whose owner locked them. Never throws: what stays is told. */
export async function removeTree(path: string): Promise<{ readonly left: string | null }> {
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(path, options);
  } catch {
    await unlock(path);
    // Paths can be longer than Node can name; this program goes from folder to folder.
    await new Promise((done) => execFile('/bin/rm', ['-rf', '--', path], done));
  }
  const left = await lstat(path).then(
    () => true,
    () => false,
  );
  return { left: left ? path : null };
}

async function unlock(path: string): Promise<void> {
  await chmod(path, 0o700).catch(() => {});
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  await Promise.all(
    entries.map((entry) => (entry.isDirectory() ? unlock(join(path, entry.name)) : undefined)),
  );
}
