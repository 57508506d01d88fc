/** In which order trials start. Pure. */
import type { Trial } from '../model/trial.ts';

/**
 * Those that took longest before start first, so that none of them is left over when all others are done; those that
 * nobody knows before them, since they may take longer still. Otherwise the order stays.
 */
export function longestFirst(
  trials: readonly Trial[],
  knownSeconds: (trial: Trial) => number | null,
): Trial[] {
  return trials
    .map((trial) => ({ trial, seconds: knownSeconds(trial) ?? Number.MAX_VALUE }))
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ trial }) => trial);
}
