/** Writes an archive. The same entries give the same tar everywhere, and the same bytes with the same zlib. */
import { ArchiveError, type ArchiveKind, type EntryFacts } from './archive.ts';
import { gzip } from './gzip.ts';
import { BLOCK, encodeHeader, padding } from './header.ts';
import { compareNames, NameList } from './names.ts';

export interface PackEntry extends EntryFacts {
  /** Exactly `size` bytes. */
  content(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Throws an ArchiveError for what could not be read back. */
export function packArchive(entries: readonly PackEntry[], kind: ArchiveKind): AsyncGenerator<Buffer> {
  return gzip(tar(entries, kind), kind);
}

async function* tar(entries: readonly PackEntry[], { limits }: ArchiveKind): AsyncGenerator<Uint8Array> {
  if (entries.length > limits.entries)
    throw new ArchiveError('too-large', `there are more than ${limits.entries} entries`);
  const names = new NameList();
  for (const entry of [...entries].sort((a, b) => compareNames(a.name, b.name))) {
    const { name, size } = entry;
    const problem = names.add(name);
    if (problem !== null) throw new ArchiveError('unsafe', `the name ${name} ${problem}`);
    if (size > limits.entryBytes)
      throw new ArchiveError('too-large', `${name} is larger than ${limits.entryBytes} bytes`);
    yield encodeHeader(entry);
    let written = 0;
    for await (const chunk of entry.content()) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== size)
      throw new ArchiveError('damaged', `${name} has ${written} bytes, and ${size} were announced`);
    yield padding(size);
  }
  yield Buffer.alloc(2 * BLOCK);
}
