/** Reads an archive that a stranger may have made, within bounds and without writing anything. */
import { ArchiveError, type ArchiveKind, type EntryFacts } from './archive.ts';
import { gunzip } from './gzip.ts';
import { BLOCK, decodeHeader, padding } from './header.ts';
import { NameList } from './names.ts';

export interface ReadEntry extends EntryFacts {
  /** Can be read once, before the next entry is asked for; what is not read is passed over. */
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Only what `packArchive` writes is taken, byte for byte; anything else is an ArchiveError. Nothing is proven before the
 * last entry has come: damage may stand at the end.
 */
export async function* readArchive(
  packed: AsyncIterable<Uint8Array>,
  kind: ArchiveKind,
): AsyncGenerator<ReadEntry> {
  const { limits } = kind;
  await using bytes = new ByteReader(gunzip(packed, kind));
  const names = new NameList();
  for (let count = 1; ; count++) {
    const first = await bytes.block();
    if (isZero(first)) break;
    if (count > limits.entries)
      throw new ArchiveError('too-large', `there are more than ${limits.entries} entries`);
    const facts = await decodeHeader(first, () => bytes.block());
    const problem = names.add(facts.name);
    if (problem !== null) throw new ArchiveError('unsafe', `the name ${facts.name} ${problem}`);
    if (facts.size > limits.entryBytes)
      throw new ArchiveError('too-large', `${facts.name} is larger than ${limits.entryBytes} bytes`);
    const content = bytes.run(facts.size);
    yield { ...facts, content };
    // Goes on where the reader of the entry stopped.
    for await (const _ of content);
    if (!isZero(await bytes.take(padding(facts.size).length)))
      throw new ArchiveError('unsafe', `something is hidden after the content of ${facts.name}`);
  }
  if (!isZero(await bytes.block()) || !(await bytes.isAtEnd()))
    throw new ArchiveError('unsafe', 'something stands after the last entry');
}

/** Hands out a stream in pieces of the wanted size. */
class ByteReader {
  readonly #chunks: AsyncGenerator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncGenerator<Buffer>) {
    this.#chunks = chunks;
  }

  block(): Promise<Buffer> {
    return this.take(BLOCK);
  }

  async take(size: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.run(size)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Whoever iterates again goes on where the last one stopped. */
  run(size: number): AsyncIterable<Buffer> {
    let left = size;
    const next = async (): Promise<IteratorResult<Buffer>> => {
      if (left === 0) return { done: true, value: undefined };
      if (await this.isAtEnd()) throw new ArchiveError('damaged', 'it ends before its last entry');
      const value = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(value.length);
      left -= value.length;
      return { done: false, value };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return true;
      this.#rest = value;
    }
    return false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return(undefined);
  }
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}
