/** Folders that are lent out, and lent again as long as nobody changed them. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeTree } from '../host/remove.ts';
import { type KnownTree, knownTree, walkTree } from './known-tree.ts';

/** File times advance in steps of up to 10 ms: a change within the same step as the making would go unseen. */
const CLOCK_STEP_MS = 12;
/** Up to here contents are compared, beyond it the next step of the clock is waited for. */
const COMPARED_BYTES = 1024 * 1024;

interface Slot<Made> {
  readonly dir: string;
  readonly made: Made;
  /** null: nobody knows. */
  readonly tree: KnownTree | null;
  /** Of the contents; null when they are too long. */
  readonly contents: string | null;
  /** Whoever uses it from then on cannot change it without being seen in the tree. */
  readonly safeFrom: number;
}

interface Kept<Made> {
  readonly key: string;
  readonly slot: Slot<Made>;
  readonly usedFrom: number;
  /** Not while somebody who used it may still be there. */
  isReady: boolean;
}

const MAX_KEPT = 200;

/** Where somebody who used a folder may still be there. */
export interface Survivors {
  /** It is known that nobody is. */
  isQuiet(): boolean;
  /** To look is dear: so many folders wait until it is done for all of them. `looks`: how often it was done. */
  perLook(looks: number): number;
}

export class FolderPool<Made> {
  /** An existing folder of this process alone; the caller removes it in the end. */
  readonly #scratch: string;
  readonly #survivors: Survivors | null;
  /** The oldest first. */
  #kept: readonly Kept<Made>[] = [];
  #folders = 0;
  #looks = 0;
  /** Folders that were kept since the last look. */
  #unseen = 0;

  /** `survivors`: null where nobody is there any more when the use of a folder is over. */
  constructor(scratch: string, survivors: Survivors | null = null) {
    this.#scratch = scratch;
    this.#survivors = survivors;
  }

  /**
   * Lends a folder for the time of `use`. Equal keys stand for equal contents: `make` fills an empty folder, and runs
   * only when there is none left that is as it was made; `discard` gets one that is not. Without a key the folder is for
   * nobody else. `use` is told how to find out whether it is still as it was made (false where nobody knows), and says
   * whether that is how it stays.
   */
  async lend<Result>(
    key: string | null,
    make: (dir: string) => Promise<Made> | Made,
    use: (made: Made, isUntouched: (forGood: boolean) => boolean) => Promise<Result>,
    discard: (dir: string) => unknown = removeTree,
  ): Promise<Result> {
    if (key === null) return await this.#lendOnce(make, use, discard);
    const slot = (await this.#take(key, discard)) ?? (await this.#create(make));
    const usedFrom = performance.now();
    let unchanged = false;
    let known: boolean | null = null;
    try {
      const result = await use(slot.made, (forGood) => {
        const isIt = isUnchanged(slot, usedFrom);
        if (forGood) known = isIt;
        return isIt;
      });
      unchanged = known ?? isUnchanged(slot, usedFrom);
      return result;
    } finally {
      if (unchanged) await this.#keep({ key, slot, usedFrom, isReady: this.#survivors === null }, discard);
      else await discard(slot.dir);
    }
  }

  async #keep(it: Kept<Made>, discard: (dir: string) => unknown): Promise<void> {
    this.#unseen += 1;
    const all = [...this.#kept, it];
    const [oldest] = all;
    this.#kept = all.slice(-MAX_KEPT);
    if (oldest && all.length > MAX_KEPT) await discard(oldest.slot.dir);
  }

  /** One that is as it was made, and that nobody can change any more. */
  async #take(key: string, discard: (dir: string) => unknown): Promise<Slot<Made> | null> {
    const own = this.#kept.filter((it) => it.key === key);
    const useless = own.length === 0 || own.some(({ isReady }) => isReady) ? [] : this.#wake();
    const ready = own.findLast(({ isReady }) => isReady);
    const gone = new Set([ready, ...useless]);
    this.#kept = this.#kept.filter((it) => !gone.has(it));
    for (const { slot } of useless) await discard(slot.dir);
    return ready?.slot ?? null;
  }

  /** Those that turn out to be of no use. */
  #wake(): Kept<Made>[] {
    if (!this.#survivors || this.#unseen < this.#survivors.perLook(this.#looks)) return [];
    this.#looks += 1;
    this.#unseen = 0;
    // Whoever is still there may be gone at the next look.
    if (!this.#survivors.isQuiet()) return [];
    const resting = this.#kept.filter(({ isReady }) => !isReady);
    for (const it of resting) it.isReady = isUnchanged(it.slot, it.usedFrom);
    return resting.filter(({ isReady }) => !isReady);
  }

  async #lendOnce<Result>(
    make: (dir: string) => Promise<Made> | Made,
    use: (made: Made, isUntouched: (forGood: boolean) => boolean) => Promise<Result>,
    discard: (dir: string) => unknown,
  ): Promise<Result> {
    const dir = this.#newFolder();
    try {
      return await use(await make(dir), () => false);
    } finally {
      await discard(dir);
    }
  }

  #newFolder(): string {
    const dir = join(this.#scratch, `f-${this.#folders++}`);
    mkdirSync(dir, { mode: 0o700 });
    return dir;
  }

  async #create(make: (dir: string) => Promise<Made> | Made): Promise<Slot<Made>> {
    const dir = this.#newFolder();
    const made = await make(dir);
    const contents = contentsOf(dir);
    if (mayBeInMemory(dir) || countsSeconds(dir)) {
      return { dir, made, tree: contents === null ? null : knownTree(dir), contents, safeFrom: Infinity };
    }
    if (contents === null) await sleep(CLOCK_STEP_MS);
    const safeFrom = performance.now() + (contents === null ? 0 : CLOCK_STEP_MS);
    return { dir, made, tree: knownTree(dir), contents, safeFrom };
  }
}

/** tmpfs, ramfs, and overlayfs, which may have one of them below it. */
const IN_MEMORY = [0x01021994, 0x858458f6, 0x794c7630];

/** There whoever maps a file into memory can change it, and no time tells. */
function mayBeInMemory(dir: string): boolean {
  return IN_MEMORY.includes(statfsSync(dir).type);
}

/** Old ones do (ext3, say, or ext4 with small inodes): there too much happens at the same time. */
function countsSeconds(dir: string): boolean {
  return lstatSync(dir).ctimeMs % 1000 === 0;
}

function isUnchanged<Made>({ dir, tree, contents, safeFrom }: Slot<Made>, usedFrom: number): boolean {
  if (!tree?.isAsItWas()) return false;
  return usedFrom >= safeFrom || contentsOf(dir) === contents;
}

function contentsOf(dir: string): string | null {
  const hash = createHash('sha256');
  let bytes = 0;
  const complete = walkTree(dir, (path, stats) => {
    hash.update(`${path}\0${stats.mode}\0`);
    bytes += stats.isFile() ? stats.size : 0;
    if (bytes > COMPARED_BYTES) return false;
    if (stats.isFile()) hash.update(readFileSync(path));
    else if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    return true;
  });
  return complete ? hash.digest('hex') : null;
}
