/** Ends processes at once. */
import { kill } from 'node:process';

/** `target`: a pid, or with a minus before it that of the leader of a group. One that is gone already is no error. */
export function endProcess(target: number): void {
  try {
    kill(target, 'SIGKILL');
  } catch {
    // Gone, no group, or somebody else's.
  }
}
