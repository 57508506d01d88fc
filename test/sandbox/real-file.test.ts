import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { notAFile } from '../../src/sandbox/real-file.ts';
import { temporaryFolder } from '../helpers/folder.ts';

describe('a file of the workspace', () => {
  it('is a file, or a link to one in the workspace', async () => {
    await using folder = await temporaryFolder();
    const made = [
      'mkdir -p out .git && echo x > file && echo x > .git/HEAD && ln -s ../file out/link',
      'ln -s /workspace/out/link out/inside && ln -s "$PWD/file" out/host',
      'ln -s nothing out/dangling && ln -s ../out out/folder && ln -s loop out/loop && mkfifo out/pipe',
      'ln -s /etc/passwd out/etc && ln -s ../../../etc/passwd out/up && ln -s ../.git/HEAD out/git',
    ];
    execFileSync('/bin/sh', ['-c', made.join(' && ')], { cwd: folder.path });
    const seen = (name: string) => notAFile(folder.path, name, '/workspace');
    expect(['file', 'out/link', 'out/inside', 'out/host'].map(seen)).toEqual([null, null, null, null]);
    const others = ['dangling', 'folder', 'loop', 'pipe', 'etc', 'up', 'git', 'gone'];
    expect(Object.fromEntries(others.map((name) => [name, seen(`out/${name}`)]))).toMatchInlineSnapshot(`
      {
        "dangling": "a link to nothing",
        "etc": "a link that leads out of the workspace",
        "folder": "a link to a folder",
        "git": "a link into .git",
        "gone": "gone",
        "loop": "a link to itself",
        "pipe": "a pipe, a socket or a device",
        "up": "a link that leads out of the workspace",
      }
    `);
  });
});
