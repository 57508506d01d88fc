/** Facts about the machine and the package that stand in every report. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { machine, platform } from 'node:os';
import { join } from 'node:path';
import { version as nodeVersion } from 'node:process';
import { which } from '../host/programs.ts';
import { killGroup, spawnBounded } from '../host/spawn.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';
import type { EvalReport } from '../model/report.ts';
import { packageCopy } from '../package/install.ts';

export interface Observed {
  readonly environment: EvalReport['environment'];
  readonly commit: string | null;
  readonly hash: string;
}

/** All at once, while the run is under way. `copy`: what the run installs from. */
export async function observeRun(
  pkg: AgentPackage,
  copy: string,
  host: Host,
  aamVersion: string,
): Promise<Observed> {
  const [environment, commit, hash] = await Promise.all([
    observeEnvironment(host, aamVersion),
    observeCommit(host, pkg.root),
    hashPackage(pkg, copy),
  ]);
  return { environment, commit, hash };
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

/** Of names and contents of all that is installed. Folders of tools are named, not read. */
async function hashPackage(pkg: AgentPackage, copy: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of packageCopy(pkg)) {
    const isFile = pkg.files.get(path)?.kind === 'file';
    const content = isFile ? await readFile(join(copy, path)).catch(() => null) : '';
    // Not everything is copied: what gives answers away is left out.
    if (content === null) continue;
    hash.update(`${path}\0`);
    if (isFile) hash.update(createHash('sha256').update(content).digest());
  }
  return `sha256:${hash.digest('hex')}`;
}

/** null: the program is missing, fails or is slow. */
async function firstLine(host: Host, program: string, args: readonly string[]): Promise<string | null> {
  const file = program.includes('/') ? program : which(program, host.env);
  if (!file) return null;
  const env = { PATH: host.env['PATH'] ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  const plan = { file, args, env, cwd: '/', detached: true, kill: killGroup, onExit: killGroup };
  const outcome = await spawnBounded(plan, { stdin: null, timeoutMs: 5000, outputBytes: 4096 });
  return outcome.exitCode === 0 ? (outcome.stdout.text.trim().split('\n')[0] ?? null) : null;
}
