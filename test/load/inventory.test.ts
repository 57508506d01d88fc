import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { takeInventory } from '../../src/load/inventory.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { findingLine, findings, MANIFEST, skillText, writeFiles, writePackage } from '../helpers/package.ts';
import { asOrdinaryUser, makeFifo, makeSocket } from './strange-files.ts';

const PACKAGE = { 'package.agent.json': MANIFEST, 'skills/a/SKILL.md': skillText('a') };

describe('takeInventory', () => {
  it('lists files and folders with what matters about them', async () => {
    await using pkg = await writePackage({ 'b/run.sh!': 'x', 'a.txt': 'hello' });
    const { files, diagnostics } = takeInventory(pkg.root);
    expect(diagnostics).toEqual([]);
    expect([...files.keys()]).toEqual(['a.txt', 'b', 'b/run.sh']);
    expect(files.get('a.txt')).toEqual({ kind: 'file', size: 5, executable: false });
    expect(files.get('b/run.sh')).toEqual({ kind: 'file', size: 1, executable: true });
    expect(files.get('b')).toMatchObject({ kind: 'dir' });
  });

  it('lists the folders of tools but does not enter them, but for the rules in .aam', async () => {
    await using pkg = await writePackage({
      'node_modules/x/index.js': '',
      '.git/HEAD': '',
      'skills/a/__pycache__/x.pyc': '',
      '.agent-packages/x/SKILL.md': '',
      '.aam/rules/a.rule.md': '',
      '.aam/runs/1/journal': '',
      'deep/.aam/rules/b.rule.md': '',
    });
    const { files } = takeInventory(pkg.root);
    expect([...files.keys()]).toEqual([
      '.aam',
      '.aam/rules',
      '.aam/rules/a.rule.md',
      '.agent-packages',
      '.git',
      'deep',
      'deep/.aam',
      'node_modules',
      'skills',
      'skills/a',
      'skills/a/__pycache__',
    ]);
  });

  it('follows links inside the package, and stops at circles', async () => {
    await using pkg = await writePackage({ 'shared/a/SKILL.md': skillText('a') });
    await mkdir(join(pkg.root, 'skills'));
    await symlink('../shared/a', join(pkg.root, 'skills/a'));
    await symlink('.', join(pkg.root, 'shared/a/self'));
    await symlink('../..', join(pkg.root, 'shared/a/up'));
    const { files } = takeInventory(pkg.root);
    expect([...files.keys()]).toEqual([
      'shared',
      'shared/a',
      'shared/a/SKILL.md',
      'shared/a/self',
      'shared/a/up',
      'skills',
      'skills/a',
      'skills/a/SKILL.md',
      'skills/a/self',
      'skills/a/up',
    ]);
    expect(files.get('skills/a')).toMatchObject({
      kind: 'dir',
      link: { target: '../shared/a', inside: true },
    });
  });

  it('never follows a link out of the package, not even for the rules in .aam', async () => {
    await using outside = await writePackage({ 'rules/x.rule.md': 'secret', 'SKILL.md': 'secret' });
    await using pkg = await writePackage(PACKAGE);
    await symlink(outside.root, join(pkg.root, '.aam'));
    await symlink(outside.root, join(pkg.root, 'skills/b'));
    await symlink(join(outside.root, 'SKILL.md'), join(pkg.root, 'AGENTS.md'));
    const { files } = takeInventory(pkg.root);
    expect([...files.keys()].filter((path) => path.includes('rule'))).toEqual([]);
    expect(files.get('skills/b')).toMatchObject({ kind: 'dir', link: { inside: false } });
    expect(files.has('skills/b/SKILL.md')).toBe(false);
    expect(
      (await findings(pkg.root)).map((line) => line.replaceAll(outside.root, 'OUT')),
    ).toMatchInlineSnapshot(`
      [
        "error .aam link-outside: is a link that leads out of the package, to OUT (copy the file into the package)",
        "error AGENTS.md link-outside: is a link that leads out of the package, to OUT/SKILL.md (copy the file into the package)",
        "error skills/b link-outside: is a link that leads out of the package, to OUT (copy the file into the package)",
      ]
    `);
  });

  it('is not fooled by a neighbour whose name begins the same', async () => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, { 'pkg-secret/a.txt': 'x' });
    await mkdir(join(folder.path, 'pkg'));
    await symlink('../pkg-secret/a.txt', join(folder.path, 'pkg/a.txt'));
    const { files } = takeInventory(join(folder.path, 'pkg'));
    expect(files.get('a.txt')).toMatchObject({ link: { inside: false } });
  });

  it('works when the root itself is reached through a link', async () => {
    await using folder = await temporaryFolder();
    await writeFiles(
      folder.path,
      Object.fromEntries(Object.entries(PACKAGE).map(([path, it]) => [`real/${path}`, it])),
    );
    await symlink('real', join(folder.path, 'link'));
    expect(await findings(join(folder.path, 'link'))).toEqual([]);
  });

  it('reports what is deeper than anyone goes', async () => {
    await using folder = await temporaryFolder();
    const path = Array.from({ length: 70 }, () => 'd').join('/');
    await mkdir(join(folder.path, path), { recursive: true });
    const { diagnostics } = takeInventory(folder.path);
    expect(diagnostics.map(findingLine)).toEqual([
      `error ${path.slice(0, 65 * 2 - 1)} too-deep: is more than 64 folders deep, so what is in it is not read`,
    ]);
  });

  it('refuses a folder with more files than any package has', async () => {
    await using folder = await temporaryFolder();
    // Links that multiply: eight folders, each with a link to every other.
    const names = Array.from({ length: 9 }, (_, i) => `d${i}`);
    for (const name of names) {
      await mkdir(join(folder.path, name));
      for (const other of names) await symlink(`../${other}`, join(folder.path, name, other));
    }
    expect(() => takeInventory(folder.path)).toThrow('has more than 100000 files');
  });

  it('reports folders that cannot be opened, and files whose folder may not be searched', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'skills/b/SKILL.md': skillText('b'),
      'docs/a.md': '',
    });
    await chmod(pkg.root, 0o755);
    await chmod(join(pkg.root, 'skills/b'), 0o000);
    await chmod(join(pkg.root, 'docs'), 0o444);
    const { diagnostics } = await asOrdinaryUser(async () => takeInventory(pkg.root));
    await chmod(join(pkg.root, 'skills/b'), 0o755);
    await chmod(join(pkg.root, 'docs'), 0o755);
    expect(diagnostics.map(findingLine).sort()).toEqual([
      'error docs/a.md unreadable: cannot be opened: permission denied',
      'error skills/b unreadable: cannot be opened: permission denied',
    ]);
  });
});

