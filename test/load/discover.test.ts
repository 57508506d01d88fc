import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discoverPackage, discoverWorkspace } from '../../src/load/discover.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { CLEAN, MANIFEST, skillText, writePackage } from '../helpers/package.ts';

describe('discoverPackage', () => {
  it('finds the package at a path or above it, and which part was meant', async () => {
    await using pkg = await writePackage(CLEAN);
    const { root } = pkg;
    expect(await discoverPackage('.', root)).toMatchObject({ root, part: '' });
    expect(await discoverPackage(root, '/')).toMatchObject({ root, part: '' });
    expect(await discoverPackage('skills/echo', root)).toMatchObject({ root, part: 'skills/echo' });
    expect(await discoverPackage('SKILL.md', join(root, 'skills/echo'))).toEqual({
      root,
      part: 'skills/echo/SKILL.md',
      skill: join(root, 'skills/echo'),
    });
    expect(await discoverPackage('package.agent.json', root)).toMatchObject({
      root,
      part: 'package.agent.json',
    });
  });

  it.each(['package.agent.yaml', 'package.agent.yml'])('knows a package by its %s', async (name) => {
    await using pkg = await writePackage({ [name]: 'name: a\nversion: 1.0.0\n', 'docs/a.md': '' });
    expect(await discoverPackage('docs', pkg.root)).toMatchObject({ root: pkg.root, part: 'docs' });
  });

  it('takes a folder with a SKILL.md for a bare skill when no package is above', async () => {
    await using skill = await writePackage({ 'SKILL.md': skillText('a'), 'references/x.md': '' });
    expect(await discoverPackage('references', skill.root)).toMatchObject({
      root: skill.root,
      part: 'references',
    });
  });

  it('prefers the nearest package', async () => {
    await using pkg = await writePackage({ ...CLEAN, 'nested/package.agent.json': MANIFEST });
    expect(await discoverPackage('nested', pkg.root)).toMatchObject({
      root: join(pkg.root, 'nested'),
      part: '',
    });
  });

  it('says what to do when there is none', async () => {
    await using folder = await temporaryFolder();
    await expect(discoverPackage('nowhere', folder.path)).rejects.toMatchObject({
      name: 'UserError',
      message: 'nowhere does not exist',
      hints: ['give the folder of a package, or a file inside one'],
    });
    await expect(discoverPackage('.', folder.path)).rejects.toMatchObject({
      name: 'UserError',
      message: '. is not a package: there is no package.agent.json and no SKILL.md here or above',
    });
  });
});

describe('discoverWorkspace', () => {
  it('finds every package below, but none that others installed', async () => {
    await using pkg = await writePackage({
      'package.agent.json': MANIFEST,
      'packages/b/package.agent.yaml': 'name: b\n',
      'packages/a/package.agent.json': MANIFEST,
      'packages/a/node_modules/x/package.agent.json': MANIFEST,
      '.agent-packages/y/package.agent.json': MANIFEST,
      'skills/c/SKILL.md': skillText('c'),
    });
    expect(await discoverWorkspace('.', pkg.root)).toEqual([
      pkg.root,
      join(pkg.root, 'packages/a'),
      join(pkg.root, 'packages/b'),
    ]);
  });

  it('says what to do when there is none', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'empty'));
    await writeFile(join(folder.path, 'file'), '');
    await expect(discoverWorkspace('empty', folder.path)).rejects.toMatchObject({
      name: 'UserError',
      message: 'there is no package below empty',
      hints: ['a package is a folder with a package.agent.json or a SKILL.md'],
    });
    await expect(discoverWorkspace('file', folder.path)).rejects.toThrow('file is not a folder');
  });
});
