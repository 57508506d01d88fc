/**
 * Starts processes through a small process of its own: the system copies the memory tables of whoever starts another
 * process, so that it takes a process with much memory several times as long as one with little. Until that process is
 * ready, and when it is gone, they are started directly.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { execPath, pid as ownPid } from 'node:process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Child, type ChildEvents, type ChildPlan, DIRECT, type Starter, startChild } from './child.ts';
import { endProcess } from './end-process.ts';
import { withoutInherited } from './inherited.ts';
import { type Frame, FrameReader, frame, KIND } from './spawner/frames.ts';

const PROGRAM = fileURLToPath(new URL('../host/spawner/program.js', import.meta.url));
/** It has next to nothing in memory, and no use for more threads. */
const FLAGS = ['--max-semi-space-size=2', '--v8-pool-size=1'];
const GONE = 'the process that starts others has ended, and with it all that is known of this one';
const HELD_UP = 'the process that starts others was held up, and nobody knows how long this one ran';
const END_MS = 5000;
/**
 * Between two looks at whether it has taken an order, to start or to end. Counted, since this process may have been stopped
 * itself.
 */
const LOOK_MS = 1000;
/** So many looks later it was held up; so many, and it will not come back. */
const LATE_LOOKS = 2;
const GONE_LOOKS = 10;

/** From here on it is worth the moment that the process takes to start itself. */
const MANY = 64;

/** For so many processes. */
export function starterFor(processes: number): Starter & AsyncDisposable {
  return processes < MANY ? { ...DIRECT, async [Symbol.asyncDispose]() {} } : new Spawner();
}

interface Started {
  readonly events: ChildEvents;
  readonly leads: ChildPlan['leads'];
  pid: number | null;
  /** It was ordered to end. */
  isEnding: boolean;
  /** While an order is not taken yet. */
  looking: NodeJS.Timeout | null;
  looks: number;
}

export class Spawner implements Starter, AsyncDisposable {
  /** null: it could not be started. */
  readonly #process: ChildProcess | null;
  readonly #orders: Duplex | null;
  readonly #children = new Map<number, Started>();
  readonly #ended: Promise<void>;
  /** Once it is, or is known not to be. */
  readonly ready: Promise<void>;
  #isReady = false;
  #isLost = false;
  #becameReady = () => {};
  #next = 0;

  constructor(program = PROGRAM) {
    this.#process = tryStart(program);
    this.ready = new Promise((resolve) => {
      this.#becameReady = resolve;
    });
    this.#ended = new Promise((resolve) => {
      const lose = () => {
        this.#lose();
        resolve();
      };
      if (this.#process === null) lose();
      this.#process?.on('error', lose).on('exit', lose);
    });
    // Where no descriptors are left there are no pipes either, whatever the types say.
    const { stdio }: Partial<ChildProcess> = this.#process ?? {};
    this.#orders = (stdio?.[3] as Duplex | undefined) ?? null;
    const reader = new FrameReader((it) => this.#take(it));
    this.#orders
      ?.on('data', (chunk: Buffer) => reader.add(chunk))
      .on('error', () => this.#lose())
      .on('close', () => this.#lose());
  }

  get parents(): readonly number[] {
    return this.#process?.pid === undefined ? [ownPid] : [ownPid, this.#process.pid];
  }

  start(plan: ChildPlan, events: ChildEvents): Child {
    if (!this.#isReady) return startChild(plan, events);
    const id = this.#next++;
    const child = { events, leads: plan.leads, pid: null, isEnding: false, looking: null, looks: 0 };
    this.#children.set(id, child);
    this.#look(child);
    this.#orders?.write(frame(KIND.start, id, JSON.stringify(plan)));
    return { end: () => this.#end(id), listen() {} };
  }

  #end(id: number): void {
    const child = this.#children.get(id);
    if (!child) return;
    this.#orders?.write(frame(KIND.end, id));
    // Once is enough.
    if (!child.isEnding) this.#look(child);
    child.isEnding = true;
  }

  #look(child: Started): void {
    child.looking ??= setInterval(() => {
      child.looks += 1;
      if (child.isEnding && child.looks >= GONE_LOOKS) this.#process?.kill('SIGKILL');
    }, LOOK_MS);
  }

  #taken(child: Started): void {
    clearInterval(child.looking ?? undefined);
    child.looking = null;
  }

  #take({ kind, id, body }: Frame): void {
    if (kind === KIND.ready && !this.#isLost) {
      this.#isReady = true;
      this.#becameReady();
    }
    const child = this.#children.get(id);
    if (!child) return;
    const { events } = child;
    if (kind === KIND.started) {
      child.pid = Number(body.toString());
      if (!child.isEnding) this.#taken(child);
      events.started(child.pid);
    } else if (kind === KIND.stdout) events.stdout(body);
    else if (kind === KIND.stderr) events.stderr(body);
    else if (kind === KIND.status) events.status(body.toString());
    else if (kind === KIND.ending) this.#taken(child);
    else if (kind === KIND.closed || kind === KIND.failed) {
      this.#forget(id, child);
      const value = JSON.parse(body.toString());
      if (child.isEnding && child.looks >= LATE_LOOKS) events.failed({ message: HELD_UP });
      else if (kind === KIND.closed) events.closed(value);
      else events.failed(value);
    }
  }

  #forget(id: number, child: Started): void {
    this.#taken(child);
    this.#children.delete(id);
  }

  #lose(): void {
    this.#isLost = true;
    this.#isReady = false;
    this.#becameReady();
    for (const [id, child] of [...this.#children]) {
      this.#forget(id, child);
      // A sandbox ends with whoever started it.
      if (child.leads === 'group' && child.pid !== null) endProcess(-child.pid);
      child.events.failed({ message: GONE });
    }
  }

  /** It ends what it has started, and itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isReady = false;
    this.#orders?.end();
    const late = setTimeout(() => this.#process?.kill('SIGKILL'), END_MS);
    await this.#ended;
    clearTimeout(late);
  }
}

function tryStart(program: string): ChildProcess | null {
  try {
    return spawn(execPath, [...FLAGS, program], {
      env: {},
      // Signals of a terminal are for this process: it decides what becomes of the others.
      detached: true,
      stdio: withoutInherited(['ignore', 'ignore', 'ignore', 'pipe']),
    });
  } catch {
    return null;
  }
}
