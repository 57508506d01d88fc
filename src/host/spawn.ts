/** Runs one process to its end, bounds its output and its time, and tells how it ended. */
import type { Exceeded, ProcessOutcome } from '../model/process.ts';
import { type ChildPlan, DIRECT, type Starter } from './child.ts';
import { BoundedOutput } from './output.ts';

export interface SpawnPlan extends Omit<ChildPlan, 'stdin'> {
  /** Gets what the process writes to descriptor 3. */
  readonly onStatus?: (text: string) => void;
  /** Called with the process's id, once it has one. */
  readonly onStart?: (pid: number) => void;
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

/** Between two looks; so much longer than a look takes that looking costs next to nothing. */
const LOOK_MS = 1000;
const LOOK_SHARE = 20;
const TOO_LONG = 'the command line is longer than the system allows (128 KiB for one argument)';
const CLOCK_MS = 1000;
/** A look at the clock that comes later than this was held up: this process was stopped, or had no processor. */
const LATE_MS = 1000;

export function spawnBounded(
  { onStatus, onStart, ...plan }: SpawnPlan,
  bounds: SpawnBounds,
  starter: Starter = DIRECT,
): Promise<ProcessOutcome> {
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
    let timer: NodeJS.Timeout | undefined;
    let looking: NodeJS.Timeout | undefined;
    let isOver = false;
    const finish = (exitCode: number | null, error?: string, unstartable?: boolean) => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(looking);
      signal?.removeEventListener('abort', onAbort);
      settle(outcome(exitCode, error, unstartable));
    };
    const end = (reason: 'timed-out' | 'aborted' | 'over-limit') => {
      endedByUs ??= reason;
      child.end();
    };
    const onAbort = () => end('aborted');
    const child = starter.start(
      { ...plan, stdin },
      {
        started: (pid) => onStart?.(pid),
        stdout(chunk) {
          stdout.add(chunk);
          bounds.onStdout?.(chunk);
        },
        stderr: (chunk) => stderr.add(chunk),
        status: (text) => onStatus?.(text),
        closed: (exitCode) => finish(exitCode),
        failed: ({ message, code }) =>
          code === 'E2BIG' ? finish(null, TOO_LONG, true) : finish(null, message),
      },
    );
    if (isOver) return;

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
  });
}
