import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpawnBounds, spawnBounded } from '../../src/host/spawn.ts';
import { FrameReader, frame } from '../../src/host/spawner/frames.ts';
import { Spawner } from '../../src/host/spawner.ts';
import { createBubblewrap } from '../../src/sandbox/bubblewrap/bubblewrap.ts';
import { createNoSandbox } from '../../src/sandbox/none.ts';
import { sandboxConformance } from '../conformance/sandbox.ts';
import { processesWith } from '../helpers/processes.ts';

const BUILT = new URL('../../dist/host/', import.meta.url);
const PROGRAM = fileURLToPath(new URL('spawner/program.js', BUILT));

async function readySpawner(): Promise<Spawner> {
  const spawner = new Spawner(PROGRAM);
  await spawner.ready;
  return spawner;
}

function shell(starter: Spawner, script: string, more: Partial<SpawnBounds> = {}) {
  const env = { PATH: '/usr/bin:/bin' };
  const bounds = { stdin: null, timeoutMs: 60_000, outputBytes: 1_000_000, ...more };
  return spawnBounded(
    { file: '/bin/sh', args: ['-c', script], env, cwd: '/', leads: 'group' },
    bounds,
    starter,
  );
}

let sleeps = 0;
/** A time to sleep that nobody else sleeps. */
function ownSleep(): string {
  return `sleep 77.${process.pid}${sleeps++}`;
}

function pidOf({ parents }: Spawner): number {
  return parents.at(-1) ?? 0;
}

describe('sandboxes keep their promises when a process of its own starts their commands', () => {
  let spawner: Spawner;
  beforeAll(async () => {
    spawner = await readySpawner();
  });
  afterAll(() => spawner[Symbol.asyncDispose]());
  sandboxConformance('bubblewrap, spawner', (host) => createBubblewrap(host, [], spawner));
  sandboxConformance('none, spawner', (host) => createNoSandbox(host, [], spawner));
});

it('starts commands as children of a process of its own, and directly until that is ready', async () => {
  const spawner = new Spawner(PROGRAM);
  const before = await shell(spawner, 'echo $PPID');
  await spawner.ready;
  const after = await shell(spawner, 'echo $PPID');
  expect([before.stdout.text.trim(), after.stdout.text.trim()]).toEqual([
    String(process.pid),
    String(pidOf(spawner)),
  ]);
  await spawner[Symbol.asyncDispose]();
  expect((await shell(spawner, 'echo $PPID')).stdout.text.trim()).toBe(String(process.pid));
});

it('starts commands directly where the process cannot be started', async () => {
  await using spawner = new Spawner('/no/such/program.js');
  await spawner.ready;
  expect(await shell(spawner, 'echo here')).toMatchObject({ ended: 'exited', exitCode: 0 });
});

it('says of running commands that nobody knows, and goes on without it, when the process is killed', async () => {
  await using spawner = await readySpawner();
  const nap = ownSleep();
  const running = shell(spawner, `echo begun; ${nap}`);
  await expect.poll(() => processesWith(nap).length).toBeGreaterThan(0);
  process.kill(pidOf(spawner), 'SIGKILL');
  expect(await running).toMatchObject({ ended: 'not-started', error: expect.stringContaining('has ended') });
  expect(await shell(spawner, 'echo $PPID')).toMatchObject({ stdout: { text: `${process.pid}\n` } });
  await expect.poll(() => processesWith(nap)).toEqual([]);
});

it('starts commands directly where no descriptors are left for the process', async () => {
  const script = `
import { openSync } from 'node:fs';
import { Spawner } from '${new URL('spawner.js', BUILT).href}';
try { for (;;) openSync('/dev/null'); } catch {}
const spawner = new Spawner();
await spawner.ready;
await spawner[Symbol.asyncDispose]();
console.log(spawner.parents.length);
`;
  const args = ['--nofile=64', process.execPath, '--input-type=module', '-e', script];
  expect((await promisify(execFile)('prlimit', args)).stdout).toBe('1\n');
});

it('books no time that the process was held up as time of a command', async () => {
  await using spawner = await readySpawner();
  const running = shell(spawner, 'sleep 0.3; echo done', { timeoutMs: 500 });
  process.kill(pidOf(spawner), 'SIGSTOP');
  await sleep(4000);
  process.kill(pidOf(spawner), 'SIGCONT');
  expect(await running).toMatchObject({ ended: 'not-started', error: expect.stringContaining('held up') });
});

it('books no time as that of a command that was not started yet', async () => {
  await using spawner = await readySpawner();
  process.kill(pidOf(spawner), 'SIGSTOP');
  const running = shell(spawner, 'sleep 2; echo done', { timeoutMs: 3000 });
  await sleep(3500);
  process.kill(pidOf(spawner), 'SIGCONT');
  expect(await running).toMatchObject({ ended: 'not-started', error: expect.stringContaining('held up') });
});

