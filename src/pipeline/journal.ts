/** The folder of a run: what was asked for, one fsynced line per finished trial, and what each trial left behind. */
import { randomBytes } from 'node:crypto';
import { closeSync, fdatasync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '../host/sync-folder.ts';
import type { RunRecord } from '../model/run.ts';
import type { Capture, TrialResult } from '../model/trial.ts';
import { PRIVATE, writeAtomically } from '../report/write.ts';
import {
  type JournalContents,
  type JournalEntry,
  journalLine,
  type RunEnd,
  readJournal,
} from './journal-lines.ts';
import { type RunLock, takeRun } from './run-lock.ts';

const GATHER_MS = 100;
/** Each takes a file descriptor. */
const SYNCED_AT_ONCE = 32;

export interface JournalSetting {
  /** JSON without keys; nothing is written that did not go through it. */
  readonly toJson: (value: unknown, indent?: number) => string;
  /** `performance.now()` at the start of this process's work on the run. */
  readonly started: number;
  /** Called once, when something cannot be written: what is found out from then on would be lost. */
  readonly onFailure: (error: Error) => void;
}

export class Journal {
  readonly id: string;
  /** Absolute. */
  readonly dir: string;
  /** What was known when this process took up the run. */
  readonly before: JournalContents;
  readonly #lock: RunLock;
  readonly #file: FileHandle;
  readonly #setting: JournalSetting;
  readonly #waiting: string[] = [];
  /** Captures that may not be on the disk yet. */
  readonly #unsynced: string[] = [];
  /** The write that takes the waiting lines. */
  #next: Promise<void> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #pause: { readonly over: () => void } | null = null;
  /** The next write does not wait for more lines. */
  #isHurried = false;
  #flushed = 0;
  /** Of what is whole in the file. */
  #bytes: number;
  /** The file may end within a line. */
  #isTorn: boolean;
  #failure: Error | null = null;

  private constructor({ id, dir, lock, file, text, bytes }: Opened, setting: JournalSetting) {
    this.id = id;
    this.dir = dir;
    this.before = readJournal(text);
    this.#lock = lock;
    this.#file = file;
    this.#bytes = bytes;
    this.#isTorn = text !== '' && !text.endsWith('\n');
    this.#setting = setting;
  }

  /**
   * `runs/<id>/` in the given folder. Only its owner may look: captures hold whatever an agent saw. When this settles
   * the run can be continued by another process, also after a loss of power.
   */
  static async create(
    aam: string,
    timestamp: string,
    describe: (id: string) => RunRecord,
    setting: JournalSetting,
  ): Promise<Journal> {
    const runs = join(aam, 'runs');
    await mkdir(runs, { recursive: true, mode: 0o700 });
    await writeFile(join(aam, '.gitignore'), '*\n', { flag: 'wx' }).catch(ignoreExisting);
    const { id, dir, lock } = beginRun(runs, timestamp);
    await mkdir(join(dir, 'captures'), { mode: 0o700 });
    const file = await open(join(dir, 'journal.jsonl'), 'ax', 0o600);
    await writeAtomically(join(dir, 'run.json'), `${setting.toJson(describe(id), 2)}\n`, PRIVATE);
    for (const folder of [runs, aam, dirname(aam)]) await syncFolder(folder);
    return new Journal({ id, dir, lock, file, text: '', bytes: 0 }, setting);
  }

  /** A run that another process began; `lock` was taken before. */
  static async reopen(id: string, dir: string, lock: RunLock, setting: JournalSetting): Promise<Journal> {
    const path = join(dir, 'journal.jsonl');
    const text = await readFile(path, 'utf8').catch(ignoreMissing);
    const file = await open(path, 'a', 0o600);
    const { size: bytes } = await file.stat();
    return new Journal({ id, dir, lock, file, text, bytes }, setting);
  }

  /** Which process of the run this is. */
  get session(): number {
    return this.#lock.session;
  }

  /** Why the run cannot go on; null: all that was told is written. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Writes a capture and returns its path relative to the run's folder. It is on the disk before its result is. */
  capture(capture: Capture): string {
    // What an earlier result names stays until there is a later one.
    const again = this.before.results.has(capture.trial) ? `.${this.#lock.session}` : '';
    const path = join('captures', `${capture.trial}${again}.json`);
    try {
      // Synchronous: for a small file that costs a third.
      writeFileSync(join(this.dir, path), `${this.#setting.toJson(capture)}\n`, { mode: 0o600 });
    } catch (error) {
      this.fail(error as Error);
      throw error;
    }
    this.#unsynced.push(join(this.dir, path));
    return path;
  }

  /**
   * Settles when the line is on the disk. Lines that come within a moment go there together: each time the disk is
   * waited for, everything else that writes waits too.
   */
  append(result: TrialResult): Promise<void> {
    // Without records a trial may be undecided for just that reason: it has to run again.
    if (this.#failure && result.verdict === 'SKIP') return Promise.resolve();
    return this.#add({ result });
  }

  end(end: RunEnd): Promise<void> {
    this.hurry();
    return this.#add({ end });
  }

  /** Does not wait for more lines. */
  hurry(): void {
    this.#isHurried = true;
    this.#pause?.over();
  }

  /** From now on the run cannot keep what it finds out. */
  fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#setting.onFailure(error);
  }

  /** Once more tries to write what could not be written. */
  async settle(): Promise<void> {
    this.hurry();
    await this.#next?.catch(() => {});
    await this.#last;
    if (this.#waiting.length > 0) await this.#write().catch(() => {});
  }

  #add(what: { readonly result: TrialResult } | { readonly end: RunEnd }): Promise<void> {
    const ms = Math.round(performance.now() - this.#setting.started);
    const entry: JournalEntry = { session: this.#lock.session, ms, ...what };
    this.#waiting.push(journalLine(entry, this.#setting.toJson));
    this.#next ??= this.#flush();
    return this.#next;
  }

  async #flush(): Promise<void> {
    await this.#last;
    const wait = this.#flushed + GATHER_MS - performance.now();
    if (wait > 0 && !this.#isHurried) await this.#gather(wait);
    this.#isHurried = false;
    this.#next = null;
    const written = this.#write();
    this.#last = written.catch(() => {});
    await written;
    this.#flushed = performance.now();
  }

  /** What could not be written waits for the next time. */
  async #write(): Promise<void> {
    const lines = this.#waiting.splice(0);
    const captures = this.#unsynced.splice(0);
    try {
      for (let at = 0; at < captures.length; at += SYNCED_AT_ONCE)
        await Promise.all(captures.slice(at, at + SYNCED_AT_ONCE).map(syncFile));
      if (captures.length > 0) await syncFolder(join(this.dir, 'captures'));
      const text = `${this.#isTorn ? '\n' : ''}${lines.join('')}`;
      await this.#file.appendFile(text);
      await this.#file.datasync();
      this.#bytes += Buffer.byteLength(text);
      this.#isTorn = false;
    } catch (error) {
      // A full disk takes the beginning of a line.
      this.#isTorn ||= await this.#file.truncate(this.#bytes).then(
        () => false,
        () => true,
      );
      this.#waiting.unshift(...lines);
      this.#unsynced.unshift(...captures);
      this.fail(error as Error);
      throw error;
    }
  }

  async #gather(ms: number): Promise<void> {
    await new Promise<void>((over) => {
      const timer = setTimeout(over, ms);
      this.#pause = {
        over: () => {
          clearTimeout(timer);
          over();
        },
      };
    });
    this.#pause = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settle();
    await this.#file.close();
    this.#lock[Symbol.dispose]();
  }
}

interface Opened extends Pick<Journal, 'id' | 'dir'> {
  readonly lock: RunLock;
  readonly file: FileHandle;
  /** What is in it. */
  readonly text: string;
  readonly bytes: number;
}

/** Folders that are still empty may be removed by anybody at any time. */
function beginRun(runs: string, timestamp: string): { id: string; dir: string; lock: RunLock } {
  for (;;) {
    const id = `${timestamp.replaceAll(':', '-')}-${randomBytes(3).toString('hex')}`;
    const dir = join(runs, id);
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const lock = takeRun(dir);
      if ('pid' in lock) throw new Error(`${dir} was taken by another process`);
      return { id, dir, lock };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

const dataToDisk = promisify(fdatasync);

async function syncFile(path: string): Promise<void> {
  const file = openSync(path, 'r+');
  try {
    await dataToDisk(file);
  } finally {
    closeSync(file);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function ignoreMissing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error;
  return '';
}
