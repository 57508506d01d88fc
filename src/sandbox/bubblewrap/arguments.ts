/** A request, as arguments of bwrap. */
import type { SandboxRequest } from '../sandbox.ts';
import { HOME, networkArguments } from './system.ts';

export interface Base {
  readonly system: readonly string[];
  readonly tools: readonly string[];
  readonly path: string;
  /** Older versions cannot limit the folders that live in memory. */
  readonly canSizeScratch: boolean;
}

type Wanted = Pick<SandboxRequest, 'argv' | 'cwd' | 'env' | 'mounts' | 'network' | 'limits'>;

const NAMESPACES = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--hostname', 'sandbox', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
];

/** On the command line everything inside could read them, and with them paths of the host. */
export interface BubblewrapArguments {
  readonly options: readonly string[];
  readonly command: readonly string[];
}

/** bwrap tells on descriptor 3 which process it started, and how that one ended. */
export function bubblewrapArguments(
  { argv, cwd, env, mounts, network, limits }: Wanted,
  { system, tools, path, canSizeScratch }: Base,
): BubblewrapArguments {
  const sized = limits.scratchBytes && canSizeScratch ? ['--size', String(limits.scratchBytes)] : [];
  const args = [...NAMESPACES, ...system, '--proc', '/proc', '--dev', '/dev'];
  args.push(...(network ? networkArguments() : ['--unshare-net']));
  args.push(...sized, '--tmpfs', '/tmp', ...sized, '--tmpfs', HOME, ...tools);
  for (const { from, to, mode } of mounts) args.push(mode === 'ro' ? '--ro-bind' : '--bind', from, to);
  // What the command gets goes through --setenv: a hostile LD_PRELOAD must not reach bwrap itself.
  args.push('--remount-ro', '/', '--chdir', cwd, '--clearenv');
  const all = { PATH: path, HOME, USER: 'agent', TMPDIR: '/tmp', LANG: 'C.UTF-8', TZ: 'UTC', ...env };
  for (const [name, value] of Object.entries(all)) args.push('--setenv', name, value);
  return { options: [...args, '--json-status-fd', '3'], command: argv };
}
