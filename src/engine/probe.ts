/** Finds out whether an engine is here, works, and can get to its model. */
import { isProgram } from '../host/programs.ts';
import type { Host } from '../model/host.ts';
import type { ProcessOutcome } from '../model/process.ts';
import { ENGINE_PROGRAMS, type EngineId, type FoundEngine, findEngine } from './find.ts';
import { ENGINE_LOGINS, type Login, loginByKey } from './login.ts';

/**
 * Runs a program to its end within bounds. Never rejects. `isAnswer` tells whether what came back is usable,
 * so that a way of running that a program cannot bear is not taken for its fault.
 */
export type RunProgram = (
  file: string,
  args: readonly string[],
  isAnswer: (outcome: ProcessOutcome) => boolean,
) => Promise<ProcessOutcome>;

export type EngineProbe =
  | { readonly state: 'missing' }
  | { readonly state: 'broken'; readonly found: FoundEngine; readonly problem: string }
  | { readonly state: 'works'; readonly found: FoundEngine; readonly version: string; readonly login: Login };

export async function probeEngine(id: EngineId, host: Host, run: RunProgram): Promise<EngineProbe> {
  const found = findEngine(id, host);
  if (!found) return { state: 'missing' };
  if (!isProgram(found.path)) return { state: 'broken', found, problem: 'no program is there' };
  const [version, login] = await Promise.all([
    askVersion(found.path, run),
    loginByKey(id, host.env) ?? loginByStatus(id, found, run),
  ]);
  const number = versionIn(version);
  if (number === null) return { state: 'broken', found, problem: `--version ${failure(version)}` };
  return { state: 'works', found, version: number, login };
}

async function loginByStatus(id: EngineId, { path, source }: FoundEngine, run: RunProgram): Promise<Login> {
  const { statusArguments, read, fix } = ENGINE_LOGINS[id];
  const command = source === 'PATH' ? ENGINE_PROGRAMS[id].program : path;
  const status = await run(path, statusArguments, (outcome) => read(outcome) !== null);
  const login = status.ended === 'exited' ? read(status) : null;
  if (login) return login.state === 'ok' ? login : { ...login, fix: fix(command) };
  const asked = statusArguments.join(' ');
  return {
    state: 'problem',
    summary: `its login is unknown: ${ENGINE_PROGRAMS[id].program} ${asked} ${failure(status)}`,
    fix: `see what it says: ${command} ${asked}`,
  };
}

export function askVersion(file: string, run: RunProgram): Promise<ProcessOutcome> {
  return run(file, ['--version'], (outcome) => versionIn(outcome) !== null);
}

/** null: it failed, or named no version. */
export function versionIn({ ended, exitCode, stdout }: ProcessOutcome): string | null {
  if (ended !== 'exited' || exitCode !== 0) return null;
  return /\d+\.\d+(\.\d+)?(-[\w.]+)?/.exec(stdout.text)?.[0] ?? null;
}

/** How a program failed, as the end of a sentence about it. */
export function failure({ ended, exitCode, durationMs, error, exceeded }: ProcessOutcome): string {
  if (ended === 'timed-out') return `did not end within ${(durationMs / 1000).toFixed(1)} s and was killed`;
  if (exceeded) return `${exceeded.error} and was killed`;
  if (ended === 'aborted') return 'was interrupted';
  if (ended === 'not-started') return `could not be started: ${error}`;
  if (exitCode === 0) return 'gave an answer that aam does not understand';
  return exitCode === null ? 'was killed' : `failed with exit code ${exitCode}`;
}
