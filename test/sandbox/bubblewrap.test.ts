import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIRECT, type Starter } from '../../src/host/child.ts';
import { createBubblewrap } from '../../src/sandbox/bubblewrap/bubblewrap.ts';
import { sandboxPath } from '../../src/sandbox/bubblewrap/system.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { HOST, sandboxConformance, shellIn } from '../conformance/sandbox.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { processesWith } from '../helpers/processes.ts';

sandboxConformance('bubblewrap', createBubblewrap);

describe('bubblewrap isolates', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createBubblewrap(HOST);
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  const run: ReturnType<typeof shellIn> = (...args) => shellIn(sandbox)(...args);

  it('every process, also one in a session of its own', async () => {
    const mark = `8${process.pid}1`;
    const escapee = `setsid nohup sh -c 'trap "" TERM HUP; sleep ${mark}' >/dev/null 2>&1 & sleep ${mark}`;
    expect(await run(escapee, { timeoutMs: 400 })).toMatchObject({ ended: 'timed-out' });
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  it('a bomb of processes', async () => {
    const mark = `8${process.pid}2`;
    const bomb = `i=0; while [ $i -lt 300 ]; do setsid sleep ${mark} & i=$((i+1)); done; wait`;
    expect(await run(bomb, { timeoutMs: 1500 })).toMatchObject({ ended: 'timed-out' });
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  it('those that come after it: nothing of it goes on when it is over', async () => {
    await using folder = await temporaryFolder();
    const mounts = [{ from: folder.path, to: '/workspace', mode: 'rw' }] as const;
    // The first process of the sandbox, which takes the others with it, hardly gets a processor any more.
    const writers = `chrt -i -p 0 1; for i in 1 2 3 4 5 6; do
      (while kill -0 $$ 2>/dev/null; do :; done; while :; do echo >> /workspace/late; done) >/dev/null 2>&1 &
    done; sleep 0.02`;
    const late = join(folder.path, 'late');
    const size = () => statSync(late, { throwIfNoEntry: false })?.size ?? 0;
    const grew: number[] = [];
    for (let round = 0; round < 20; round++) {
      expect(await run(writers, { mounts })).toMatchObject({ ended: 'exited', exitCode: 0 });
      const before = size();
      await sleep(100);
      grew.push(size() - before);
    }
    expect(grew).toEqual(grew.map(() => 0));
  });

  it('the network, loopback of the host included', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    await new Promise((ready) => server.once('listening', ready));
    const { port } = server.address() as { port: number };
    const connect = `node -e 'require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
    expect((await run(connect)).stdout.text).toBe('ECONNREFUSED\n');
    expect((await run(connect, { network: true })).stdout.text).toBe('reached\n');
    server.close();
  });

  it('the host’s files: only programs and libraries are there', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'secret'), 'x');
    const { stdout } = await run(
      `ls -A / ${HOST.home} ${folder.path} /home/agent /tmp 2>&1; cat /etc/shadow 2>&1; cat /etc/passwd`,
    );
    expect(stdout.text).not.toContain('secret');
    expect(stdout.text).toMatch(/shadow: No such file/);
    expect(stdout.text).not.toContain('daemon');
    const top = (await run('ls -A /')).stdout.text.trim().split('\n');
    const expected = [
      'bin',
      'dev',
      'etc',
      'home',
      'lib',
      'lib32',
      'lib64',
      'libx32',
      'proc',
      'run',
      'sbin',
      'tmp',
      'usr',
      'var',
    ];
    const tools = new Set(
      sandboxPath(HOST)
        .split(':')
        .map((path) => path.split('/')[1] ?? ''),
    );
    expect(top.filter((name) => !expected.includes(name) && !tools.has(name))).toEqual([]);
  });

  it('read-only mounts and the system from writing', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'd'));
    const mounts = [{ from: folder.path, to: '/shared', mode: 'ro' as const }];
    for (const target of ['/shared/f', '/shared/d/f', '/usr/f', '/etc/f', '/f', '/home/f', '/run/f']) {
      const outcome = await run(`echo x > ${target}`, { mounts });
      expect(outcome.exitCode, target).not.toBe(0);
      expect(outcome.stderr.text, target).toMatch(/Read-only|Permission/);
    }
  });

  it('other processes of the host', async () => {
    const { stdout } = await run('ls /proc | grep -c "^[0-9]"; cat /proc/1/cmdline | tr "\\0" " "');
    const [count = '', first = ''] = stdout.text.split('\n');
    expect(Number(count)).toBeLessThan(8);
    expect(first).not.toContain('vitest');
  });

  it('paths of the host, also in the arguments of its first process', async () => {
    await using folder = await temporaryFolder();
    const mounts = [{ from: folder.path, to: '/shared', mode: 'ro' as const }];
    const env = { CASE_WORD: 'said-to-the-command-only' };
    const { stdout } = await run('tr "\\0" "\\n" < /proc/1/cmdline; echo open:; ls /proc/self/fd', {
      mounts,
      env,
    });
    const [name, ...rest] = stdout.text.split('\n');
    expect(name).toBe('bwrap');
    expect(rest.join(' ')).not.toMatch(/node_modules|aam-s|said-to-the-command-only/);
    expect(rest.slice(rest.indexOf('open:'))).not.toContain('4');
  });

  it('a way out by variables that hold more than one value', async () => {
    const outcome = await run('true', { env: { EVIL: 'x\0--bind\0/\0/host' } });
    expect(outcome).toMatchObject({ ended: 'not-started', error: expect.stringContaining('null character') });
  });

  it('privileges: no capability is left, also for root', async () => {
    const { stdout } = await run('grep -E "Cap(Eff|Prm|Bnd)" /proc/self/status');
    expect(stdout.text.match(/[0-9a-f]{16}/g)).toEqual(Array(3).fill('0'.repeat(16)));
    expect((await run('mount -t tmpfs x /tmp')).exitCode).not.toBe(0);
  });

  it('itself from the command’s environment', async () => {
    await using folder = await temporaryFolder();
    const mounts = [{ from: folder.path, to: '/mine', mode: 'rw' as const }];
    const env = { LD_PRELOAD: join(folder.path, 'evil.so'), LD_LIBRARY_PATH: folder.path, PATH: '/mine' };
    const outcome = await run('echo "$LD_PRELOAD"', { env, mounts });
    expect(outcome).toMatchObject({ ended: 'exited', exitCode: 0 });
    expect(outcome.stdout.text).toContain('evil.so');
  });

  it('memory: the folders in memory can be limited', async () => {
    const limits = { outputBytes: 10_000, scratchBytes: 1024 * 1024 };
    const outcome = await run(
      'head -c 5000000 /dev/zero > /tmp/f; echo $?; head -c 5000000 /dev/zero > ~/f; echo $?',
      { limits },
    );
    expect(outcome.stdout.text).toBe('1\n1\n');
    expect(outcome.stderr.text).toContain('No space left');
  });

  it('a clock and a language that are the same everywhere', async () => {
    const { stdout } = await run('date +%Z; echo $LANG; hostname');
    expect(stdout.text).toBe('UTC\nC.UTF-8\nsandbox\n');
  });
});

describe('programs on PATH outside the system', () => {
  it('can be run, and nothing beside them is there that may be secret', async () => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, 'home');
    const tools = [
      '.cargo/bin/cargo-tool',
      '.pyenv/shims/py-tool',
      '.nvm/versions/v1/bin/nvm-tool',
      'bin/my-tool',
    ];
    const beside = [
      '.cargo/credentials.toml',
      '.pyenv/lib.py',
      '.nvm/versions/v1/lib.js',
      '.nvm/token',
      '.ssh/id',
    ];
    for (const file of [...tools, ...beside]) {
      await mkdir(join(home, dirname(file)), { recursive: true });
      await writeFile(join(home, file), '#!/bin/sh\necho "$0" ran\n', { mode: 0o755 });
    }
    const folders = [
      ...tools.map((file) => join(home, dirname(file))),
      '/var/tmp',
      '/run',
      home,
      '/usr/bin',
      '/bin',
    ];
    await using sandbox = await createBubblewrap({
      env: { ...HOST.env, PATH: `${folders.join(':')}:${HOST.env['PATH']}` },
      cwd: '/',
      home,
    });
    const outcome = await shellIn(sandbox)(
      `cargo-tool; py-tool; nvm-tool; my-tool; cd ${home} && find . -type f`,
    );
    const lines = outcome.stdout.text.trim().split('\n');
    expect(lines.slice(0, 4)).toEqual(tools.map((file) => `${join(home, file)} ran`));
    const seen = [...tools, '.pyenv/lib.py', '.nvm/versions/v1/lib.js'].map((file) => `./${file}`);
    expect(lines.slice(4).sort()).toEqual(seen.sort());
  });
});

describe('bubblewrap that cannot work', () => {
  it('is told with what to do about it', async () => {
    const host = { ...HOST, env: { ...HOST.env, AAM_BWRAP_BIN: '/bin/false' } };
    await expect(createBubblewrap(host)).rejects.toMatchObject({
      name: 'PrerequisiteError',
      message: expect.stringContaining('/bin/false'),
      hints: expect.arrayContaining([expect.stringContaining('--sandbox none')]),
    });
    const missing = { ...HOST, env: { ...HOST.env, AAM_BWRAP_BIN: '/no/bwrap' } };
    await expect(createBubblewrap(missing)).rejects.toThrow('/no/bwrap');
  });
});

it('leaves nothing behind of a sandbox that nobody knows the end of', async () => {
  const nap = `78.${process.pid}`;
  let isLost = false;
  // Killed in its first moments together with whoever started it, bwrap leaves a process behind.
  const start: Starter['start'] = (plan, events) => {
    if (!isLost) return DIRECT.start(plan, events);
    spawn('sleep', [nap], { env: plan.env, detached: true, stdio: 'ignore' }).unref();
    events.failed({ message: 'lost' });
    return { end() {}, listen() {} };
  };
  const sandbox = await createBubblewrap(HOST, [], { ...DIRECT, start });
  isLost = true;
  expect(await shellIn(sandbox)('echo')).toMatchObject({ ended: 'not-started', error: 'lost' });
  await expect.poll(() => processesWith(`sleep ${nap}`).length).toBe(1);
  await sandbox[Symbol.asyncDispose]();
  await expect.poll(() => processesWith(`sleep ${nap}`)).toEqual([]);
});
