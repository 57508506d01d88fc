/** Undoes the compression of an answer. The gateway asks for plain bytes, but not every server listens. */
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, inflateSync, unzipSync } from 'node:zlib';

export function encodingOf(answer: Pick<IncomingMessage, 'headers'>): string {
  return (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
}

/** `unknown`: an encoding that is not known here, or more than the limit. */
export function decoded(bytes: Buffer, encoding: string, maxBytes: number): Buffer | 'broken' | 'unknown' {
  const limit = { maxOutputLength: maxBytes };
  try {
    if (encoding === 'identity') return bytes;
    if (encoding === 'gzip') return unzipSync(bytes, limit);
    if (encoding === 'deflate') return inflateSync(bytes, limit);
    return encoding === 'br' ? brotliDecompressSync(bytes, limit) : 'unknown';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'unknown' : 'broken';
  }
}
