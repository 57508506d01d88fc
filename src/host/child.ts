/** One process that this one starts: it is fed, listened to, and ended with all that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { kill, pid as ownPid } from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { endProcess } from './end-process.ts';
import { withoutInherited } from './inherited.ts';
import { SandboxStatus } from './sandbox-status.ts';

export interface ChildPlan {
  readonly file: string;
  readonly args: readonly string[];
  /** What the process sees as its own name; the file when left out. */
  readonly argv0?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** null: standard input is empty. */
  readonly stdin: string | null;
  /** What the process can read from descriptor 4. */
  readonly extraInput?: string;
  /**
   * `group`: it leads a process group, all of which goes with it. `sandbox`: it is bwrap, which tells on descriptor 3
   * what it started.
   */
  readonly leads: 'group' | 'sandbox';
}

/** What a child does; `closed` or `failed` comes last. */
export interface ChildEvents {
  started(pid: number): void;
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** What it wrote to descriptor 3. */
  status(text: string): void;
  closed(exitCode: number | null): void;
  /** It could not be started, or nobody knows what has become of it. */
  failed(error: ChildFailure): void;
}

interface ChildFailure {
  readonly message: string;
  readonly code?: string | undefined;
}

export interface Child {
  /** Ends it and all that it started. */
  end(): void;
  /** Whether what it writes is taken. */
  listen(isListening: boolean): void;
}

export interface Starter {
  start(plan: ChildPlan, events: ChildEvents): Child;
  /** Of the processes whose children they become. */
  readonly parents: readonly number[];
}

export const DIRECT: Starter = { start: startChild, parents: [ownPid] };

/** How long pipes may stay open after their process ended: something escaped and holds them. */
const PIPE_GRACE_MS = 500;
/** Whatever escaped may also write without end. */
const LAST_READS = 100;

export function startChild(plan: ChildPlan, events: ChildEvents): Child {
  const child = tryStart(plan);
  if (child instanceof Error) {
    events.failed(failureOf(child));
    return { end() {}, listen() {} };
  }
  const status = new SandboxStatus();
  let isEnding = false;
  let grace: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = () => {
    isEnding = true;
    if (plan.leads === 'group') killGroup(child);
    else killNamespace(child, status.childPid);
  };
  child.on('error', (error) => {
    if (child.pid === undefined) events.failed(failureOf(error));
  });
  // Where no descriptors are left there are no pipes either, whatever the types say; the error is on its way.
  if (child.pid === undefined && (child.stdio as unknown) === undefined) return { end() {}, listen() {} };
  if (child.pid !== undefined) events.started(child.pid);

  const [, , , told, extra] = child.stdio as unknown as readonly (Readable & Writable)[];
  const outputs = [child.stdout, child.stderr, told ?? null];
  let received = 0;
  let isListening = true;
  /** How often it is still looked for more, once somebody listens again; null: that does not matter yet. */
  let held: number | null = null;
  // This process may have had no turn since: what it wrote to its end is read before nobody listens any more.
  const letGo = (reads: number) => {
    const before = received;
    setImmediate(() => {
      if (isOver) return;
      // What nobody takes now is still there.
      if (!isListening) held = reads;
      else if (received > before && reads > 0) letGo(reads - 1);
      else for (const stream of outputs) stream?.destroy();
    });
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    received += chunk.length;
    events.stdout(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    received += chunk.length;
    events.stderr(chunk);
  });
  if (plan.leads === 'sandbox')
    told?.setEncoding('utf8').on('data', (text: string) => {
      status.add(text);
      events.status(text);
      if (isEnding) end();
    });

  // A command that ends without reading its input is no error.
  child.stdin?.on('error', () => {});
  child.stdin?.end(plan.stdin);
  extra?.on('error', () => {});
  extra?.end(plan.extraInput);

  child.on('exit', () => {
    if (plan.leads === 'group') killGroup(child);
    grace = setTimeout(letGo, PIPE_GRACE_MS, LAST_READS);
  });
  child.on('close', (code, signalName) => {
    isOver = true;
    clearTimeout(grace);
    if (child.pid !== undefined) events.closed(code ?? exitCodeOf(signalName));
  });
  return {
    end,
    listen(isWanted) {
      isListening = isWanted;
      for (const stream of outputs) if (stream && !stream.destroyed) stream[isWanted ? 'resume' : 'pause']();
      if (!isWanted || held === null) return;
      // By a timer: so it is read once before it is looked at.
      grace = setTimeout(letGo, 1, held);
      held = null;
    },
  };
}

function failureOf({ message, code }: NodeJS.ErrnoException): ChildFailure {
  return { message, code };
}

/** As shells count it. */
function exitCodeOf(signalName: NodeJS.Signals | null): number | null {
  return signalName === null ? null : 128 + constants.signals[signalName];
}

/** Some failures to start are thrown, some come as an event: the thrown ones become a value here. */
function tryStart({
  file,
  args,
  argv0,
  env,
  cwd,
  stdin,
  extraInput,
  leads,
}: ChildPlan): ChildProcess | Error {
  try {
    return spawn(file, args, {
      env,
      cwd,
      detached: leads === 'group',
      ...(argv0 !== undefined && { argv0 }),
      stdio: withoutInherited([
        stdin === null ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        leads === 'sandbox' ? 'pipe' : 'ignore',
        ...(extraInput === undefined ? [] : (['pipe'] as const)),
      ]),
    });
  } catch (error) {
    return error as Error;
  }
}

/** Ends a group with all members that did not leave. */
function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) endProcess(-pid);
}

const KNOWN_WITHIN_MS = 3000;

/**
 * The first process of a pid namespace takes all others with it. Until bwrap has told which one that is, bwrap itself
 * must live: ended too early it leaves a sandbox behind that nothing ends.
 */
function killNamespace(child: ChildProcess, firstPid: number | null): void {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  if (!isRunning()) return;
  if (firstPid === null) {
    setTimeout(() => isRunning() && child.kill('SIGKILL'), KNOWN_WITHIN_MS).unref();
    return;
  }
  try {
    kill(firstPid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
