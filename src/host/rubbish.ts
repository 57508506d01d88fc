/** Removes folders beside everything else: a process of its own does not hold up this one, and many folders share one. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { removeTree } from './remove.ts';

/** Between two removals. So long a folder may stay after its use. */
const PAUSE_MS = 300;
/** A command line has an end. */
const FOLDERS_AT_ONCE = 500;

export class Rubbish {
  readonly #waiting: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #removing: Promise<void> | null = null;

  add(folder: string): void {
    this.#waiting.push(folder);
    if (this.#removing === null) this.#timer ??= setTimeout(() => this.#start(), PAUSE_MS);
  }

  /** When this settles all that was added is gone, as far as it can be. */
  async empty(): Promise<void> {
    await this.#removing;
    if (this.#timer) clearTimeout(this.#timer);
    for (this.#timer = null; this.#waiting.length > 0; ) await removeTrees(this.#take());
  }

  #start(): void {
    this.#timer = null;
    this.#removing = removeTrees(this.#take()).then(() => {
      this.#removing = null;
      if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#start(), PAUSE_MS);
    });
  }

  #take(): string[] {
    return this.#waiting.splice(0, FOLDERS_AT_ONCE);
  }
}

async function removeTrees(folders: readonly string[]): Promise<void> {
  await new Promise((done) => execFile('/bin/rm', ['-rf', '--', ...folders], done));
  for (const folder of folders) if (existsSync(folder)) await removeTree(folder);
}
