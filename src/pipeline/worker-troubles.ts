/** What a worker took and could not run: when that is its machine's fault it rests for a while and says so, and others take what it would only give back. */
import { statSync } from 'node:fs';
import { PrerequisiteError } from '../model/errors.ts';

/** Why a trial could not be run here, which says nothing about it. */
export interface Trouble {
  readonly trouble: string;
  /** Another run would fare no better. */
  readonly isOfMachine: boolean;
}

const MACHINE = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ENOMEM', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM'];

/** `folder`: where the worker keeps the files of runs. Whatever else is wrong may be so by what a stranger sent. */
export function troubleOf(error: Error & { readonly code?: string }, folder: string): Trouble {
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const isOfMachine = error instanceof PrerequisiteError || MACHINE.includes(error.code ?? '') || !isThere;
  return { trouble: error.message, isOfMachine };
}

const FIRST_REST_MS = 2000;
const MAX_REST_MS = 30_000;

export class WorkerTroubles {
  /** How often trials could not be run here, by their place in the queue. */
  readonly #times = new Map<string, number>();
  #message: string | null = null;
  #inARow = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;

  /** Why nothing can be run here; null: nothing is known that speaks against it. */
  get message(): string | null {
    return this.#message;
  }

  get isResting(): boolean {
    return performance.now() < this.#restsUntil;
  }

  /** Gives how often this trial could not be run here. */
  add(job: string, { trouble, isOfMachine }: Trouble): number {
    if (isOfMachine) this.#rest(trouble);
    const times = (this.#times.get(job) ?? 0) + 1;
    this.#times.set(job, times);
    return times;
  }

  /** Several that were taken at once have the same reason. */
  #rest(why: string): void {
    this.#message = why;
    if (this.isResting) return;
    this.#restsUntil = performance.now() + Math.min(FIRST_REST_MS * 2 ** this.#inARow, MAX_REST_MS);
    this.#inARow += 1;
  }

  /** It needs not be known any more. */
  forget(job: string): void {
    this.#times.delete(job);
  }

  /** A trial could be run. */
  end(): void {
    this.#message = null;
    this.#inARow = 0;
    this.#restsUntil = Number.NEGATIVE_INFINITY;
  }

  /** There is nothing to try it with: whoever comes next may. */
  pause(): void {
    if (!this.isResting) this.#message = null;
  }
}