it('goes on without the process, and ends its commands, when it takes no orders any more', async () => {
  await using spawner = await readySpawner();
  const nap = ownSleep();
  const interrupt = new AbortController();
  let hasBegun = false;
  const onStdout = () => {
    hasBegun = true;
  };
  const running = shell(spawner, `echo begun; ${nap}`, { signal: interrupt.signal, onStdout });
  await expect.poll(() => hasBegun && processesWith(nap).length).toBeGreaterThan(0);
  process.kill(pidOf(spawner), 'SIGSTOP');
  interrupt.abort();
  expect(await running).toMatchObject({ ended: 'not-started', error: expect.stringContaining('has ended') });
  await expect.poll(() => processesWith(nap)).toEqual([]);
  expect(await shell(spawner, 'echo $PPID')).toMatchObject({ stdout: { text: `${process.pid}\n` } });
});

it('does not end by signals that are meant for whoever started it', async () => {
  await using spawner = await readySpawner();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pidOf(spawner), signal);
  const { stdout } = await shell(spawner, 'sleep 0.2; echo $PPID');
  expect(stdout.text.trim()).toBe(String(pidOf(spawner)));
});

it('ends what it has started when it is not needed any more', async () => {
  const spawner = await readySpawner();
  const nap = ownSleep();
  const running = shell(spawner, nap);
  await expect.poll(() => processesWith(nap).length).toBeGreaterThan(0);
  await spawner[Symbol.asyncDispose]();
  expect(processesWith(nap)).toEqual([]);
  expect(await running).toMatchObject({ ended: 'not-started' });
});

/** Starts something for ever, tells the pid of its spawner, and waits to be killed. */
const KILLED = (nap: string) => `
import { spawnBounded } from '${new URL('spawn.js', BUILT).href}';
import { Spawner } from '${new URL('spawner.js', BUILT).href}';
const spawner = new Spawner();
await spawner.ready;
const bounds = { stdin: null, timeoutMs: 60000, outputBytes: 1000, onStdout: () => console.log(spawner.parents[1]) };
const args = ['-c', 'echo; (${nap}) & wait'];
spawnBounded({ file: '/bin/sh', args, env: { PATH: '/usr/bin:/bin' }, leads: 'group' }, bounds, spawner);
`;

it('ends with all that it started when whoever started it is killed', async () => {
  const nap = ownSleep();
  const killed = spawn(process.execPath, ['--input-type=module', '-e', KILLED(nap)]);
  const [told] = await once(killed.stdout, 'data');
  await expect.poll(() => processesWith(nap).length).toBeGreaterThan(1);
  killed.kill('SIGKILL');
  const isThere = () => {
    try {
      return process.kill(Number(told), 0);
    } catch {
      return false;
    }
  };
  await expect.poll(() => processesWith(nap).length, { timeout: 10_000 }).toBe(0);
  await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
});

it('hands on all that a command writes, also when nobody has the time to read', async () => {
  await using spawner = await readySpawner();
  let bytes = 0;
  const onStdout = (chunk: Buffer) => {
    bytes += chunk.length;
    for (const end = Date.now() + (bytes % 7 === 0 ? 5 : 0); Date.now() < end; );
  };
  const { stdout } = await shell(spawner, 'head -c 60000000 /dev/zero; echo end', { onStdout });
  expect([bytes, stdout.bytes, stdout.text.endsWith('end\n')]).toEqual([60_000_004, 60_000_004, true]);
});

it('hands on all that commands wrote before they ended, when nobody reads for longer than that', async () => {
  await using spawner = await readySpawner();
  const running = Array.from({ length: 8 }, () => shell(spawner, 'head -c 100000 /dev/zero; echo end'));
  await sleep(5);
  for (const end = Date.now() + 2000; Date.now() < end; );
  const outputs = (await Promise.all(running)).map(({ stdout }) => stdout);
  expect(outputs.map(({ bytes, text }) => [bytes, text.endsWith('end\n')])).toEqual(
    outputs.map(() => [100_004, true]),
  );
});

it('waits for no end of what a command that has ended left behind, however much that writes', async () => {
  await using spawner = await readySpawner();
  const nap = ownSleep();
  const left = `setsid /bin/sh -c 'yes | head -c 300000000; ${nap}' & sleep 0.2; echo end`;
  const begun = performance.now();
  expect(await shell(spawner, left)).toMatchObject({ ended: 'exited', exitCode: 0 });
  expect(performance.now() - begun).toBeLessThan(10_000);
  for (const pid of processesWith(nap)) process.kill(pid, 'SIGKILL');
});

it('has little in memory, whoever it works for', async () => {
  await using spawner = await readySpawner();
  await Promise.all(Array.from({ length: 200 }, () => shell(spawner, 'echo done')));
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pidOf(spawner))]);
  expect(Number(stdout)).toBeLessThan(80 * 1024);
});

it('understands messages wherever they are cut', () => {
  const message = fc.record({
    kind: fc.integer({ min: 0, max: 255 }),
    id: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  });
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(message), cuts, (messages, lengths) => {
      const bytes = Buffer.concat(messages.map(({ kind, id, body }) => frame(kind, id, body)));
      const found: unknown[] = [];
      const reader = new FrameReader(({ kind, id, body }) =>
        found.push({ kind, id, body: Buffer.from(body) }),
      );
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const length = lengths[turn % lengths.length] ?? 1;
        reader.add(bytes.subarray(at, at + length));
        at += length;
      }
      expect(found).toEqual(messages);
    }),
  );
});
