/** The first bytes of a file; null: it cannot be read. */
import { closeSync, openSync, readSync } from 'node:fs';

export function beginningOf(file: string, limit: number): Buffer | null {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const chunks: Buffer[] = [];
      for (let room = limit; room > 0; ) {
        const chunk = Buffer.alloc(Math.min(room, 64 * 1024));
        const length = readSync(descriptor, chunk);
        if (length === 0) break;
        chunks.push(chunk.subarray(0, length));
        room -= length;
      }
      return Buffer.concat(chunks);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
