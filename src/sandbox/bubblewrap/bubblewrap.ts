/** The sandbox on Linux: own file tree, processes and network, no privileges, gone with its parent. */
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DIRECT, type Starter } from '../../host/child.ts';
import { killMarked } from '../../host/marked-processes.ts';
import { makeOwnedFolder, removeOwnedFolder } from '../../host/owned-folder.ts';
import { childrenOf, isOver as isProcessOver, processStat } from '../../host/process-stat.ts';
import { isProgram } from '../../host/programs.ts';
import { SandboxStatus } from '../../host/sandbox-status.ts';
import { spawnBounded } from '../../host/spawn.ts';
import { PrerequisiteError } from '../../model/errors.ts';
import type { Host } from '../../model/host.ts';
import type { ProcessOutcome } from '../../model/process.ts';
import { limited } from '../limits.ts';
import type { Sandbox, SandboxRequest } from '../sandbox.ts';
import { watchUse } from '../watch.ts';
import { type Base, bubblewrapArguments } from './arguments.ts';
import { findBubblewrap } from './find.ts';
import { hidingArguments, realPaths } from './hidden.ts';
import {
  pathFolders,
  sandboxPath,
  shownFolders,
  systemArguments,
  toolArguments,
  writeEtc,
} from './system.ts';

const WITHOUT = 'or run without isolation:  --sandbox none';

/** Throws a PrerequisiteError where bubblewrap is missing or may not make a sandbox. */
export async function createBubblewrap(
  host: Host,
  hidden: readonly string[] = [],
  starter: Starter = DIRECT,
): Promise<Sandbox> {
  const found = findBubblewrap(host);
  if (!found) {
    throw new PrerequisiteError(
      'bubblewrap was not found, so nothing can be isolated',
      'install it:  apt-get install bubblewrap   (or dnf, pacman, apk)',
      'or install Codex, which carries one:  npm install -g @openai/codex',
      WITHOUT,
    );
  }
  if (!isProgram(found.path))
    throw new PrerequisiteError(`${found.path} is not a program`, `unset ${found.source}`);
  const dir = await makeOwnedFolder(tmpdir(), 'box');
  try {
    const sandbox = new Bubblewrap(found.path, dir, host, realPaths(hidden), starter);
    await requireWorking(sandbox, found.path);
    return sandbox;
  } catch (error) {
    await removeOwnedFolder(dir);
    throw error;
  }
}

async function requireWorking(sandbox: Bubblewrap, path: string): Promise<void> {
  const problem = await sandbox.probe();
  if (problem === null) return;
  throw new PrerequisiteError(
    `bubblewrap (${path}) cannot start a sandbox: ${problem}`,
    'allow user namespaces:  sysctl -w kernel.unprivileged_userns_clone=1   (on Ubuntu 23.10 and later: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0)',
    'in a container: run it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined',
    WITHOUT,
  );
}

class Bubblewrap implements Sandbox {
  readonly id = 'bubblewrap';
  readonly isolatesFiles = true;
  readonly places = [];
  readonly #file: string;
  readonly #dir: string;
  readonly #starter: Starter;
  #base: Base;
  #mayHaveLeft = false;

