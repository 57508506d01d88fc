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
import { type Frame, FrameReader, frame, KIND } from './spawner/frames.ts';

const PROGRAM = fileURLToPath(new URL('../host/spawner/program.js', import.meta.url));
/** It has next to nothing in memory, and no use for more threads. */
const FLAGS = ['--max-semi-space-size=2', '--v8-pool-size=1'];
const GONE = 'the process that starts others has ended, and with it all that is known of this one';
const END_MS = 5000;

/** From here on it is worth the moment that the process takes to start itself. */
const MANY = 64;

/** For so many processes. */
export function starterFor(processes: number): Starter & AsyncDisposable {
  return processes < MANY ? { ...DIRECT, async [Symbol.asyncDispose]() {} } : new Spawner();
}

export class Spawner implements Starter, AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #orders: Duplex;
  readonly #children = new Map<number, ChildEvents>();
  readonly #ended: Promise<void>;
  /** Once it is, or is known not to be. */
  readonly ready: Promise<void>;
  #isReady = false;
  #becameReady = () => {};
  #next = 0;

  constructor(program = PROGRAM) {
    this.#process = spawn(execPath, [...FLAGS, program], {
      env: {},
      // Signals of a terminal are for this process: it decides what becomes of the others.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    this.ready = new Promise((resolve) => {
      this.#becameReady = resolve;
    });
    this.#ended = new Promise((resolve) => {
      const lose = () => {
        this.#lose();
        resolve();
      };
      this.#process.on('error', lose).on('exit', lose);
    });
    this.#orders = this.#process.stdio[3] as Duplex;
    const reader = new FrameReader((it) => this.#take(it));
    this.#orders
      ?.on('data', (chunk: Buffer) => reader.add(chunk))
      .on('error', () => this.#lose())
      .on('close', () => this.#lose());
  }

  get parents(): readonly number[] {
    return this.#process.pid === undefined ? [ownPid] : [ownPid, this.#process.pid];
  }

  start(plan: ChildPlan, events: ChildEvents): Child {
    if (!this.#isReady) return startChild(plan, events);
    const id = this.#next++;
    this.#children.set(id, events);
    this.#orders.write(frame(KIND.start, id, JSON.stringify(plan)));
    return {
      end: () => void (this.#children.has(id) && this.#orders.write(frame(KIND.end, id))),
      listen() {},
    };
  }

  #take({ kind, id, body }: Frame): void {
    if (kind === KIND.ready) {
      this.#isReady = true;
      this.#becameReady();
    }
    const events = this.#children.get(id);
    if (kind === KIND.started) events?.started(Number(body.toString()));
    else if (kind === KIND.stdout) events?.stdout(body);
    else if (kind === KIND.stderr) events?.stderr(body);
    else if (kind === KIND.status) events?.status(body.toString());
    else if (kind === KIND.closed || kind === KIND.failed) {
      this.#children.delete(id);
      const value = JSON.parse(body.toString());
      if (kind === KIND.closed) events?.closed(value);
      else events?.failed(value);
    }
  }

  #lose(): void {
    this.#isReady = false;
    this.#becameReady();
    const lost = [...this.#children.values()];
    this.#children.clear();
    for (const events of lost) events.failed({ message: GONE });
  }

  /** It ends what it has started, and itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isReady = false;
    this.#orders?.end();
    const late = setTimeout(() => this.#process.kill('SIGKILL'), END_MS);
    await this.#ended;
    clearTimeout(late);
  }
}
