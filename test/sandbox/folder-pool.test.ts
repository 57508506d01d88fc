import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findBubblewrap } from '../../src/sandbox/bubblewrap/find.ts';
import { FolderPool, type Survivors } from '../../src/sandbox/folder-pool.ts';
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

describe('a lent folder that its user may still be in', () => {
  /** Folders that borrowers got, one after the other. */
  async function borrowed(times: number, survivors: Survivors, use: (dir: string) => Promise<unknown>) {
    await using scratch = await temporaryFolder();
    const pool = new FolderPool<string>(scratch.path, survivors);
    const dirs: string[] = [];
    for (let time = 0; time < times; time++)
      await pool.lend('key', make, async (dir) => {
        dirs.push(dir);
        await use(dir);
      });
    return { distinct: new Set(dirs).size, left: (await readdir(scratch.path)).length };
  }

  it('waits with others until somebody has looked, once for all of them', async () => {
    let looks = 0;
    const isQuiet = () => {
      looks += 1;
      return true;
    };
    expect(await borrowed(12, { isQuiet, perLook: () => 4 }, async () => {})).toEqual({
      distinct: 4,
      left: 4,
    });
    expect(looks).toBe(2);
  });

  it('is looked at with those of other kinds, and for nobody who needs none of them', async () => {
    await using scratch = await temporaryFolder();
    let looks = 0;
    const isQuiet = () => {
      looks += 1;
      return true;
    };
    const pool = new FolderPool<string>(scratch.path, { isQuiet, perLook: () => 4 });
    const lend = (key: string) => pool.lend(key, make, async (dir) => dir);
    const first = [await lend('a'), await lend('b'), await lend('a'), await lend('b')];
    expect(first).not.toContain(await lend('c'));
    expect(looks).toBe(0);
    expect(first).toContain(await lend('a'));
    expect(first).toContain(await lend('b'));
    expect(looks).toBe(1);
  });

  it('is lent to nobody while anybody is', async () => {
    let looks = 0;
    const isQuiet = () => {
      looks += 1;
      return false;
    };
    const found = await borrowed(12, { isQuiet, perLook: () => 4 }, async () => {});
    expect(found).toEqual({ distinct: 12, left: 12 });
    expect(looks).toBe(2);
  });

  it('is lent again when whoever was there has gone', async () => {
    let looks = 0;
    const isQuiet = () => {
      looks += 1;
      return looks > 1;
    };
    const found = await borrowed(16, { isQuiet, perLook: () => 4 }, async () => {});
    expect(found).toEqual({ distinct: 8, left: 8 });
    expect(looks).toBe(2);
  });

  it('is lent to nobody when it was changed after its use', async () => {
    const used: string[] = [];
    const changing = () => {
      for (const dir of used.splice(0)) writeFileSync(join(dir, 'late'), '');
      return true;
    };
    const found = await borrowed(8, { isQuiet: changing, perLook: () => 4 }, async (dir) => used.push(dir));
    expect(found.distinct).toBe(8);
  });

  it('goes when there are too many of them', async () => {
    await using scratch = await temporaryFolder();
    const pool = new FolderPool<string>(scratch.path);
    for (let key = 0; key < 230; key++) await pool.lend(`${key}`, make, async () => {});
    expect(await readdir(scratch.path)).toHaveLength(200);
  });
});

/** Changes a file in place, through memory that it has looked at before. */
const MAPPED = `
import mmap, sys
with open(sys.argv[1], 'r+b') as file, mmap.mmap(file.fileno(), 0) as memory:
    memory[0:8] = memory[0:8].upper()
`;

