/** Looks at the machine: what is here, what is missing, and whether `aam test` and `aam eval` can run. */
import { readFile } from 'node:fs/promises';
import { arch, platform, release, type } from 'node:os';
import { version as nodeVersion } from 'node:process';
import satisfies from 'semver/functions/satisfies.js';
import { ENGINE_PROGRAMS, type EngineId } from '../engine/find.ts';
import { ENGINE_LOGINS } from '../engine/login.ts';
import {
  askVersion,
  type EngineProbe,
  failure,
  probeEngine,
  type RunProgram,
  versionIn,
} from '../engine/probe.ts';
import { which } from '../host/programs.ts';
import type { DoctorCheck, DoctorReport } from '../model/doctor-report.ts';
import { PrerequisiteError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import { createBubblewrap } from '../sandbox/bubblewrap/bubblewrap.ts';
import { findBubblewrap } from '../sandbox/bubblewrap/find.ts';
import { checkEnvironment } from './doctor-env.ts';
import { createRunner } from './doctor-run.ts';

export interface DoctorOptions {
  readonly host: Host;
  /** Of aam. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** For each program that is asked something. */
  readonly timeoutMs?: number;
}

const ENGINES = Object.keys(ENGINE_PROGRAMS) as EngineId[];

export async function runDoctor(options: DoctorOptions): Promise<DoctorReport> {
  const { host, version, signal, timeoutMs = 10_000 } = options;
  const run = createRunner({ host, timeoutMs, signal });
  const [node, sandbox, git, probes] = await Promise.all([
    checkNode(),
    checkSandbox(host, run),
    checkGit(host, run),
    Promise.all(ENGINES.map(async (id) => ({ id, probe: await probeEngine(id, host, run) }))),
  ]);
  const environment = checkEnvironment(host.env);
  const test = node.state === 'ok' && sandbox.state === 'ok';
  const invalid = environment
    .filter((it) => it.state === 'problem' && host.env[it.id]?.trim())
    .map((it) => it.id);
  const usable = probes.filter(
    ({ id, probe }) =>
      probe.state === 'works' &&
      probe.login.state === 'ok' &&
      !invalid.includes(ENGINE_LOGINS[id].baseUrl.variable),
  );
  const ready = { test, eval: test ? usable.map(({ id }) => id) : [] };
  return {
    version: 1,
    ok: ready.eval.length > 0,
    checks: [
      { id: 'aam', state: 'ok', summary: version },
      checkSystem(),
      node,
      sandbox,
      git,
      ...probes.flatMap(({ id, probe }) => engineChecks(id, probe)),
      ...environment,
    ],
    ready,
  };
}

function checkSystem(): DoctorCheck {
  const summary = `${type()} ${release()} ${arch()}`;
  if (platform() === 'linux') return { id: 'system', state: 'ok', summary };
  const problem = `${summary}: the sandbox works on Linux only`;
  return { id: 'system', state: 'problem', summary: problem, fix: 'run without isolation:  --sandbox none' };
}

async function checkNode(): Promise<DoctorCheck> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  const { engines } = JSON.parse(manifest) as { engines: { node: string } };
  if (satisfies(nodeVersion, engines.node)) return { id: 'node', state: 'ok', summary: nodeVersion };
  const summary = `${nodeVersion}, but aam needs ${engines.node}`;
  return { id: 'node', state: 'problem', summary, fix: 'nvm install 22\nor: get it from https://nodejs.org' };
}

async function checkSandbox(host: Host, run: RunProgram): Promise<DoctorCheck> {
  const found = findBubblewrap(host);
  try {
    const [version, sandbox] = await Promise.all([
      found ? run(found.path, ['--version'], ({ exitCode }) => exitCode === 0) : null,
      createBubblewrap(host),
    ]);
    await sandbox[Symbol.asyncDispose]();
    // The one that Codex carries says whose it is instead of a number.
    const name = /^bubblewrap [\w. -]{1,40}/.exec(version?.stdout.text ?? '')?.[0].trim() ?? 'bubblewrap';
    const where = found ? ` from ${found.source} (${found.path})` : '';
    return { id: 'sandbox', state: 'ok', summary: `${name}${where}, starts a sandbox` };
  } catch (error) {
    return brokenSandbox(error, found);
  }
}

function brokenSandbox(error: unknown, found: ReturnType<typeof findBubblewrap>): DoctorCheck {
  const isKnown = error instanceof PrerequisiteError;
  // What the system refuses (no space, no temporary folder) is what doctor is for; the rest is a bug.
  if (!isKnown && !(error instanceof Error && 'code' in error)) throw error;
  const hints = isKnown ? error.hints : ['export TMPDIR=/tmp   (or another folder with room)'];
  const lines = found?.source === 'AAM_BWRAP_BIN' ? ['unset AAM_BWRAP_BIN', ...hints] : hints;
  return {
    id: 'sandbox',
    state: found ? 'problem' : 'missing',
    summary: error.message,
    fix: lines.join('\n'),
  };
}

async function checkGit(host: Host, run: RunProgram): Promise<DoctorCheck> {
  const fix = 'apt-get install git   (or dnf, pacman, apk)';
  const path = which('git', host.env);
  if (!path)
    return { id: 'git', state: 'optional', summary: 'not found: reports cannot name the commit', fix };
  const answer = await askVersion(path, run);
  const version = versionIn(answer);
  if (version !== null) return { id: 'git', state: 'ok', summary: `${version} from PATH (${path})` };
  return { id: 'git', state: 'problem', summary: `${path} --version ${failure(answer)}`, fix };
}

function engineChecks(id: EngineId, probe: EngineProbe): DoctorCheck[] {
  const { package: name, variable } = ENGINE_PROGRAMS[id];
  const install = `npm install -g ${name}`;
  if (probe.state === 'missing') return [{ id, state: 'missing', summary: 'not found', fix: install }];
  const { path, source } = probe.found;
  if (probe.state === 'broken') {
    const fix = source === variable ? `unset ${variable}\nor: ${install}` : install;
    return [{ id, state: 'problem', summary: `from ${source} (${path}): ${probe.problem}`, fix }];
  }
  const { login, version } = probe;
  return [
    { id, state: 'ok', summary: `${version} from ${source} (${path})` },
    { id: `${id}-login`, ...login },
  ];
}
