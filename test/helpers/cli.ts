/** Runs the built command line as a user does. */
import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const AAM = fileURLToPath(new URL('../../bin/aam', import.meta.url));

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function aam(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<CliResult> {
  return new Promise((settle) => {
    const env = { ...process.env, NO_COLOR: '1', AAM_COMMAND: 'aam', ...options.env };
    const settings = { cwd: options.cwd, env, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, [AAM, ...args], settings, (error, stdout, stderr) => {
      settle({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** For tests that signal the program while it runs. `around`: what starts it, when it is not started itself. */
export function startAam(
  args: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv = {},
  around: readonly string[] = [],
) {
  const env = { ...process.env, ...more };
  const [program = '', ...rest] = [...around, process.execPath, AAM, ...args];
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<CliResult>((settle) => {
    child.on('close', (code, signal) =>
      settle({ code: code ?? 128 + constants.signals[signal ?? 'SIGKILL'], stdout, stderr }),
    );
  });
  return { child, ended, output: () => stdout + stderr };
}
