/** Readers of option values. */
import { InvalidArgumentError } from 'commander';

/** For options that may be repeated. */
export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

export function whole(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) {
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  }
  return count;
}

export function positive(value: string): number {
  const amount = Number(value);
  if (!(amount > 0) || !Number.isFinite(amount))
    throw new InvalidArgumentError('It must be a number above 0.');
  return amount;
}
