/** What every command gets: the host, a way to print, and the signal of Ctrl-C. */
import { setMaxListeners } from 'node:events';
import { homedir } from 'node:os';
import pc from 'picocolors';
import { endChildren } from '../host/stray-processes.ts';
import type { Host } from '../model/host.ts';
import { type AsTyped, commandsAsTyped, programName } from './as-typed.ts';

export interface Cli {
  readonly version: string;
  readonly host: Host;
  readonly colors: ReturnType<typeof pc.createColors>;
  /** Aborted by the first Ctrl-C; the second one ends the program at once. */
  readonly signal: AbortSignal;
  /** Someone is looking: standard error is a terminal, and this is not CI. */
  readonly isLive: boolean;
  /** Someone can answer. */
  readonly isInteractive: boolean;
  /** How the user starts aam: `aam`, `npx aam`, `bin/aam`… */
  readonly program: string;
  /** Every command that aam tells people to type goes through this. */
  readonly asTyped: AsTyped;
  out(text: string): void;
  /** The same for a text in pieces of whole lines, too long to be held while its reader takes its time. */
  outPieces(pieces: Iterable<string>): Promise<void>;
  /** A command to GitHub Actions; nothing else may begin like one. */
  annotate(line: string): void;
  err(text: string): void;
  /** The code the program ends with once everything is written. */
  exitWith(code: number): void;
}

export const EXIT = { ok: 0, failed: 1, cannotRun: 2, undecided: 3, interrupted: 130 } as const;

const REPEAT_MS = 1000;

export function createCli(version: string, argv: readonly string[]): Cli {
  const { env, stdin, stdout, stderr } = process;
  const interrupt = new AbortController();
  // Everything that runs at once listens to it.
  setMaxListeners(0, interrupt.signal);
  let first = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // One Ctrl-C may arrive twice: from the terminal, and from the program that started this one.
      if (interrupt.signal.aborted && performance.now() - first > REPEAT_MS) endAtOnce();
      if (interrupt.signal.aborted) return;
      first = performance.now();
      interrupt.abort();
    });
  }
  // A reader that went away (`aam … | head`) is no error of ours: the work goes on, and so does its exit code.
  // Where nothing can be written the work goes on as well, but all is not well.
  let readable = true;
  let isCutShort = false;
  const exitWith = (code: number) => {
    process.exitCode = isCutShort && code === EXIT.ok ? EXIT.cannotRun : code;
  };
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (stream === stdout && readable && error.code !== 'EPIPE')
        stderr.write(`error: standard output cannot be written: ${error.message}\n`);
      readable &&= stream !== stdout;
      isCutShort ||= error.code !== 'EPIPE';
      if (isCutShort) exitWith(Number(process.exitCode ?? EXIT.ok));
    });
  }
  const isActions = env['GITHUB_ACTIONS'] === 'true';
  const isCi = env['CI'] !== undefined && env['CI'] !== '' && env['CI'] !== 'false';
  const toLines = (text: string) => `${isActions ? withoutCommands(text) : text}\n`;
  const host = { env, cwd: process.cwd(), home: homeFolder() };
  const program = programName(process.argv[1] ?? 'aam', host);
  return {
    version,
    host,
    program,
    asTyped: commandsAsTyped(program, argv),
    colors: pc.createColors(wantsColor(env, stdout.isTTY === true)),
    signal: interrupt.signal,
    isLive: stderr.isTTY === true && stdout.isTTY === true && !isCi && env['TERM'] !== 'dumb',
    isInteractive: stdin.isTTY === true && stdout.isTTY === true && !isCi,
    out: (text) => void (readable && stdout.write(toLines(text))),
    outPieces: async (pieces) => {
      for (const piece of pieces) {
        if (!readable) return;
        // Called also where it could not be written.
        await new Promise<void>((written) => stdout.write(toLines(piece), () => written()));
      }
    },
    annotate: (line) => void stderr.write(`${line}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    exitWith,
  };
}

/** By a signal, which shells tell as 130: an exit in good order would wait for whatever hangs in the file system. */
function endAtOnce(): void {
  endChildren();
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}

/** A user who has no name and no HOME has no home either. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/nonexistent';
  }
}

/** What an agent said may begin a line with `::`, and GitHub Actions would obey it. */
function withoutCommands(text: string): string {
  return text.replace(/^(\s*)(?=::|##\[)/gm, '$1\\');
}

function wantsColor(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}
