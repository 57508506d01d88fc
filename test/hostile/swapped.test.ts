/** Files that are another thing when they are copied than when they were looked at, or larger than they seem. */
import { existsSync } from 'node:fs';
import { readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { copyPackage, withoutAnswers } from '../../src/pipeline/package-copy.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { CLEAN, writePackage } from '../helpers/package.ts';
import { makeFifo } from '../load/strange-files.ts';
import { attempted } from './attempts.ts';

const NOTE = 'skills/echo/note.txt';

describe('a file of a package that is swapped after it was looked at', () => {
  it.for([
    ['a link out', (path: string, outside: string) => symlink(join(outside, 'secret'), path)],
    ['a pipe', makeFifo],
    ['a device', (path: string) => symlink('/dev/zero', path)],
    ['what a process knows', (path: string) => symlink('/proc/self/environ', path)],
  ] as const)('for %s is not copied', async ([, swap], context) => {
    attempted(context);
    await using outside = await temporaryFolder();
    await writeFile(join(outside.path, 'secret'), 'of the host');
    await using pkg = await writePackage({ ...CLEAN, [NOTE]: 'a note' });
    const read = await readPackage(pkg.root);
    await rm(join(pkg.root, NOTE));
    await swap(join(pkg.root, NOTE), outside.path);
    const { pkg: clean } = withoutAnswers(read, []);
    const copy = join(outside.path, 'copy');
    await expect(copyPackage(clean, copy)).rejects.toThrow('was a file of the package and is none any more');
    expect(existsSync(join(copy, NOTE))).toBe(false);
  });

  it('for a folder that leads out is not copied', async (context) => {
    attempted(context);
    await using outside = await temporaryFolder();
    await writeFile(join(outside.path, 'note.txt'), 'of the host');
    await using pkg = await writePackage({ ...CLEAN, 'skills/echo/more/note.txt': 'a note' });
    const read = await readPackage(pkg.root);
    await rename(join(pkg.root, 'skills/echo/more'), join(pkg.root, 'skills/echo/less'));
    await symlink(outside.path, join(pkg.root, 'skills/echo/more'));
    await expect(copyPackage(read, join(outside.path, 'copy'))).rejects.toThrow('is none any more');
  });

  it('for another file of the package is copied as it is then', async () => {
    await using outside = await temporaryFolder();
    await using pkg = await writePackage({ ...CLEAN, [NOTE]: 'a note', 'skills/echo/other.txt': 'another' });
    const read = await readPackage(pkg.root);
    await rm(join(pkg.root, NOTE));
    await symlink('other.txt', join(pkg.root, NOTE));
    await copyPackage(read, join(outside.path, 'copy'));
    expect(await readFile(join(outside.path, 'copy', NOTE), 'utf8')).toBe('another');
  });
});

it('a package that is larger than it seems is not copied', async (context) => {
  attempted(context);
  await using outside = await temporaryFolder();
  await using pkg = await writePackage({ ...CLEAN, 'skills/echo/holes.bin': 'x' });
  await truncate(join(pkg.root, 'skills/echo/holes.bin'), 100 * 1024 ** 3);
  const copied = copyPackage(await readPackage(pkg.root), join(outside.path, 'copy'));
  await expect(copied).rejects.toThrow(
    /^the package has 100 GiB, and each run copies it: 4 GiB are the most/,
  );
});
