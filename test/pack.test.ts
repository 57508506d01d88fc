/** What `npm pack` makes is what users install. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';

const exec = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

it('installs in an empty folder and runs', { timeout: 240_000 }, async () => {
  await using folder = await temporaryFolder();
  // The build is there already; running it again would pull the floor from under other tests.
  await exec('npm', ['pack', '--ignore-scripts', '--pack-destination', folder.path], { cwd: root });
  const [tarball = ''] = await readdir(folder.path);
  const home = join(folder.path, 'home');
  await mkdir(home);
  await writeFile(join(home, 'package.json'), '{"private": true}');
  await exec('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder.path, tarball)], {
    cwd: home,
  });

  const aam = (...args: string[]) => exec(join(home, 'node_modules/.bin/aam'), args, { cwd: home });
  expect((await aam('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  await aam('init', 'mine', '--yes');
  expect((await aam('validate', '--strict', 'mine')).stdout).toMatch(/^✓ mine 0\.1\.0: no problems/);
  const installed = await readdir(join(home, 'node_modules/aam'));
  expect(installed.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'package.json',
    'schema',
  ]);
});
