/** No isolation: for systems without bubblewrap, only ever on explicit demand. */
import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pid as ownPid } from 'node:process';
import { DIRECT, type Starter } from '../host/child.ts';
import { canSeeProcesses, killMarked } from '../host/marked-processes.ts';
import { makeOwnedFolder, removeOwnedFolder } from '../host/owned-folder.ts';
import { processStat, ticksNow } from '../host/process-stat.ts';
import { isProgram, which } from '../host/programs.ts';
import { removeTree } from '../host/remove.ts';
import { spawnBounded } from '../host/spawn.ts';
import { processesOf } from '../host/stray-processes.ts';
import type { Host } from '../model/host.ts';
import type { ProcessOutcome } from '../model/process.ts';
import { limited } from './limits.ts';
import type { Sandbox, SandboxRequest } from './sandbox.ts';
import { watchUse } from './watch.ts';

export async function createNoSandbox(
  host: Host,
  _hidden: readonly string[] = [],
  starter: Starter = DIRECT,
): Promise<Sandbox> {
  const folder = await makeOwnedFolder(tmpdir(), 'home');
  const name = basename(folder);
  const since = ticksNow();
  /** Of commands that run. */
  const leaders = new Set<number>();
  let homes = 0;
  const base = {
    PATH: host.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
  const run = async (request: SandboxRequest, home: Readonly<Record<string, string>>) => {
    // Whatever is started has this name in its environment: so it is found when aam could not end it.
    const env = { ...base, ...home, ...request.env, AAM_SANDBOX: folder };
    const [program] = request.argv;
    // The shell that sets limits would hide that the command is not there.
    if (isFolder(request.cwd) && !canRun(program, request.cwd, env)) return missing(program);
    const [file, ...args] = limited(request.argv, request.limits);
    const { outputBytes } = request.limits;
    const watched = watchUse(request);
    let leader: number | null = null;
    const onStart = (pid: number) => {
      leader = pid;
      leaders.add(pid);
    };
    const look = watched ? () => watched(leader) : undefined;
    const plan = { file, args, env, cwd: request.cwd, leads: 'group', onStart } as const;
    const outcome = await spawnBounded(plan, { ...request, outputBytes, look }, starter);
    if (leader !== null) leaders.delete(leader);
    return outcome;
  };
  return {
    id: 'none',
    isolatesFiles: false,
    places: [folder],
    seenAt: (mount) => mount.from,
    async run(request) {
      if (request.env['HOME'] !== undefined) return await run(request, {});
      const home = join(folder, `h-${homes++}`);
      await mkdir(home, { mode: 0o700 });
      try {
        return await run(request, { HOME: home, TMPDIR: home });
      } finally {
        // What cannot be removed now is removed with all the rest.
        await removeTree(home).catch(() => {});
      }
    },
    // Whoever is in the group of a command that still runs belongs to it.
    isQuiet: () =>
      canSeeProcesses() && processesOf(name, since).every((pid) => isLed(pid, leaders, starter.parents)),
    async [Symbol.asyncDispose]() {
      // They would write into what is removed.
      killMarked([name]);
      await removeOwnedFolder(folder);
    },
  };
}

/**
 * By a command that runs: one that is known, or a child of the process that starts others, which may not have told yet.
 * The children of this process may be anybody's: where it is the first of its container, it has those that lost theirs.
 * One that has gone meanwhile belongs to nobody.
 */
function isLed(pid: number, leaders: ReadonlySet<number>, parents: readonly number[]): boolean {
  const stat = processStat(pid);
  if (stat === null || leaders.has(stat.group) || parents.includes(stat.group)) return true;
  const leader = processStat(stat.group);
  return leader !== null && leader.parent !== ownPid && parents.includes(leader.parent);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function canRun(program: string, cwd: string, env: Host['env']): boolean {
  return program.includes('/') ? isProgram(resolve(cwd, program)) : which(program, env) !== null;
}

function missing(program: string): ProcessOutcome {
  const nothing = { text: '', bytes: 0, truncated: false };
  return {
    ended: 'not-started',
    exitCode: null,
    stdout: nothing,
    stderr: nothing,
    durationMs: 0,
    error: `there is no program ${program} on this machine`,
    unstartable: true,
  };
}
