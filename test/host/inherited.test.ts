/** Whoever starts aam may have descriptors open, to a lock or a folder, say: they are nobody's business inside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';

const BUILT = new URL('../../dist/', import.meta.url);
const PLACES = [3, 17, 40, 200];

const SCRIPT = `
import { DIRECT } from '${new URL('host/child.js', BUILT).href}';
import { Spawner } from '${new URL('host/spawner.js', BUILT).href}';
import { createBubblewrap } from '${new URL('sandbox/bubblewrap/bubblewrap.js', BUILT).href}';
import { createNoSandbox } from '${new URL('sandbox/none.js', BUILT).href}';
const spawner = new Spawner();
await spawner.ready;
const host = { env: process.env, cwd: '/', home: '/nonexistent' };
const plan = { cwd: '/', env: {}, mounts: [], stdin: 'x', network: false, timeoutMs: 60000 };
for (const starter of [DIRECT, spawner])
  for (const create of [createNoSandbox, createBubblewrap]) {
    const sandbox = await create(host, [], starter);
    const argv = ['/bin/sh', '-c', 'ls -l /proc/self/fd'];
    const { stdout } = await sandbox.run({ ...plan, argv, limits: { outputBytes: 10000 } });
    console.log(stdout.text);
    await sandbox[Symbol.asyncDispose]();
  }
await spawner[Symbol.asyncDispose]();
`;

it('hands on nothing that was open when it was started', async () => {
  await using folder = await temporaryFolder();
  await using opened = await open(folder.path);
  const stdio = Array.from({ length: 201 }, (_, place) =>
    place === 1 ? 'pipe' : PLACES.includes(place) ? opened.fd : ('ignore' as const),
  );
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], { stdio });
  const [said] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'close')]);
  expect(said.match(/ 0 -> /g)).toHaveLength(4);
  expect(said).not.toContain(folder.path);
});