  constructor(file: string, dir: string, host: Host, hidden: readonly string[], starter: Starter) {
    this.#file = file;
    this.#dir = dir;
    this.#starter = starter;
    const etc = join(dir, 'etc');
    writeEtc(etc);
    this.#base = {
      system: systemArguments(etc),
      tools: [...toolArguments(host), ...hidingArguments(hidden, shownFolders(host), pathFolders(host))],
      path: sandboxPath(host),
      canSizeScratch: false,
    };
  }

  /** Really starts a sandbox: some systems have the program and forbid what it needs. */
  async probe(): Promise<string | null> {
    const bounds = { stdin: null, timeoutMs: 10_000, limits: { outputBytes: 64 * 1024 } };
    const plan = { file: this.#file, env: {}, leads: 'group' } as const;
    const [help, start] = await Promise.all([
      spawnBounded({ ...plan, args: ['--help'] }, { ...bounds, outputBytes: bounds.limits.outputBytes }),
      this.run({ argv: ['/bin/sh', '-c', ':'], cwd: '/', env: {}, mounts: [], network: false, ...bounds }),
    ]);
    this.#base = { ...this.#base, canSizeScratch: /--size\b/.test(help.stdout.text + help.stderr.text) };
    if (start.ended === 'exited' && start.exitCode === 0) return null;
    return start.error ?? (start.stderr.text.trim() || `it ended with exit code ${start.exitCode}`);
  }

  seenAt(mount: { readonly to: string }): string {
    return mount.to;
  }

  async run(request: SandboxRequest): Promise<ProcessOutcome> {
    const status = new SandboxStatus();
    const { options, command } = bubblewrapArguments(request, this.#base);
    // It would end one option and begin another.
    if (options.some((it) => it.includes('\0')))
      return notStarted('a path or variable holds a null character');
    // Set on bwrap, which hands limits on: a shell inside would hide that the command is not there.
    const [file, ...args] = limited([this.#file, '--args', '4', '--', ...command], request.limits);
    const plan = {
      file,
      args,
      // Its own name is the first thing that everything inside can read.
      ...(file === this.#file && { argv0: 'bwrap' }),
      extraInput: options.join('\0'),
      // Not handed on. A sandbox that outlives aam is found by it: killed in the first moments, bwrap leaves one behind.
      env: { AAM_SANDBOX: basename(this.#dir) },
      leads: 'sandbox' as const,
      onStatus: (text: string) => status.add(text),
    };
    const watched = watchUse(request);
    const look = watched ? () => watched(status.childPid) : undefined;
    const bounds = { ...request, outputBytes: request.limits.outputBytes, look };
    const outcome = await spawnBounded(plan, bounds, this.#starter);
    const isOver = await untilOver(status.childPid);
    this.#mayHaveLeft ||= status.exitCode === null || !isOver;
    if (outcome.ended !== 'exited') return outcome;
    if (status.exitCode !== null) return { ...outcome, exitCode: status.exitCode };
    const reason = outcome.stderr.text
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^bwrap: /, '');
    const failed = { ...outcome, ended: 'not-started' as const, exitCode: null };
    const [, program, why] = /^execvp (.+): (.+)$/.exec(reason ?? '') ?? [];
    if (program !== undefined && why !== undefined)
      return { ...failed, error: cannotRun(program, why), unstartable: true };
    return { ...failed, error: reason || 'bubblewrap ended without a word' };
  }

  /** With a sandbox goes all that ran in it. */
  isQuiet(): boolean {
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Of one that nobody knows the end of, the first process may still be there.
    if (this.#mayHaveLeft) killMarked([basename(this.#dir)]);
    await removeOwnedFolder(this.#dir);
  }
}

const OVER_MS = 10_000;
const LOOK_MS = 1;

/**
 * bwrap ends with its command, and the first process of the sandbox after bwrap: until then, whatever else runs in the
 * sandbox can write.
 */
async function untilOver(firstPid: number | null): Promise<boolean> {
  if (firstPid === null) return true;
  const deadline = performance.now() + OVER_MS;
  while (!isAlone(firstPid) && performance.now() < deadline) await sleep(LOOK_MS);
  return isAlone(firstPid);
}

/** Whoever loses its parent becomes a child of the first process, and all others are below such. */
function isAlone(firstPid: number): boolean {
  if (childrenOf(firstPid)?.length === 0) return true;
  const stat = processStat(firstPid);
  return stat === null || isProcessOver(stat);
}

function notStarted(error: string): ProcessOutcome {
  const nothing = { text: '', bytes: 0, truncated: false };
  return { ended: 'not-started', exitCode: null, stdout: nothing, stderr: nothing, durationMs: 0, error };
}

function cannotRun(program: string, why: string): string {
  return why === 'No such file or directory'
    ? `there is no program ${program} in the sandbox`
    : `the program ${program} cannot be run in the sandbox: ${why}`;
}
