import { chmod, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FolderPool } from '../../src/sandbox/folder-pool.ts';
import { temporaryFolder } from '../helpers/folder.ts';

async function make(dir: string): Promise<string> {
  await mkdir(join(dir, 'sub'));
  await writeFile(join(dir, 'sub/f'), 'pristine');
  return dir;
}

/** What the second borrower finds after the first one did something. */
async function leftBy(use: (dir: string) => Promise<unknown>, before = make) {
  await using scratch = await temporaryFolder();
  const pool = new FolderPool<string>(scratch.path);
  const first = await pool.lend('key', before, async (dir) => {
    await use(dir);
    return dir;
  });
  return await pool.lend('key', before, async (dir) => ({
    again: dir === first,
    text: await readFile(join(dir, 'sub/f'), 'utf8'),
    names: (await readdir(dir, { recursive: true })).sort(),
    folders: (await readdir(scratch.path)).length,
  }));
}

const PRISTINE = { text: 'pristine', names: ['sub', 'sub/f'], folders: 1 };

describe('a lent folder', () => {
  it('is lent again when nobody changed it', async () => {
    expect(await leftBy(async (dir) => readFile(join(dir, 'sub/f')))).toEqual({ again: true, ...PRISTINE });
  });

  it.each<[string, (dir: string) => Promise<unknown>]>([
    ['a file was added', (dir) => writeFile(join(dir, 'new'), '')],
    ['a file was changed', (dir) => writeFile(join(dir, 'sub/f'), 'other text')],
    ['a file was changed at once, with the same length', (dir) => writeFile(join(dir, 'sub/f'), 'PRISTINE')],
    ['a file was removed', (dir) => rm(join(dir, 'sub/f'))],
    [
      'a file was replaced',
      (dir) => writeFile(join(dir, 'x'), 'pristine').then(() => rename(join(dir, 'x'), join(dir, 'sub/f'))),
    ],
    ['a mode was changed', (dir) => chmod(join(dir, 'sub/f'), 0o600)],
    ['a link was added', (dir) => symlink('/etc', join(dir, 'link'))],
    ['a folder was locked', (dir) => chmod(join(dir, 'sub'), 0o000)],
    ['everything is gone', (dir) => rm(dir, { recursive: true })],
    [
      'the times were set back after a change',
      async (dir) => {
        await sleep(30);
        await writeFile(join(dir, 'sub/f'), 'PRISTINE');
        await utimes(join(dir, 'sub/f'), 1, 1);
      },
    ],
  ])('is made anew when %s', async (_, use) => {
    expect(await leftBy(use)).toEqual({ again: false, ...PRISTINE });
  });

  it('is made anew when its user failed', async () => {
    await using scratch = await temporaryFolder();
    const pool = new FolderPool<string>(scratch.path);
    await expect(pool.lend('key', make, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await readdir(scratch.path)).toEqual([]);
  });

  it('is compared by its times when it is large', async () => {
    const large = async (dir: string) => {
      await make(dir);
      await writeFile(join(dir, 'sub/large'), Buffer.alloc(3_000_000));
      return dir;
    };
    expect(await leftBy(async () => {}, large)).toMatchObject({ again: true });
    const change = (dir: string) => writeFile(join(dir, 'sub/large'), Buffer.alloc(3_000_000, 1));
    expect(await leftBy(change, large)).toMatchObject({ again: false });
  });

  it('goes to one borrower at a time, and to none with another key', async () => {
    await using scratch = await temporaryFolder();
    const pool = new FolderPool<string>(scratch.path);
    const lend = (key: string) => pool.lend(key, make, (dir) => sleep(20, dir));
    expect(new Set(await Promise.all([lend('a'), lend('a'), lend('b')])).size).toBe(3);
    expect(new Set(await Promise.all([lend('a'), lend('a'), lend('b')])).size).toBe(3);
    expect((await readdir(scratch.path)).length).toBe(3);
  });
});
