/** Folders that must not be seen, wherever they lie. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBubblewrap } from '../../src/sandbox/bubblewrap/bubblewrap.ts';
import { HOST, shellIn } from '../conformance/sandbox.ts';
import { temporaryFolder } from '../helpers/folder.ts';

describe('bubblewrap hides', () => {
  it('a folder of the system', async () => {
    await using open = await createBubblewrap(HOST);
    expect((await shellIn(open)('ls -A /usr/share')).stdout.text).not.toBe('');
    await using sandbox = await createBubblewrap(HOST, ['/usr/share']);
    const outcome = await shellIn(sandbox)('ls -A /usr/share; touch /usr/share/x');
    expect(outcome.stdout.text).toBe('');
    expect(outcome.stderr.text).toContain('Read-only');
  });

  it('a folder that is on PATH', async () => {
    await using folder = await project({ 'pkg/secret': 'x' });
    expect(await seen(folder.path, [join(folder.path, 'pkg')])).toEqual([]);
  });

  it('a folder below one that is on PATH, also through a link', async () => {
    await using folder = await project({ 'pkg/secret': 'x', tool: 'x' });
    expect(await seen(folder.path, [folder.path])).toEqual(['./tool']);
    await symlink(folder.path, `${folder.path}-link`);
    await using _ = { [Symbol.asyncDispose]: () => rm(`${folder.path}-link`) };
    expect(await seen(folder.path, [`${folder.path}-link`], `${folder.path}-link`)).toEqual(['./tool']);
  });

  it('a repository, but not the programs in it', async () => {
    await using folder = await project({
      'pkg/secret': 'x',
      'bin/tool': 'x',
      'pkg/bin/own': 'x',
      notes: 'x',
    });
    const path = [folder.path, join(folder.path, 'bin'), join(folder.path, 'pkg/bin')];
    const hidden = [join(folder.path, 'pkg'), folder.path];
    expect(await seen(folder.path, path, folder.path, hidden)).toEqual(['./bin/tool', './pkg/bin/own']);
  });

  it('and still shows what is mounted from there', async () => {
    await using folder = await project({ 'pkg/secret': 'x' });
    const root = join(folder.path, 'pkg');
    await using sandbox = await createBubblewrap(withPath([root]), [root]);
    const mounts = [{ from: root, to: '/mine', mode: 'ro' as const }];
    expect((await shellIn(sandbox)('ls /mine', { mounts })).stdout.text).toBe('secret\n');
  });
});

/** The files that a command finds in `at`. */
async function seen(
  project: string,
  path: readonly string[],
  at: string = project,
  hidden: readonly string[] = [join(project, 'pkg')],
): Promise<string[]> {
  await using sandbox = await createBubblewrap(withPath(path), hidden);
  const { stdout } = await shellIn(sandbox)(`cd ${at} && find . -type f`);
  return stdout.text.trim().split('\n').filter(Boolean).sort();
}

function withPath(folders: readonly string[]) {
  return { ...HOST, env: { ...HOST.env, PATH: `${folders.join(':')}:${HOST.env['PATH']}` } };
}

async function project(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  return folder;
}
