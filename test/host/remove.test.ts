import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeTree } from '../../src/host/remove.ts';
import { temporaryFolder } from '../helpers/folder.ts';

it('removes locked folders, and not what links point at', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'outside'));
  await writeFile(join(folder.path, 'outside/kept'), 'x');
  const tree = join(folder.path, 'tree');
  await mkdir(join(tree, 'a/b'), { recursive: true });
  await writeFile(join(tree, 'a/b/f'), 'x');
  await symlink('../outside', join(tree, 'link'));
  await chmod(join(tree, 'a/b'), 0o000);
  await chmod(join(tree, 'a'), 0o000);
  expect(await removeTree(tree)).toEqual({ left: null });
  expect(execFileSync('ls', [join(folder.path, 'outside')], { encoding: 'utf8' })).toBe('kept\n');
});

it('is content when nothing is there', async () => {
  expect(await removeTree('/no/such/folder')).toEqual({ left: null });
});
