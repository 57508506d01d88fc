import { execFile, spawn } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findDestination } from '../../src/report/destination.ts';
import { checkWritable, writeAtomically } from '../../src/report/write.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const run = promisify(execFile);

describe('a file', () => {
  it('is replaced as a whole, and made with its folders', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'a/b/out.txt');
    await checkWritable(file);
    for (const text of ['first', 'second']) await writeAtomically(file, text);
    expect(await readFile(file, 'utf8')).toBe('second');
    expect(await readdir(join(folder.path, 'a/b'))).toEqual(['out.txt']);
  });

  it('at the end of links is replaced, and the links stay', async () => {
    await using folder = await temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    await mkdir(at('real'));
    await symlink('real', at('folder'));
    await writeFile(at('real/file'), 'old');
    await symlink('folder/file', at('one'));
    await symlink(at('one'), at('two'));
    await symlink('real/fresh', at('dangling'));
    for (const name of ['two', 'dangling']) {
      await checkWritable(at(name));
      await writeAtomically(at(name), name);
      expect((await lstat(at(name))).isSymbolicLink()).toBe(true);
    }
    expect((await lstat(at('one'))).isSymbolicLink()).toBe(true);
    expect(await readFile(at('real/file'), 'utf8')).toBe('two');
    expect(await readFile(at('real/fresh'), 'utf8')).toBe('dangling');
    expect(await readdir(at('real'))).toEqual(['file', 'fresh']);
  });

  it('that would be a folder, or links in a circle, are refused', async () => {
    await using folder = await temporaryFolder();
    await symlink('loop', join(folder.path, 'loop'));
    await symlink('.', join(folder.path, 'self'));
    for (const work of [checkWritable, (path: string) => writeAtomically(path, 'x')]) {
      await expect(work(folder.path)).rejects.toThrow('is a folder');
      await expect(work(join(folder.path, 'self'))).rejects.toThrow('is a folder');
      await expect(work(join(folder.path, 'loop'))).rejects.toThrow('is a link that leads nowhere');
    }
    expect((await readdir(folder.path)).sort()).toEqual(['loop', 'self']);
  });
});

describe('what is no file is written to and stays what it is', () => {
  it('a pipe, also through a link', async () => {
    await using folder = await temporaryFolder();
    const pipe = join(folder.path, 'pipe');
    const link = join(folder.path, 'link');
    await run('mkfifo', [pipe]);
    await symlink('pipe', link);
    for (const path of [pipe, link]) {
      await checkWritable(path);
      const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
      const read = reader.stdout.setEncoding('utf8').toArray();
      // Until the reader is there, nobody reads.
      await expect
        .poll(() => writeAtomically(path, 'x'.repeat(200_000)).then(() => 'written', String))
        .toBe('written');
      expect((await read).join('')).toHaveLength(200_000);
      expect((await lstat(pipe)).isFIFO()).toBe(true);
    }
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await readdir(folder.path)).sort()).toEqual(['link', 'pipe']);
  });

  it('a pipe that nobody reads is told and not waited for', async () => {
    await using folder = await temporaryFolder();
    const pipe = join(folder.path, 'pipe');
    await run('mkfifo', [pipe]);
    await expect(writeAtomically(pipe, 'x')).rejects.toThrow('nobody reads from it');
  });

  // Links like those in /dev, made where nothing else is lost should they be replaced.
  it.each(['stdout', 'fd/1'])('%s, be it a pipe, a socket or a file', async (name) => {
    await using folder = await temporaryFolder();
    await symlink('/proc/self/fd/1', join(folder.path, 'stdout'));
    await symlink('/proc/self/fd', join(folder.path, 'fd'));
    const path = JSON.stringify(join(folder.path, name));
    const source = fileURLToPath(new URL('../../dist/report/write.js', import.meta.url));
    const script = `import { checkWritable, writeAtomically } from ${JSON.stringify(source)};
      process.stdout.write('before\\n', async () => {
        await checkWritable(${path});
        await writeAtomically(${path}, 'text\\n');
        process.stdout.write('after\\n');
      });`;
    const node = `"${process.execPath}" --input-type=module -e "$SCRIPT"`;
    const file = join(folder.path, 'out.txt');
    const env = { ...process.env, SCRIPT: script };
    // What Node gives to a child as its standard output is a socket.
    expect((await run('/bin/sh', ['-c', node], { env })).stdout).toBe('before\ntext\nafter\n');
    expect((await run('/bin/sh', ['-c', `${node} | cat`], { env })).stdout).toBe('before\ntext\nafter\n');
    await run('/bin/sh', ['-c', `${node} >> "${file}"`], { env });
    expect(await readFile(file, 'utf8')).toBe('before\ntext\nafter\n');
    expect((await readdir(folder.path)).sort()).toEqual(['fd', 'out.txt', 'stdout']);
    expect((await lstat(join(folder.path, 'stdout'))).isSymbolicLink()).toBe(true);
  });

  it('the real ones, of which only the place is asked: nothing that could go wrong is tried on them', async () => {
    expect(await findDestination('/dev/null')).toEqual({ path: '/dev/null', isStream: true });
    expect(await findDestination('/dev/stdout')).toMatchObject({ isStream: true });
  });
});
