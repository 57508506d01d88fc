/** Reads the body of a client's request whole, because it may have to be sent again. */
import type { IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Of all requests of a door that run at the same time. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

export class BodyStore {
  #held = 0;

  /** null: the client went away. `release` must be called when the body is no longer needed. */
  async read(request: IncomingMessage): Promise<Body | 'too-large' | null> {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return 'too-large';
    const chunks: Buffer[] = [];
    let size = 0;
    const release = () => {
      this.#held -= size;
      size = 0;
    };
    try {
      // Stopping early must not destroy the connection: the client is to see why.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#held += chunk.length;
        if (size > MAX_BODY_BYTES || this.#held > MAX_HELD_BYTES) {
          release();
          return 'too-large';
        }
        chunks.push(chunk);
      }
    } catch {
      release();
      return null;
    }
    return { bytes: Buffer.concat(chunks), release };
  }
}

export interface Body {
  readonly bytes: Buffer;
  release(): void;
}