describe('a package with files that are not files', () => {
  it('is read without waiting for them', async () => {
    await using pkg = await writePackage({ ...PACKAGE, 'skills/dir/SKILL.md/README.md': '' });
    await mkdir(join(pkg.root, 'hooks/hooks.json'), { recursive: true });
    await mkdir(join(pkg.root, 'evals/cases'), { recursive: true });
    await makeFifo(join(pkg.root, 'evals/cases/fifo.yaml'));
    await makeFifo(join(pkg.root, 'package.agent.lock'));
    await using _socket = await makeSocket(join(pkg.root, 'evals/eval-config.json'));
    await symlink('/dev/zero', join(pkg.root, 'AGENTS.md'));
    await symlink('b.yaml', join(pkg.root, 'evals/cases/a.yaml'));
    await symlink('a.yaml', join(pkg.root, 'evals/cases/b.yaml'));
    await symlink('nowhere', join(pkg.root, 'evals/cases/c.yaml'));
    expect(await findings(pkg.root)).toMatchInlineSnapshot(`
      [
        "error AGENTS.md link-outside: is a link that leads out of the package, to /dev/zero (copy the file into the package)",
        "error evals/cases/a.yaml broken-link: is a link to b.yaml, which leads to nothing (remove it)",
        "error evals/cases/b.yaml broken-link: is a link to a.yaml, which leads to nothing (remove it)",
        "error evals/cases/c.yaml broken-link: is a link to nowhere, which leads to nothing (remove it)",
        "error evals/cases/fifo.yaml not-a-file: is a socket, pipe or device (remove it from the package)",
        "error evals/eval-config.json not-a-file: is a socket, pipe or device (remove it from the package)",
        "error hooks/hooks.json not-a-file: is not a regular file",
        "error package.agent.lock not-a-file: is a socket, pipe or device (remove it from the package)",
        "error skills/dir/SKILL.md not-a-file: is not a regular file",
      ]
    `);
  });

  it('has no package when its manifest is a folder or a pipe, and says why', async () => {
    await using folder = await writePackage({ 'package.agent.json/x': '' });
    expect(await findings(folder.root)).toEqual([
      'error package.agent.json not-a-file: is not a regular file',
    ]);
    await using pipe = await temporaryFolder();
    await makeFifo(join(pipe.path, 'package.agent.json'));
    expect(await findings(pipe.path)).toEqual([
      'error package.agent.json not-a-file: is a socket, pipe or device (remove it from the package)',
    ]);
  });

  it('has names that no terminal should see', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'skills/a/x\ny.md': '',
      'skills/a/\u001b[31mred.md': '',
    });
    // A name that is not UTF-8 can only be made by a shell.
    await promisify(execFile)('sh', ['-c', 'touch "$(printf \'bad\\377name\')"'], { cwd: pkg.root });
    await writeFile(join(pkg.root, 'ü \\ fine.md'), '');
    expect((await findings(pkg.root)).map((line) => JSON.stringify(line))).toMatchInlineSnapshot(`
      [
        ""error bad�name file-name: has a name that is not UTF-8 (rename it)"",
        ""error skills/a/\\u001b[31mred.md file-name: has control characters in its name (rename it)"",
        ""error skills/a/x\\ny.md file-name: has control characters in its name (rename it)"",
      ]
    `);
  });

  it('is a bare skill when there is no manifest', async () => {
    await using pkg = await writePackage({ 'SKILL.md': skillText('lonely'), 'scripts/a.sh!': '' });
    expect(await readPackage(pkg.root)).toMatchObject({
      shape: 'skill',
      name: 'lonely',
      version: null,
      manifest: null,
      skills: [{ name: 'lonely', dir: '', file: 'SKILL.md' }],
    });
    expect(await findings(pkg.root)).toEqual([]);
  });
});
