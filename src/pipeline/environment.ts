/** Facts about the machine and the package that stand in every report. */
import { machine, platform } from 'node:os';
import { version as nodeVersion } from 'node:process';
import { which } from '../host/programs.ts';
import { spawnBounded } from '../host/spawn.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';
import type { EvalReport } from '../model/report.ts';

export interface Observed {
  readonly environment: EvalReport['environment'];
  readonly commit: string | null;
}

/** All at once, while the run is under way. */
export async function observeRun(pkg: AgentPackage, host: Host, aamVersion: string): Promise<Observed> {
  const [environment, commit] = await Promise.all([
    observeEnvironment(host, aamVersion),
    observeCommit(host, pkg.root),
  ]);
  return { environment, commit };
}

/** For engines that do not tell their version while they work. */
export async function observeVersion(host: Host, program: string): Promise<string | null> {
  const line = await firstLine(host, program, ['--version']);
  return /\d+\.\d+\.\d+\S*/.exec(line ?? '')?.[0] ?? null;
}

async function observeEnvironment(host: Host, aamVersion: string): Promise<EvalReport['environment']> {
  const python = await firstLine(host, 'python3', ['--version']);
  return {
    os: platform(),
    arch: machine(),
    aam_version: aamVersion,
    node_version: nodeVersion.replace(/^v/, ''),
    python_version: python?.replace(/^Python /, '') ?? null,
  };
}

/** The commit that is checked out; null outside a repository. */
function observeCommit(host: Host, root: string): Promise<string | null> {
  return firstLine(host, 'git', ['-C', root, 'rev-parse', '--verify', '--quiet', 'HEAD']);
}

/** null: the program is missing, fails or is slow. */
async function firstLine(host: Host, program: string, args: readonly string[]): Promise<string | null> {
  const file = program.includes('/') ? program : which(program, host.env);
  if (!file) return null;
  const env = { PATH: host.env['PATH'] ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  const plan = { file, args, env, cwd: '/', leads: 'group' } as const;
  const outcome = await spawnBounded(plan, { stdin: null, timeoutMs: 5000, outputBytes: 4096 });
  return outcome.exitCode === 0 ? (outcome.stdout.text.trim().split('\n')[0] ?? null) : null;
}
