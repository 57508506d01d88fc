/** The first bytes of a file; null: it cannot be read, or is none. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export function beginningOf(file: string, limit: number): Buffer | null {
  try {
    // To open a pipe must not wait for whoever writes into it.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(descriptor).isFile()) return null;
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
