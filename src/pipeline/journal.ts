/** The folder of a run: one fsynced line per finished trial, and what each trial left behind. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Capture, TrialResult } from '../model/trial.ts';

const GATHER_MS = 100;

export class Journal {
  readonly id: string;
  /** Absolute. */
  readonly dir: string;
  readonly #file: FileHandle;
  readonly #redact: (text: string) => string;
  readonly #waiting: string[] = [];
  /** The write that takes the waiting lines. */
  #next: Promise<void> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #pause: { readonly over: () => void } | null = null;
  #flushed = 0;

  private constructor(id: string, dir: string, file: FileHandle, redact: (text: string) => string) {
    this.id = id;
    this.#redact = redact;
    this.dir = dir;
    this.#file = file;
  }

  /**
   * `runs/<id>/` in the given folder. Only its owner may look: captures hold whatever an agent saw. `redact` takes keys
   * out of a text; nothing is written that did not go through it.
   */
  static async create(aam: string, timestamp: string, redact: (text: string) => string): Promise<Journal> {
    const id = `${timestamp.replaceAll(':', '-')}-${randomBytes(3).toString('hex')}`;
    const dir = join(aam, 'runs', id);
    await mkdir(join(dir, 'captures'), { recursive: true, mode: 0o700 });
    await writeFile(join(aam, '.gitignore'), '*\n', { flag: 'wx' }).catch(ignoreExisting);
    return new Journal(id, dir, await open(join(dir, 'journal.jsonl'), 'wx', 0o600), redact);
  }

  /** Writes a capture and returns its path relative to the run's folder. */
  async capture(capture: Capture): Promise<string> {
    const path = join('captures', `${capture.trial}.json`);
    await writeFile(join(this.dir, path), `${this.#redact(JSON.stringify(capture))}\n`, { mode: 0o600 });
    return path;
  }

  /**
   * Settles when the line is on the disk. Lines that come within a moment go there together: each time the disk is
   * waited for, everything else that writes waits too.
   */
  append(result: TrialResult): Promise<void> {
    this.#waiting.push(`${this.#redact(JSON.stringify(result))}\n`);
    this.#next ??= this.#flush();
    return this.#next;
  }

  /** Does not wait for more lines. */
  hurry(): void {
    this.#pause?.over();
  }

  async #flush(): Promise<void> {
    await this.#last;
    const wait = this.#flushed + GATHER_MS - performance.now();
    if (wait > 0) await this.#gather(wait);
    this.#next = null;
    const written = this.#file.write(this.#waiting.splice(0).join('')).then(() => this.#file.datasync());
    this.#last = written.catch(() => {});
    await written;
    this.#flushed = performance.now();
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
    this.hurry();
    await this.#next?.catch(() => {});
    await this.#last;
    await this.#file.close();
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
