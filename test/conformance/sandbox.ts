/** What every sandbox promises; each implementation runs this suite. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Host } from '../../src/model/host.ts';
import type { ProcessOutcome } from '../../src/model/process.ts';
import type { Mount, Sandbox, SandboxRequest } from '../../src/sandbox/sandbox.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { processesWith } from '../helpers/processes.ts';

export const HOST: Host = { env: process.env, cwd: process.cwd(), home: homedir() };

/** Runs shell commands in a sandbox, with settings that tests may change. */
export function shellIn(sandbox: Sandbox) {
  return (command: string, more: Partial<SandboxRequest> = {}): Promise<ProcessOutcome> =>
    sandbox.run({
      argv: ['/bin/sh', '-c', command],
      cwd: '/',
      env: {},
      mounts: [],
      stdin: null,
      network: false,
      timeoutMs: 20_000,
      limits: { outputBytes: 1024 * 1024 },
      ...more,
    });
}

export function sandboxConformance(name: string, create: (host: Host) => Promise<Sandbox>): void {
  describe(`sandbox: ${name}`, () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await create(HOST);
    });
    afterAll(() => sandbox[Symbol.asyncDispose]());

    const run: ReturnType<typeof shellIn> = (...args) => shellIn(sandbox)(...args);

    it('captures both streams and the exit code', async () => {
      const outcome = await run('echo out; echo err >&2; exit 7');
      expect(outcome).toMatchObject({ ended: 'exited', exitCode: 7 });
      expect([outcome.stdout.text, outcome.stderr.text]).toEqual(['out\n', 'err\n']);
    });

    it('gives standard input, or an empty one', async () => {
      expect((await run('cat', { stdin: 'hello\n' })).stdout.text).toBe('hello\n');
      expect((await run('cat; echo end')).stdout.text).toBe('end\n');
    });

    it('survives a command that does not read its input', async () => {
      const outcome = await run('exit 0', { stdin: 'x'.repeat(4_000_000) });
      expect(outcome).toMatchObject({ ended: 'exited', exitCode: 0 });
    });

    it('passes the given environment and nothing of the host’s', async () => {
      process.env['AAM_SPEC_SECRET'] = 'sk-fake-secret';
      const { stdout } = await run('env', { env: { GIVEN: 'yes $HOME "quoted"' } });
      delete process.env['AAM_SPEC_SECRET'];
      expect(stdout.text).toContain('GIVEN=yes $HOME "quoted"\n');
      expect(stdout.text).not.toContain('sk-fake-secret');
      expect(stdout.text).not.toContain(`HOME=${HOST.home}\n`);
    });

    it('has an empty home that can be written', async () => {
      const { stdout } = await run('cd && ls -A && echo x > f && cat f');
      expect(stdout.text).toBe('x\n');
    });

    it('mounts folders where it says, writable or as given', async () => {
      await using folder = await temporaryFolder();
      await writeFile(join(folder.path, 'in.txt'), 'data');
      const mount: Mount = { from: folder.path, to: '/some/area', mode: 'rw' };
      const at = sandbox.seenAt(mount);
      const outcome = await run('cat in.txt; echo new > out.txt', { mounts: [mount], cwd: at });
      expect(outcome).toMatchObject({ exitCode: 0, stdout: { text: 'data' } });
      expect(await readFile(join(folder.path, 'out.txt'), 'utf8')).toBe('new\n');
    });

    it('keeps the beginning and the end of too much output', async () => {
      const command = 'echo first; head -c 5000000 /dev/zero | tr "\\0" x; echo; echo last';
      const { stdout } = await run(command, { limits: { outputBytes: 10_000 } });
      expect(stdout).toMatchObject({ bytes: 5_000_012, truncated: true });
      expect(stdout.text).toMatch(/^first\nx+\n\[… \d+ bytes left out …\]\nx+\nlast\n$/);
      expect(stdout.text.length).toBeLessThan(10_100);
    });

    it('streams standard output whole while it keeps part of it', async () => {
      let seen = 0;
      const onStdout = (chunk: Buffer) => {
        seen += chunk.length;
      };
      await run('head -c 300000 /dev/zero', { limits: { outputBytes: 10 }, onStdout });
      expect(seen).toBe(300_000);
    });

    it('ends a command at its time-out, with its children', async () => {
      const mark = `7${process.pid}1`;
      const outcome = await run(`sleep ${mark} & sleep ${mark}`, { timeoutMs: 300 });
      expect(outcome).toMatchObject({ ended: 'timed-out', exitCode: null });
      expect(processesWith(`sleep ${mark}`)).toEqual([]);
    });

    it('ends a command when asked to, and at once when asked before', async () => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 200);
      expect(await run('sleep 30', { signal: abort.signal })).toMatchObject({ ended: 'aborted' });
      const outcome = await run('sleep 30', { signal: AbortSignal.abort() });
      expect(outcome.ended).toBe('aborted');
      expect(outcome.durationMs).toBeLessThan(5_000);
    });

    it('leaves nothing behind whenever it is ended, also while it starts', async () => {
      const mark = `7${process.pid}3`;
      const delays = Array.from({ length: 24 }, (_, index) => index);
      const ended = await Promise.all(
        delays.map((delay) => {
          const signal = AbortSignal.timeout(delay);
          return run(`sleep ${mark}`, { signal });
        }),
      );
      expect(new Set(ended.map((outcome) => outcome.ended))).toEqual(new Set(['aborted']));
      expect(processesWith(`sleep ${mark}`)).toEqual([]);
    });

    it('does not wait for what a command left in the background', async () => {
      const mark = `7${process.pid}2`;
      const outcome = await run(`sleep ${mark} & echo started`);
      expect(outcome).toMatchObject({ ended: 'exited', exitCode: 0, stdout: { text: 'started\n' } });
      expect(outcome.durationMs).toBeLessThan(10_000);
      expect(processesWith(`sleep ${mark}`)).toEqual([]);
    });

    it('tells its own failure apart from the command’s', async () => {
      const outcome = await run('true', { cwd: '/no/such/folder' });
      expect(outcome).toMatchObject({ ended: 'not-started', exitCode: null });
      expect(outcome.error).toMatch(/no\/such\/folder|ENOENT/);
    });

    it('reports an argument the system cannot take as a failure to start', async () => {
      const outcome = await run('x'.repeat(300_000));
      expect(outcome).toMatchObject({ ended: 'not-started', exitCode: null, unstartable: true });
      expect(outcome.error).toContain('the command line is longer than the system allows');
    });

    it.each([
      ['without limits', {}],
      ['with limits', { cpuSeconds: 5 }],
    ])('says that there is no such program, %s', async (_, limits) => {
      for (const program of ['no-such-program', '/no/such/program']) {
        const more = { argv: [program] as const, limits: { outputBytes: 1000, ...limits } };
        const outcome = await run('', more);
        expect(outcome).toMatchObject({ ended: 'not-started', exitCode: null, unstartable: true });
        expect(outcome.error).toContain(`there is no program ${program} `);
      }
    });

    it('limits what one process may use', async () => {
      const limits = { outputBytes: 100_000, cpuSeconds: 1, fileBytes: 1024 * 1024 };
      const spin = await run('while :; do :; done', { limits });
      expect(spin.exitCode).toBeGreaterThan(128);
      expect((await run('head -c 3000000 /dev/zero > "$HOME/f"', { limits })).exitCode).not.toBe(0);
      const memory = { outputBytes: 100_000, memoryBytes: 64 * 1024 * 1024 };
      const hungry = `node -e 'const all = []; for (;;) all.push(Buffer.alloc(1 << 20, 1))'`;
      expect((await run(hungry, { limits: memory })).exitCode).not.toBe(0);
    });

    it('runs many at once without mixing them up', async () => {
      const numbers = Array.from({ length: 30 }, (_, index) => index);
      const outcomes = await Promise.all(numbers.map((number) => run(`echo ${number}; exit ${number}`)));
      expect(outcomes.map((it) => [it.exitCode, it.stdout.text])).toEqual(
        numbers.map((it) => [it, `${it}\n`]),
      );
    });

    it('takes folders with odd names', async () => {
      await using folder = await temporaryFolder();
      const odd = join(folder.path, `a b'c"$(id)\n;é`);
      await mkdir(odd);
      await writeFile(join(odd, 'f'), 'odd');
      const mount: Mount = { from: odd, to: '/odd place', mode: 'rw' };
      const outcome = await run('cat f', { mounts: [mount], cwd: sandbox.seenAt(mount) });
      expect(outcome.stdout.text).toBe('odd');
    });
  });
}
