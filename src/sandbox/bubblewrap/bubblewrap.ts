/** The sandbox on Linux: own file tree, processes and network, no privileges, gone with its parent. */
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { PrerequisiteError } from '../../model/errors.ts';
import type { Host } from '../../model/host.ts';
import type { ProcessOutcome } from '../../model/process.ts';
import { limited } from '../limits.ts';
import type { Sandbox, SandboxRequest } from '../sandbox.ts';
import { spawnBounded } from '../spawn.ts';
import { findBubblewrap } from './find.ts';
import { HOME, networkArguments, sandboxPath, systemArguments, writeEtc } from './system.ts';

const WITHOUT = 'or run without isolation:  --sandbox none';

/** Throws a PrerequisiteError where bubblewrap is missing or may not make a sandbox. */
export async function createBubblewrap(host: Host): Promise<Sandbox> {
  const found = findBubblewrap(host);
  if (!found) {
    throw new PrerequisiteError(
      'bubblewrap was not found, so nothing can be isolated',
      'install it:  apt-get install bubblewrap   (or dnf, pacman, apk)',
      'or install Codex, which carries one:  npm install -g @openai/codex',
      WITHOUT,
    );
  }
  const dir = await mkdtemp(join(tmpdir(), 'aam-sandbox-'));
  const sandbox = new Bubblewrap(found.path, dir, host);
  const problem = await sandbox.probe();
  if (problem !== null) {
    await sandbox[Symbol.asyncDispose]();
    throw new PrerequisiteError(
      `bubblewrap (${found.path}) cannot start a sandbox: ${problem}`,
      'allow user namespaces:  sysctl -w kernel.unprivileged_userns_clone=1   (on Ubuntu 23.10 and later: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0)',
      'in a container: run it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined',
      WITHOUT,
    );
  }
  return sandbox;
}

const NAMESPACES = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--hostname', 'sandbox', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
];

class Bubblewrap implements Sandbox {
  readonly id = 'bubblewrap';
  readonly isolatesFiles = true;
  readonly #file: string;
  readonly #dir: string;
  readonly #system: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  #canSizeScratch = false;

  constructor(file: string, dir: string, host: Host) {
    this.#file = file;
    this.#dir = dir;
    writeEtc(join(dir, 'etc'));
    this.#system = systemArguments(host, join(dir, 'etc'));
    this.#env = { PATH: sandboxPath(host), HOME, USER: 'agent', TMPDIR: '/tmp', LANG: 'C.UTF-8', TZ: 'UTC' };
  }

  /** Really starts a sandbox: some systems have the program and forbid what it needs. */
  async probe(): Promise<string | null> {
    const bounds = { stdin: null, timeoutMs: 10_000, limits: { outputBytes: 64 * 1024 } };
    const plan = { file: this.#file, env: {}, kill: (child: ChildProcess) => void child.kill('SIGKILL') };
    const [help, start] = await Promise.all([
      spawnBounded({ ...plan, args: ['--help'] }, bounds),
      this.run({ argv: ['/bin/sh', '-c', ':'], cwd: '/', env: {}, mounts: [], network: false, ...bounds }),
    ]);
    this.#canSizeScratch = /--size\b/.test(help.stdout.text + help.stderr.text);
    if (start.ended === 'exited' && start.exitCode === 0) return null;
    return start.error ?? (start.stderr.text.trim() || `it ended with exit code ${start.exitCode}`);
  }

  seenAt(mount: { readonly to: string }): string {
    return mount.to;
  }

  async run(request: SandboxRequest): Promise<ProcessOutcome> {
    const status = new StatusReader();
    const plan = {
      file: this.#file,
      args: this.#arguments(request),
      // What the command gets goes through --setenv: a hostile LD_PRELOAD must not reach bwrap itself.
      env: {},
      onStatus: (text: string) => status.add(text),
      kill: (child: ChildProcess) => killNamespace(child, status.childPid),
    };
    const outcome = await spawnBounded(plan, request);
    if (outcome.ended !== 'exited') return outcome;
    if (status.exitCode !== null) return { ...outcome, exitCode: status.exitCode };
    const reason = outcome.stderr.text
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^bwrap: /, '');
    return {
      ...outcome,
      ended: 'not-started',
      exitCode: null,
      error: reason || 'bubblewrap ended without a word',
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }

  #arguments({ argv, cwd, env, mounts, network, limits }: SandboxRequest): string[] {
    const sized = limits.scratchBytes && this.#canSizeScratch ? ['--size', String(limits.scratchBytes)] : [];
    const args = [...NAMESPACES, ...this.#system, '--proc', '/proc', '--dev', '/dev'];
    args.push(...(network ? networkArguments() : ['--unshare-net']));
    args.push(...sized, '--tmpfs', '/tmp', ...sized, '--tmpfs', HOME);
    for (const { from, to, mode } of mounts) args.push(mode === 'ro' ? '--ro-bind' : '--bind', from, to);
    args.push('--remount-ro', '/', '--chdir', cwd, '--clearenv');
    for (const [name, value] of Object.entries({ ...this.#env, ...env })) args.push('--setenv', name, value);
    return [...args, '--json-status-fd', '3', '--', ...limited(argv, limits)];
  }
}

/** The first process of a pid namespace takes all others with it. */
function killNamespace(child: ChildProcess, firstPid: number | null): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (firstPid !== null) kill(firstPid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** bwrap tells on its status descriptor which process it started, and how that one ended. */
class StatusReader {
  #text = '';

  add(text: string): void {
    this.#text += text;
  }

  get childPid(): number | null {
    return this.#number('child-pid');
  }

  /** null: the command never ran. */
  get exitCode(): number | null {
    return this.#number('exit-code');
  }

  #number(key: string): number | null {
    const match = new RegExp(`"${key}"\\s*:\\s*(\\d+)`).exec(this.#text);
    return match ? Number(match[1]) : null;
  }
}
