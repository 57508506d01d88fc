/** Lines of a stream that may hold anything. */

/** Real events with pictures in them take some megabytes. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Takes a stream chunk by chunk and gives its lines to one reader, who must keep up: what is not read yet waits in
 * memory. A line longer than the limit is cut there.
 */
export class Lines implements AsyncIterable<string> {
  readonly #limit: number;
  #waiting: string[] = [];
  #parts: Buffer[] = [];
  #bytes = 0;
  #started = false;
  #ended = false;
  #wake: () => void = () => {};

  constructor(limit = MAX_LINE_BYTES) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    if (this.#ended) return;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#extend(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#extend(chunk.subarray(start));
    this.#wake();
  }

  end(): void {
    if (this.#started && !this.#ended) this.#finishLine();
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      while (true) {
        const lines = this.#waiting;
        this.#waiting = [];
        yield* lines;
        if (this.#waiting.length > 0) continue;
        if (this.#ended) return;
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      }
    } finally {
      this.#ended = true;
      this.#waiting = [];
    }
  }

  #extend(part: Buffer): void {
    this.#started = true;
    const room = this.#limit - this.#bytes;
    if (room <= 0) return;
    // A copy, because a part would keep its whole chunk alive.
    this.#parts.push(Buffer.from(part.subarray(0, room)));
    this.#bytes += Math.min(room, part.length);
  }

  /** Decoded as a whole, so that no character is split. */
  #finishLine(): void {
    this.#waiting.push(Buffer.concat(this.#parts).toString());
    this.#parts = [];
    this.#bytes = 0;
    this.#started = false;
  }
}
