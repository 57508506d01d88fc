import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Rubbish } from '../../src/host/rubbish.ts';
import { temporaryFolder } from '../helpers/folder.ts';

async function makeFolders(root: string, count: number): Promise<string[]> {
  const folders = Array.from({ length: count }, (_, index) => join(root, `-f ${index}`));
  for (const folder of folders) {
    await mkdir(join(folder, 'inner'), { recursive: true });
    await writeFile(join(folder, 'inner', 'file'), 'text');
  }
  return folders;
}

describe('rubbish', () => {
  it('is gone when it was emptied, however much there is', async () => {
    await using root = await temporaryFolder();
    const folders = await makeFolders(root.path, 600);
    const rubbish = new Rubbish();
    for (const folder of folders) rubbish.add(folder);
    await rubbish.empty();
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  });

  it('goes by itself, also what comes while some of it is removed', async () => {
    await using root = await temporaryFolder();
    const folders = await makeFolders(root.path, 40);
    const rubbish = new Rubbish();
    for (const folder of folders) {
      rubbish.add(folder);
      await sleep(20);
    }
    await expect.poll(() => folders.filter((folder) => existsSync(folder)), { timeout: 20_000 }).toEqual([]);
    await rubbish.empty();
  });

  it('goes also where a folder is locked, and without what is beside it', async () => {
    await using root = await temporaryFolder();
    const [locked = '', other = ''] = await makeFolders(root.path, 2);
    await chmod(join(locked, 'inner'), 0o000);
    const rubbish = new Rubbish();
    rubbish.add(locked);
    rubbish.add(join(root.path, 'never-made'));
    await rubbish.empty();
    expect(existsSync(locked)).toBe(false);
    expect(existsSync(other)).toBe(true);
  });
});
