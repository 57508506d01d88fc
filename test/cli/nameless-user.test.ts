/** A container may run aam as a user who is in no list of users. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process, { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findBubblewrap } from '../../src/sandbox/bubblewrap/find.ts';
import { AAM } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const run = promisify(execFile);
const UID = '54321';

/** Runs a command as that user, without HOME. */
async function asNobody(writable: string, ...command: string[]) {
  const bwrap = findBubblewrap({ env: process.env, cwd: '/', home: '/' });
  if (!bwrap) throw new Error('there is no bubblewrap');
  const options = [
    ...['--unshare-user', '--uid', UID, '--gid', UID, '--ro-bind', '/', '/', '--dev', '/dev'],
    ...['--bind', writable, writable, '--unsetenv', 'HOME'],
  ];
  return await run(bwrap.path, [...options, '--', ...command], { timeout: 60_000 });
}

it('starts without a name and a home', async () => {
  await using folder = await temporaryFolder();
  const { stdout } = await asNobody(folder.path, execPath, AAM, 'schema');
  expect(stdout).toContain('eval-report');
});

it('makes an /etc for the sandbox by the number of the user', async () => {
  await using folder = await temporaryFolder();
  const system = fileURLToPath(new URL('../../dist/sandbox/bubblewrap/system.js', import.meta.url));
  const etc = join(folder.path, 'etc');
  const script = `const { writeEtc } = await import(${JSON.stringify(system)}); writeEtc(${JSON.stringify(etc)});`;
  await asNobody(folder.path, execPath, '--input-type=module', '--eval', script);
  expect(await readFile(join(etc, 'passwd'), 'utf8')).toContain(`agent:x:${UID}:${UID}:`);
});
