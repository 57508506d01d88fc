/** Starts one process, feeds it, bounds its output and its time, and tells how it ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { kill } from 'node:process';
import type { Readable, Writable } from 'node:stream';
import type { Exceeded, ProcessOutcome } from '../model/process.ts';
import { BoundedOutput } from './output.ts';

export interface SpawnPlan {
  readonly file: string;
  readonly args: readonly string[];
  /** What the process sees as its own name; the file when left out. */
  readonly argv0?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Lead a process group of its own. */
  readonly detached?: boolean;
  /** Ends the process and all that it started. */
  kill(child: ChildProcess): void;
  /** Gets what the process writes to descriptor 3. */
  readonly onStatus?: (text: string) => void;
  /** What the process can read from descriptor 4. */
  readonly extraInput?: string;
  /** Called with the process's id, once it has one. */
  readonly onStart?: (pid: number) => void;
  /** Called once the process itself has ended, before its pipes are waited for. */
  readonly onExit?: (child: ChildProcess) => void;
}

export interface SpawnBounds {
  /** null: standard input is empty. */
  readonly stdin: string | null;
  readonly timeoutMs: number;
  /** Time so far that does not count. */
  readonly uncountedMs?: (() => number) | undefined;
  /** Of each stream, kept; more is counted and dropped. */
  readonly outputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Sees standard output as it comes, all of it. */
  readonly onStdout?: ((chunk: Buffer) => void) | undefined;
  /** Asked again and again: what it uses too much of, so that it has to end. Must not reject. */
  readonly look?: (() => Promise<Exceeded | null>) | undefined;
}

/** How long pipes may stay open after their process ended: something escaped and holds them. */
const PIPE_GRACE_MS = 500;
/** Whatever escaped may also write without end. */
const LAST_READS = 100;
/** Between two looks; so much longer than a look takes that looking costs next to nothing. */
const LOOK_MS = 1000;
const LOOK_SHARE = 20;
const TOO_LONG = 'the command line is longer than the system allows (128 KiB for one argument)';
const CLOCK_MS = 1000;
/** A look at the clock that comes later than this was held up: this process was stopped, or had no processor. */
const LATE_MS = 1000;

export function spawnBounded(plan: SpawnPlan, bounds: SpawnBounds): Promise<ProcessOutcome> {
  const { stdin, outputBytes, signal } = bounds;
  const started = performance.now();
  const stdout = new BoundedOutput(outputBytes);
  const stderr = new BoundedOutput(outputBytes);
  let lostMs = 0;
  let endedByUs: 'timed-out' | 'aborted' | 'over-limit' | undefined;
  let exceeded: Exceeded | null = null;
  const outcome = (exitCode: number | null, error?: string, unstartable = false): ProcessOutcome => ({
    ended: error === undefined ? (endedByUs ?? 'exited') : 'not-started',
    exitCode: endedByUs ? null : exitCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
    durationMs: performance.now() - started - lostMs,
    ...(error !== undefined && { error }),
    ...(endedByUs === 'over-limit' && exceeded && { exceeded }),
    ...(unstartable && { unstartable: true as const }),
  });

  return new Promise((settle) => {
    const child = tryStart(plan, stdin !== null);
    if (child instanceof Error) {
      const tooLong = (child as NodeJS.ErrnoException).code === 'E2BIG';
      settle(outcome(null, tooLong ? TOO_LONG : child.message, tooLong));
      return;
    }
    if (child.pid !== undefined) plan.onStart?.(child.pid);
    let timer: NodeJS.Timeout | undefined;
    let looking: NodeJS.Timeout | undefined;
    let grace: NodeJS.Timeout | undefined;
    let isOver = false;
    const end = (reason: 'timed-out' | 'aborted' | 'over-limit') => {
      endedByUs ??= reason;
      plan.kill(child);
    };
    const onAbort = () => end('aborted');
    const finish = (exitCode: number | null, error?: string) => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(looking);
      clearTimeout(grace);
      signal?.removeEventListener('abort', onAbort);
      settle(outcome(exitCode, error));
    };
    child.on('error', (error) => {
      if (child.pid === undefined) finish(null, error.message);
    });
    // Where no descriptors are left there are no pipes either, whatever the types say; the error is on its way.
    if (child.pid === undefined && (child.stdio as unknown) === undefined) return;

    const watchClock = (due: number) => {
      const now = performance.now();
      // The command may have ended meanwhile, or waited for us: that is not its time.
      if (now - due > LATE_MS) lostMs += now - due;
      const left = bounds.timeoutMs + (bounds.uncountedMs?.() ?? 0) + lostMs - (now - started);
      if (left <= 0) return end('timed-out');
      // Timers may fire a little early.
      const pause = Math.min(Math.ceil(left), CLOCK_MS);
      timer = setTimeout(watchClock, pause, now + pause);
    };
    watchClock(started);
    const lookAfter = (ms: number) => {
      if (!bounds.look) return;
      looking = setTimeout(async () => {
        const begun = performance.now();
        exceeded = (await bounds.look?.()) ?? null;
        if (isOver) return;
        if (exceeded) end('over-limit');
        else lookAfter(Math.max(LOOK_MS, LOOK_SHARE * (performance.now() - begun)));
      }, ms);
    };
    lookAfter(LOOK_MS);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);

    let received = 0;
    // This process may have had no turn since: what it wrote to its end is read before nobody listens any more.
    const letGo = (reads: number) => {
      const before = received;
      setImmediate(() => {
        if (isOver) return;
        if (received > before && reads > 0) return letGo(reads - 1);
        for (const stream of [child.stdout, child.stderr, status]) stream?.destroy();
      });
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      received += chunk.length;
      stdout.add(chunk);
      bounds.onStdout?.(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      received += chunk.length;
      stderr.add(chunk);
    });
    const status = child.stdio[3] as Readable | null;
    if (plan.onStatus) status?.setEncoding('utf8').on('data', plan.onStatus);

    // A command that ends without reading its input is no error.
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
    const extra = child.stdio[4] as Writable | null | undefined;
    extra?.on('error', () => {});
    extra?.end(plan.extraInput);

    child.on('exit', () => {
      plan.onExit?.(child);
      grace = setTimeout(letGo, PIPE_GRACE_MS, LAST_READS);
    });
    child.on('close', (code, signalName) => finish(code ?? exitCodeOf(signalName)));
  });
}

/** As shells count it. */
function exitCodeOf(signalName: NodeJS.Signals | null): number | null {
  return signalName === null ? null : 128 + constants.signals[signalName];
}

/** Some failures to start are thrown, some come as an event: the thrown ones become a value here. */
function tryStart(plan: SpawnPlan, withInput: boolean): ChildProcess | Error {
  try {
    return spawn(plan.file, plan.args, {
      env: plan.env,
      cwd: plan.cwd,
      detached: plan.detached ?? false,
      ...(plan.argv0 !== undefined && { argv0: plan.argv0 }),
      stdio: [
        withInput ? 'pipe' : 'ignore',
        'pipe',
        'pipe',
        plan.onStatus ? 'pipe' : 'ignore',
        ...(plan.extraInput === undefined ? [] : (['pipe'] as const)),
      ],
    });
  } catch (error) {
    return error as Error;
  }
}

/** For a process that leads a group: ends it with all members that did not leave. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}
