/** No isolation: for systems without bubblewrap, only ever on explicit demand. */
import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { canSeeProcesses, killMarked, processesMarked } from '../host/marked-processes.ts';
import { makeOwnedFolder, removeOwnedFolder } from '../host/owned-folder.ts';
import { processStat, ticksNow } from '../host/process-stat.ts';
import { isProgram, which } from '../host/programs.ts';
import { removeTree } from '../host/remove.ts';
import { killGroup, spawnBounded } from '../host/spawn.ts';
import { strayProcesses } from '../host/stray-processes.ts';
import type { Host } from '../model/host.ts';
import type { ProcessOutcome } from '../model/process.ts';
import { limited } from './limits.ts';
import type { Sandbox, SandboxRequest } from './sandbox.ts';
import { watchUse } from './watch.ts';

export async function createNoSandbox(host: Host): Promise<Sandbox> {
  const folder = await makeOwnedFolder(tmpdir(), 'home');
  const name = basename(folder);
  /** Of commands that run. */
  const groups = new Set<number>();
  const since = ticksNow();
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
    const plan = { file, args, env, cwd: request.cwd, detached: true };
    const { outputBytes } = request.limits;
    const watched = watchUse(request);
    let leader: number | null = null;
    const onStart = (pid: number) => {
      leader = pid;
      groups.add(pid);
    };
    const look = watched ? () => watched(leader) : undefined;
    const outcome = await spawnBounded(
      { ...plan, onStart, kill: killGroup, onExit: killGroup },
      { ...request, outputBytes, look },
    );
    if (leader !== null) groups.delete(leader);
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
    isQuiet: () =>
      canSeeProcesses() &&
      [...processesMarked([name]), ...strayProcesses(since)].every((pid) => isOfGroupIn(pid, groups)),
    async [Symbol.asyncDispose]() {
      // They would write into what is removed.
      killMarked([name]);
      await removeOwnedFolder(folder);
    },
  };
}

/** One that has gone meanwhile belongs to nobody. */
function isOfGroupIn(pid: number, groups: ReadonlySet<number>): boolean {
  const stat = processStat(pid);
  return stat === null || groups.has(stat.group);
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
