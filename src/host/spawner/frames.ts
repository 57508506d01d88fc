/** What a process and its spawner say to each other: what kind of message, about which child, and what it says. */
export const KIND = {
  /** Of the spawner, once: it takes orders now. */
  ready: 0,
  /** Orders: a ChildPlan; nothing. */
  start: 1,
  end: 2,
  /** What a child does, as in ChildEvents: a pid; bytes; bytes; text; an exit code or null; a ChildFailure. */
  started: 3,
  stdout: 4,
  stderr: 5,
  status: 6,
  closed: 7,
  failed: 8,
  /** The order to end it was taken. */
  ending: 9,
} as const;

export interface Frame {
  readonly kind: number;
  readonly id: number;
  readonly body: Buffer;
}

/** Kind, id, length of the body. */
const HEAD = 9;

export function frame(kind: number, id: number, body: Buffer | string = ''): Buffer {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const whole = Buffer.allocUnsafe(HEAD + length);
  whole.writeUInt8(kind, 0);
  whole.writeUInt32LE(id, 1);
  whole.writeUInt32LE(length, 5);
  if (typeof body === 'string') whole.write(body, HEAD);
  else body.copy(whole, HEAD);
  return whole;
}

/** Gives frames as soon as they are whole. */
export class FrameReader {
  readonly #take: (frame: Frame) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Before this there is no use in looking. */
  #needed = HEAD;

  constructor(take: (frame: Frame) => void) {
    this.#take = take;
  }

  add(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return;
    const all = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    let at = 0;
    this.#needed = HEAD;
    while (all.length - at >= HEAD) {
      this.#needed = HEAD + all.readUInt32LE(at + 5);
      if (all.length - at < this.#needed) break;
      const body = all.subarray(at + HEAD, at + this.#needed);
      this.#take({ kind: all.readUInt8(at), id: all.readUInt32LE(at + 1), body });
      at += this.#needed;
      this.#needed = HEAD;
    }
    this.#parts = at < all.length ? [all.subarray(at)] : [];
    this.#bytes = all.length - at;
  }
}