describe('a folder in memory, where no time tells what was changed', () => {
  it.each([
    ['small', 8],
    ['large', 2 * 1024 * 1024],
  ])('is as it was made for the next one: a %s file', async (_, bytes) => {
    const scratch = await mkdtemp('/dev/shm/aam-spec-');
    try {
      const pool = new FolderPool<string>(scratch);
      const makeFile = async (dir: string) => {
        await writeFile(join(dir, 'f'), 'pristine'.padEnd(bytes));
        await sleep(50);
        return join(dir, 'f');
      };
      const first = await pool.lend('key', makeFile, async (file) => file);
      await sleep(50);
      const isUntouched = await pool.lend('key', makeFile, async (file, isIt) => {
        expect(file === first).toBe(bytes === 8);
        await promisify(execFile)('python3', ['-c', MAPPED, file]);
        return isIt(true);
      });
      const text = await pool.lend('key', makeFile, (file) => readFile(file, 'utf8'));
      expect([isUntouched, text.trim()]).toEqual([false, 'pristine']);
    } finally {
      await rm(scratch, { recursive: true });
    }
  });
});

/** The same in a layered folder whose upper layer is in memory. */
const LAYERED = `
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderPool } from '${new URL('../../dist/sandbox/folder-pool.js', import.meta.url).href}';
const pool = new FolderPool('/tmp/all');
const make = async (dir) => {
  writeFileSync(dir + '/f', 'pristine');
  await sleep(50);
  return dir + '/f';
};
await pool.lend('key', make, async () => {});
await sleep(50);
const change = async (file) => execFileSync('python3', ['-c', process.argv[1], file]);
await pool.lend('key', make, change);
console.log(await pool.lend('key', make, async (file) => readFileSync(file, 'utf8')));
`;

it('a folder in layers is as it was made for the next one, whatever is below them', async ({ skip }) => {
  const bwrap = findBubblewrap({ env: process.env, cwd: '/', home: '/nonexistent' })?.path ?? 'bwrap';
  const mount = `cd /tmp && mkdir low up work all && mount -t overlay overlay -o lowerdir=low,upperdir=up,workdir=work,userxattr all || exit 99; exec "$@"`;
  const around = ['--unshare-user', '--cap-add', 'CAP_SYS_ADMIN', '--dev-bind', '/', '/', '--tmpfs', '/tmp'];
  const [keep] = fileURLToPath(new URL('../..', import.meta.url)).match(/^\/tmp\/[^/]+/) ?? [];
  const shown = keep === undefined ? [] : ['--ro-bind', keep, keep];
  const command = [process.execPath, '--input-type=module', '-e', LAYERED, MAPPED];
  const all = [...around, ...shown, '/bin/sh', '-c', mount, 'sh', ...command];
  const outcome = await promisify(execFile)(bwrap, all).catch((error) => error);
  // Old systems let nobody but root make layers.
  if (outcome.code === 99) skip();
  expect(outcome.stdout).toBe('pristine\n');
});

/** All within one second, after the first use of a folder, for which contents are compared in any case. */
const WITHIN_A_SECOND = `
import { readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderPool } from '${new URL('../../dist/sandbox/folder-pool.js', import.meta.url).href}';
const pool = new FolderPool(process.argv[1]);
const make = async (dir) => dir;
while (Date.now() % 1000 > 300) await sleep(20);
await pool.lend('key', make, async () => {});
await sleep(30);
await pool.lend('key', make, async (dir) => writeFileSync(dir + '/left', ''));
console.log(await pool.lend('key', make, async (dir) => readdirSync(dir).length));
`;

it('a folder on a disk that counts seconds is as it was made for the next one', async ({ skip }) => {
  await using folder = await temporaryFolder();
  const make = `cd "$1" && mkdir all && truncate -s 8M disk && mkfs.ext4 -q -I 128 disk > /dev/null 2>&1 && mount -o loop disk all || exit 99; shift; exec "$@"`;
  const command = [process.execPath, '--input-type=module', '-e', WITHIN_A_SECOND, join(folder.path, 'all')];
  const all = ['--mount', '/bin/sh', '-c', make, 'sh', folder.path, ...command];
  const outcome = await promisify(execFile)('unshare', all).catch((error) => error);
  // Only root may, and not everywhere.
  if ([99, 'ENOENT'].includes(outcome.code) || /unshare failed/.test(outcome.stderr)) skip();
  expect(outcome.stdout).toBe('0\n');
});
