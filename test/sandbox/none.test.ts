import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { createNoSandbox } from '../../src/sandbox/none.ts';
import { sandboxConformance } from '../conformance/sandbox.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { processesWith } from '../helpers/processes.ts';

sandboxConformance('none', createNoSandbox);

it('is quiet when nothing is left of what has ended, whatever runs', async () => {
  await using sandbox = await createNoSandbox({ env: process.env, cwd: '/', home: '/nonexistent' });
  const run = (script: string, signal?: AbortSignal) =>
    sandbox.run({
      ...{ argv: ['/bin/sh', '-c', script], cwd: '/', env: {}, mounts: [], stdin: null, network: false },
      ...{ timeoutMs: 60_000, limits: { outputBytes: 1000 }, signal },
    });
  expect(sandbox.isQuiet()).toBe(true);
  const mark = `30.${process.pid}${Math.floor(Math.random() * 1e6)}`;
  const stop = new AbortController();
  const running = run(`sleep ${mark} & wait`, stop.signal);
  await expect.poll(() => processesWith(`sleep ${mark}`).length).toBeGreaterThan(1);
  expect(sandbox.isQuiet()).toBe(true);
  // It ends when the other one has left its group.
  await using folder = await temporaryFolder();
  const gone = join(folder.path, 'gone');
  const leaver = `setsid sh -c 'echo > ${gone}; exec sleep 3' > /dev/null 2>&1 &`;
  await run(`${leaver} while [ ! -e ${gone} ]; do sleep 0.01; done`);
  expect(sandbox.isQuiet()).toBe(false);
  await expect.poll(() => sandbox.isQuiet()).toBe(true);
  stop.abort();
  await running;
  expect(sandbox.isQuiet()).toBe(true);
});
