/** Stands for a long text of a CLI, which is not ours to copy: tells which lines are new without the old ones. */
import { createHash } from 'node:crypto';

export function lineHashes(text: string): string[] {
  return text.split('\n').map(lineHash);
}

export function lineHash(line: string): string {
  return createHash('sha256').update(line).digest('hex').slice(0, 8);
}
