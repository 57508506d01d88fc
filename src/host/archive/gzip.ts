/** gzip without freedom: one header, one member, nothing after it. */
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw, createInflateRaw } from 'node:zlib';
import { ArchiveError, type ArchiveKind } from './archive.ts';

type Bytes = AsyncIterable<Uint8Array>;

const LEVEL = 6;
const TRAILER = 8;

export async function* gzip(bytes: Bytes, { comment, limits }: ArchiveKind): AsyncGenerator<Buffer> {
  const header = headerOf(comment);
  const sum = new Sum(limits.bytes);
  const deflate = createDeflateRaw({ level: LEVEL });
  // Whoever iterates is told of errors; here they only end the others.
  pipeline(Readable.from(sum.of(bytes)), deflate, () => {});
  let packed = header.length + TRAILER;
  yield header;
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    packed += chunk.length;
    if (packed > limits.bytes) throw tooLarge(limits.bytes);
    yield chunk;
  }
  yield sum.trailer();
}

/** Throws an ArchiveError unless the whole is what `gzip` writes. */
export async function* gunzip(packed: Bytes, { comment, limits }: ArchiveKind): AsyncGenerator<Buffer> {
  const body = new Body(packed, headerOf(comment), limits.bytes);
  const inflate = createInflateRaw();
  const sum = new Sum(limits.bytes);
  pipeline(Readable.from(body.chunks()), inflate, () => {});
  try {
    yield* sum.of(inflate as AsyncIterable<Buffer>);
  } catch (error) {
    throw isZlibError(error) ? new ArchiveError('damaged', whyDamaged(error)) : error;
  }
  if (!body.isRead || inflate.bytesWritten !== body.length)
    throw new ArchiveError('unsafe', 'something stands after the end of the compressed data');
  if (!sum.trailer().equals(body.trailer))
    throw new ArchiveError('damaged', 'the check sum of the compressed data is wrong');
}

/** Method deflate, a comment, no time, unknown system. */
function headerOf(comment: string): Buffer {
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff]),
    Buffer.from(`${comment}\0`, 'latin1'),
  ]);
}

/** What stands between header and trailer. */
class Body {
  /** Of what was handed on. */
  length = 0;
  isRead = false;
  trailer: Buffer = Buffer.alloc(0);
  readonly #packed: Bytes;
  readonly #header: Buffer;
  readonly #limit: number;

  constructor(packed: Bytes, header: Buffer, limit: number) {
    this.#packed = packed;
    this.#header = header;
    this.#limit = limit;
  }

  /** Always holds the last bytes back: they may be the trailer. */
  async *chunks(): AsyncGenerator<Buffer> {
    let held = Buffer.alloc(0);
    let isBegun = false;
    let total = 0;
    for await (const chunk of this.#packed) {
      total += chunk.length;
      if (total > this.#limit) throw tooLarge(this.#limit);
      held = Buffer.concat([held, chunk]);
      if (!isBegun && held.length >= this.#header.length) {
        requireHeader(held, this.#header);
        held = held.subarray(this.#header.length);
        isBegun = true;
      }
      if (!isBegun || held.length <= TRAILER) continue;
      const ready = held.subarray(0, -TRAILER);
      held = held.subarray(-TRAILER);
      this.length += ready.length;
      yield ready;
    }
    if (!isBegun) requireHeader(held, this.#header);
    this.trailer = held;
    this.isRead = true;
  }
}

function requireHeader(bytes: Buffer, header: Buffer): void {
  if (bytes.subarray(0, header.length).equals(header)) return;
  if (bytes.length === 0) throw new ArchiveError('not-an-archive', 'the file is empty');
  const isGzip = bytes[0] === header[0] && bytes[1] === header[1];
  throw new ArchiveError(
    'not-an-archive',
    isGzip ? 'it is a gzip file that aam did not write for this' : 'it is not a gzip file',
  );
}

/** Counts and sums up what goes by. */
class Sum {
  #crc = 0;
  #size = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async *of<Chunk extends Uint8Array>(bytes: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    for await (const chunk of bytes) {
      this.#size += chunk.length;
      if (this.#size > this.#limit) throw tooLarge(this.#limit);
      this.#crc = crc32(chunk, this.#crc);
      yield chunk;
    }
  }

  trailer(): Buffer {
    const bytes = Buffer.alloc(TRAILER);
    bytes.writeUInt32LE(this.#crc, 0);
    bytes.writeUInt32LE(this.#size % 2 ** 32, 4);
    return bytes;
  }
}

function isZlibError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function whyDamaged({ code, message }: NodeJS.ErrnoException): string {
  return code === 'Z_BUF_ERROR' ? 'it is cut off' : `the compressed data is damaged: ${message}`;
}

function tooLarge(limit: number): ArchiveError {
  return new ArchiveError('too-large', `it is larger than ${limit} bytes`);
}
