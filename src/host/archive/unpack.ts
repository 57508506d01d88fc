/** Writes the files of an archive into a folder of their own. */
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../remove.ts';
import type { ArchiveKind } from './archive.ts';
import { type ReadEntry, readArchive } from './read.ts';

/**
 * `folder` must not exist yet: in a fresh one no link can lead a file elsewhere. When anything is wrong with the archive,
 * the folder is removed again.
 */
export async function unpackArchive(
  packed: AsyncIterable<Uint8Array>,
  folder: string,
  kind: ArchiveKind,
): Promise<void> {
  await mkdir(folder);
  try {
    for await (const entry of readArchive(packed, kind)) await writeEntry(entry, folder);
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
}

async function writeEntry({ name, executable, content }: ReadEntry, folder: string): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await using file = await open(path, 'wx', executable ? 0o755 : 0o644);
  for await (const chunk of content) await file.writeFile(chunk);
}
