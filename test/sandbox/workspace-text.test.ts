import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesBetween, readWorkspaceText } from '../../src/sandbox/workspace.ts';
import { temporaryFolder } from '../helpers/folder.ts';

describe('the text of a file that an agent left', () => {
  it('is read, and never through a link', async () => {
    await using folder = await temporaryFolder();
    const root = join(folder.path, 'workspace');
    await mkdir(join(root, 'out'), { recursive: true });
    await writeFile(join(folder.path, 'secret.txt'), 'of the host');
    await writeFile(join(root, 'out/a.txt'), 'said');
    await symlink('../secret.txt', join(root, 'link.txt'));
    await symlink('..', join(root, 'up'));
    await writeFile(join(root, 'big.txt'), '');
    await truncate(join(root, 'big.txt'), 17 * 1024 * 1024);
    expect(readWorkspaceText(root, 'out/a.txt')).toEqual({ text: 'said' });
    expect(readWorkspaceText(root, 'link.txt')).toMatchObject({ state: 'missing' });
    expect(readWorkspaceText(root, 'up/secret.txt')).toMatchObject({ state: 'missing' });
    expect(readWorkspaceText(root, 'out')).toMatchObject({ problem: 'is not a regular file' });
    expect(readWorkspaceText(root, 'none.txt')).toEqual({ problem: 'is not there', state: 'missing' });
    expect(readWorkspaceText(root, 'big.txt')).toMatchObject({ state: 'unreadable' });
  });
});

describe('what was changed in a workspace', () => {
  it.each([
    ['a', 'b', ['f']],
    ['a', 'a', []],
    ['a', Buffer.from([0xff]), []],
  ])('is seen by the text on a disk that counts seconds: %j and %j', async (was, is, changed) => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'f'), is);
    const files = new Map([['f', { mark: '7 1 1763265123000', size: 1, isFile: true }]]);
    const snapshot = { root: folder.path, files, isWhole: true, unseen: [] };
    expect(changesBetween(snapshot, snapshot, () => was).map(({ path }) => path)).toEqual(changed);
  });
});
