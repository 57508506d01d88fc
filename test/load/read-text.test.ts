import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText } from '../../src/load/read-text.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { findingLine } from '../helpers/package.ts';
import { asOrdinaryUser, makeFifo } from './strange-files.ts';

const LIMIT = 4 * 1024 * 1024;

async function read(content: string | Buffer): Promise<string> {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'a.txt'), content);
  return said(await readText(folder.path, 'a.txt'));
}

function said(result: Awaited<ReturnType<typeof readText>>): string {
  return 'text' in result ? result.text : findingLine(result.problem);
}

describe('readText', () => {
  it('reads UTF-8, with or without a byte order mark', async () => {
    expect(await read('héllo 😀\r\n')).toBe('héllo 😀\r\n');
    expect(await read('\ufeffhello')).toBe('hello');
    expect(await read('')).toBe('');
  });

  it('points at the first byte that is not UTF-8', async () => {
    const latin1 = Buffer.concat([
      Buffer.from('name: a\nauthor: Ren'),
      Buffer.from([0xe9]),
      Buffer.from('\n'),
    ]);
    expect(await read(latin1)).toBe(
      'error a.txt:2:12 encoding: is not UTF-8 text from here on (save it as UTF-8)',
    );
    expect(await read(Buffer.from('\ufeffname: a\n', 'utf16le'))).toBe(
      'error a.txt:1:1 encoding: is not UTF-8 text from here on (save it as UTF-8)',
    );
    expect(await read(Buffer.from([0xed, 0xa0, 0x80]))).toContain('a.txt:1:1 encoding');
  });

  it('reads up to 4 MiB and not a byte more', async () => {
    expect((await read('a'.repeat(LIMIT))).length).toBe(LIMIT);
    expect(await read('a'.repeat(LIMIT + 1))).toBe('error a.txt too-large: is larger than 4 MiB');
  });

  it('explains what cannot be read', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'dir'));
    await symlink('loop', join(folder.path, 'loop'));
    await makeFifo(join(folder.path, 'fifo'));
    const lines = await Promise.all(
      ['none', 'none/deeper', 'dir', 'fifo', 'loop'].map(async (file) =>
        said(await readText(folder.path, file)),
      ),
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        "error none missing-file: does not exist",
        "error none/deeper missing-file: does not exist",
        "error dir not-a-file: is not a regular file",
        "error fifo not-a-file: is not a regular file",
        "error loop unreadable: cannot be read: ELOOP",
      ]
    `);
  });

  it('says so when permission is denied', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'a.txt'), 'secret');
    await chmod(folder.path, 0o755);
    await chmod(join(folder.path, 'a.txt'), 0o000);
    const result = await asOrdinaryUser(() => readText(folder.path, 'a.txt'));
    expect(said(result)).toBe('error a.txt unreadable: cannot be read: permission denied');
  });
});
