import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findBubblewrap } from '../../src/sandbox/bubblewrap/find.ts';
import { createNoSandbox } from '../../src/sandbox/none.ts';
import type { Sandbox, SandboxRequest } from '../../src/sandbox/sandbox.ts';
import { sandboxConformance } from '../conformance/sandbox.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { processesWith } from '../helpers/processes.ts';

sandboxConformance('none', createNoSandbox);

function noSandbox() {
  return createNoSandbox({ env: process.env, cwd: '/', home: '/nonexistent' });
}

function shellIn(sandbox: Sandbox) {
  return (script: string, more: Partial<SandboxRequest> = {}) =>
    sandbox.run({
      ...{ argv: ['/bin/sh', '-c', script], cwd: '/', env: {}, mounts: [], stdin: null, network: false },
      ...{ timeoutMs: 60_000, limits: { outputBytes: 1000 } },
      ...more,
    });
}

it.each(['setsid', 'env -i /usr/bin/setsid'])(
  'is quiet when nothing is left of what has ended, whatever runs: %s',
  { timeout: 900_000 },
  async (leave) => {
    await using sandbox = await noSandbox();
    const run = shellIn(sandbox);
    // Others may start and lose processes at the same time.
    const isQuiet = () => expect.poll(() => sandbox.isQuiet(), { timeout: 300_000 }).toBe(true);
    await isQuiet();
    const mark = `30.${process.pid}${Math.floor(Math.random() * 1e6)}`;
    const stop = new AbortController();
    const running = run(`sleep ${mark} & wait`, { signal: stop.signal });
    await expect.poll(() => processesWith(`sleep ${mark}`).length).toBeGreaterThan(1);
    await isQuiet();
    // It ends when the other one has left its group.
    await using folder = await temporaryFolder();
    const gone = join(folder.path, 'gone');
    const leaver = `(${leave} /bin/sh -c 'echo > ${gone}; exec /bin/sleep 3' > /dev/null 2>&1 &);`;
    await run(`${leaver} while [ ! -e ${gone} ]; do sleep 0.01; done`);
    expect(sandbox.isQuiet()).toBe(false);
    await isQuiet();
    stop.abort();
    await running;
    await isQuiet();
  },
);

/** Runs something that leaves its group, and tells whether the sandbox is quiet before and after. */
const LEFT = `
import process from 'node:process';
import { DIRECT } from '${new URL('../../dist/host/child.js', import.meta.url).href}';
import { Spawner } from '${new URL('../../dist/host/spawner.js', import.meta.url).href}';
import { createNoSandbox } from '${new URL('../../dist/sandbox/none.js', import.meta.url).href}';
const spawner = process.argv[1] === 'spawner' ? new Spawner() : null;
await spawner?.ready;
const sandbox = await createNoSandbox({ env: process.env, cwd: '/', home: '/' }, [], spawner ?? DIRECT);
const told = [process.pid, sandbox.isQuiet()];
const script = "(setsid /bin/sh -c 'echo > $TMPDIR/gone; exec /bin/sleep 30' > /dev/null 2>&1 &); while [ ! -e $TMPDIR/gone ]; do sleep 0.01; done";
const plan = { cwd: '/', env: {}, mounts: [], stdin: null, network: false, timeoutMs: 60000 };
await sandbox.run({ ...plan, argv: ['/bin/sh', '-c', script], limits: { outputBytes: 1000 } });
told.push(sandbox.isQuiet());
await sandbox[Symbol.asyncDispose]();
await spawner?.[Symbol.asyncDispose]();
console.log(JSON.stringify(told));
`;

it.each(['itself', 'spawner'])(
  'is not quiet while something is left, also as the first process of its container, that starts commands by %s',
  async (starter) => {
    const bwrap = findBubblewrap({ env: process.env, cwd: '/', home: '/nonexistent' })?.path ?? 'bwrap';
    const around = [
      '--unshare-user',
      '--unshare-pid',
      '--as-pid-1',
      '--dev-bind',
      '/',
      '/',
      '--proc',
      '/proc',
    ];
    const command = [...around, process.execPath, '--input-type=module', '-e', LEFT, starter];
    const { stdout } = await promisify(execFile)(bwrap, command);
    expect(JSON.parse(stdout)).toEqual([1, true, false]);
  },
);

it('has an empty HOME for each command, and ends what wrote there when all is over', async () => {
  const sandbox = await noSandbox();
  const run = shellIn(sandbox);
  const look = 'ls -A "$HOME" "$TMPDIR"; echo > "$HOME/a"; mktemp > /dev/null; echo "$HOME"';
  const homes = [await run(look), await run(look)].map(({ stdout }) => stdout.text.trim().split('\n'));
  expect(homes.map((lines) => lines.filter((it) => !it.endsWith(':') && it !== ''))).toEqual([
    [expect.stringContaining('/')],
    [expect.stringContaining('/')],
  ]);
  expect(homes[0]?.at(-1)).not.toBe(homes[1]?.at(-1));
  const kept = await run('echo "$HOME"', { env: { HOME: '/elsewhere' } });
  expect(kept.stdout.text).toBe('/elsewhere\n');
  const mark = `31.${process.pid}${Math.floor(Math.random() * 1e6)}`;
  const writer = `while sleep 0.01; do mkdir -p "$HOME"; date > "$HOME/$(date +%N)"; done; sleep ${mark}`;
  await run(`(setsid sh -c '${writer}' > /dev/null 2>&1 &); sleep 0.3`);
  expect(processesWith(mark)).not.toEqual([]);
  await sandbox[Symbol.asyncDispose]();
  expect(processesWith(mark)).toEqual([]);
  for (const place of sandbox.places) expect(existsSync(place)).toBe(false);
});
