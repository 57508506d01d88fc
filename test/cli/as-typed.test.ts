import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { commandsAsTyped, programName } from '../../src/cli/as-typed.ts';
import { AAM, aam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';

describe('the name of the program', () => {
  it('is what the user can type where they are', async () => {
    await using folder = await temporaryFolder();
    const bin = join(folder.path, 'bin');
    await mkdir(bin);
    await symlink(AAM, join(bin, 'aam'));
    const at = (cwd: string, env: NodeJS.ProcessEnv = {}) => programName(AAM, { env, cwd });
    const checkout = join(AAM, '../..');
    expect(at(checkout)).toBe('bin/aam');
    expect(at(join(checkout, 'bin'))).toBe('./aam');
    expect(at(join(checkout, 'examples/starter'))).toBe('../../bin/aam');
    expect(at(checkout, { PATH: bin })).toBe('aam');
    expect(at('/')).toBe(AAM.slice(1));
    expect(programName('/a folder/bin/aam', { env: {}, cwd: '/' })).toBe("'a folder/bin/aam'");
    const inModules = '/home/me/project/node_modules/.bin/aam';
    expect(programName(inModules, { env: { npm_command: 'exec' }, cwd: '/home/me/project' })).toBe('npx aam');
    expect(programName(inModules, { env: {}, cwd: '/home/me/project' })).toBe('node_modules/.bin/aam');
    expect(at(checkout, { AAM_COMMAND: 'make eval' })).toBe('make eval');
  });
});

it('a new package is told to be looked at in a way that works from here', async () => {
  await using folder = await temporaryFolder();
  const settings = { cwd: folder.path, env: { AAM_COMMAND: undefined } };
  const { stdout } = await aam(['init', 'my-package', '--yes'], settings);
  expect(stdout).not.toContain('cd my-package');
  const [, command = ''] = /^ {2}(\S+ validate .*?) {2,}find mistakes$/m.exec(stdout) ?? [];
  expect(command).toMatch(/bin\/aam validate -C my-package$/);
  const ran = await promisify(execFile)('/bin/sh', ['-c', command], { cwd: folder.path });
  expect(ran.stdout).toContain('no problems');
});

describe('commands in messages', () => {
  it.each([
    [[], 'mend it:  aam eval --tape record', 'mend it:  bin/aam eval --tape record'],
    [['eval', '-C', 'my pkg'], 'do:  aam eval a   (or not)', "do:  bin/aam eval a -C 'my pkg'   (or not)"],
    [['eval', '--cwd=x', '--', '-C', 'y'], 'do:  aam tape check', 'do:  bin/aam tape check -C x'],
    [['eval', '-C', 'x'], 'see  aam doctor  for more', 'see  bin/aam doctor  for more'],
    [['eval', '-C', 'x'], 'new:  aam init my-package', 'new:  bin/aam init my-package'],
    [['init', '-C', 'x'], 'do:  aam init --yes', 'do:  bin/aam init --yes -C x'],
    [['eval', '-C', 'x'], 'aam eval is a command, as is aam test', 'aam eval is a command, as is aam test'],
  ])('after %o: %s', (argv, text, typed) => {
    expect(commandsAsTyped('bin/aam', argv)(text)).toBe(typed);
  });
});
