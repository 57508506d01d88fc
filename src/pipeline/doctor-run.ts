/**
 * How doctor runs other people's programs: bounded, and where bubblewrap can, on a read-only system without network.
 * Asked for their login, both CLIs write to their config folder, and Claude Code renews expired tokens.
 */
import type { RunProgram } from '../engine/probe.ts';
import { spawnBounded } from '../host/spawn.ts';
import type { Host } from '../model/host.ts';
import type { ProcessOutcome } from '../model/process.ts';
import { findBubblewrap } from '../sandbox/bubblewrap/find.ts';
import { KEYS } from './doctor-env.ts';

interface RunOptions {
  readonly host: Host;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export function createRunner(options: RunOptions): RunProgram {
  const wrapper = findWrapper(options);
  return async (file, args, isAnswer) => {
    const bwrap = await wrapper;
    if (bwrap !== null) {
      const outcome = await runBounded(bwrap, [...READ_ONLY, file, ...args], options);
      if (outcome.ended !== 'exited' || isAnswer(outcome)) return outcome;
    }
    return runBounded(file, args, options);
  };
}

const READ_ONLY = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--die-with-parent', '--'],
];
const WRAPPER_TIMEOUT_MS = 2000;

/** null where bubblewrap is missing or forbidden: then programs run as they are. */
async function findWrapper(options: RunOptions): Promise<string | null> {
  const found = findBubblewrap(options.host);
  if (!found) return null;
  const timeoutMs = Math.min(options.timeoutMs, WRAPPER_TIMEOUT_MS);
  const args = [...READ_ONLY, '/bin/sh', '-c', 'echo ready'];
  const { stdout } = await runBounded(found.path, args, { ...options, timeoutMs });
  return stdout.text === 'ready\n' ? found.path : null;
}

function runBounded(
  file: string,
  args: readonly string[],
  { host, timeoutMs, signal }: RunOptions,
): Promise<ProcessOutcome> {
  const plan = {
    file,
    args,
    env: {
      ...withoutBlankKeys(host.env),
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    // The working folder may belong to a package that is not trusted, and the CLIs read settings there.
    cwd: '/',
    leads: 'group' as const,
  };
  return spawnBounded(plan, { stdin: null, timeoutMs, outputBytes: 64 * 1024, signal });
}

/** Claude Code takes a key of blanks for a login. */
function withoutBlankKeys(env: Host['env']): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isBlankKey = KEYS.includes(name) && value?.trim() === '';
    if (value !== undefined && !isBlankKey) kept[name] = value;
  }
  return kept;
}
