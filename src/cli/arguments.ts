/** Readers of option values. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { MAX_CASE_SECONDS, MAX_RUNS } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import type { Cli } from './cli.ts';

/** Where a command works: the folder of `-C`, or the one it was started in. */
export function workingFolder({ host }: Pick<Cli, 'host'>, { cwd }: { readonly cwd?: string }): string {
  if (cwd === undefined) return host.cwd;
  const folder = resolve(host.cwd, cwd);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`-C ${cwd}: there is no such folder`);
  return folder;
}

/** For options that may be repeated. */
export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** `a,b` and repeated options alike. */
export function tagsIn(written: readonly string[] | undefined, option = '--filter-tags'): string[] {
  const tags = (written ?? []).flatMap((it) => it.split(',')).map((tag) => tag.trim());
  if (tags.includes('')) throw new UserError(`${option}: a tag is empty`, `write  ${option} smoke,nightly`);
  return tags;
}

export function whole(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) {
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  }
  return count;
}

const MAX_VOTES = 15;

/** An even number of votes can be split. */
export function odd(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > MAX_VOTES || count % 2 === 0)
    throw new InvalidArgumentError(`It must be an odd number: 1, 3, 5… up to ${MAX_VOTES}.`);
  return count;
}

export function runs(value: string): number {
  const count = whole(value);
  if (count > MAX_RUNS) throw new InvalidArgumentError(`It must be ${MAX_RUNS} at most.`);
  return count;
}

/** A share of something: more than nothing, at most all. */
export function share(value: string): number {
  const amount = Number(value);
  if (!(amount > 0 && amount <= 1)) throw new InvalidArgumentError('It must be above 0 and 1 at most.');
  return amount;
}

export function caseSeconds(value: string): number {
  const amount = positive(value);
  if (amount > MAX_CASE_SECONDS)
    throw new InvalidArgumentError(`It must be ${MAX_CASE_SECONDS} (a day) at most.`);
  return amount;
}

export function positive(value: string): number {
  const amount = Number(value);
  if (!(amount > 0) || !Number.isFinite(amount))
    throw new InvalidArgumentError('It must be a number above 0.');
  return amount;
}
