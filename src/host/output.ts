/** Keeps the beginning and the end of a stream within a limit, and counts the rest. */
import type { CapturedText } from '../model/process.ts';

export class BoundedOutput {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;

  constructor(limit: number) {
    this.#half = Math.max(Math.floor(limit / 2), 1);
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const room = this.#half - this.#headBytes;
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headBytes += Math.min(room, chunk.length);
    }
    if (chunk.length <= room) return;
    const rest = chunk.subarray(Math.max(room, 0));
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Compacting at twice the size keeps the cost per byte constant.
    if (this.#tailBytes > 2 * this.#half) {
      this.#tail = [Buffer.from(Buffer.concat(this.#tail).subarray(-this.#half))];
      this.#tailBytes = this.#half;
    }
  }

  text(): CapturedText {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail).subarray(-this.#half);
    const dropped = this.#bytes - head.length - tail.length;
    if (dropped === 0) {
      return { text: Buffer.concat([head, tail]).toString(), bytes: this.#bytes, truncated: false };
    }
    const text = `${head.toString()}\n[… ${dropped} bytes left out …]\n${tail.toString()}`;
    return { text, bytes: this.#bytes, truncated: true };
  }
}
