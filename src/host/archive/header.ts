/** Headers of tar entries (POSIX ustar; a PAX record where the name is long). */

import { nameProblem } from '../../model/archive-name.ts';
import { ArchiveError, type EntryFacts } from './archive.ts';

export const BLOCK = 512;

/** No other time says more, and some programs warn about the year 1970. */
const MTIME_2000 = 946_684_800;
const MAX_SHORT_NAME = 100;
const LONG_NAME = '@LongName';
const PLAIN_FILE = '0';
const EXTENDED = 'x';

/** All blocks that stand before the content. */
export function encodeHeader({ name, size, executable }: EntryFacts): Buffer {
  const mode = executable ? 0o755 : 0o644;
  if (Buffer.byteLength(name) <= MAX_SHORT_NAME) return block(name, size, mode, PLAIN_FILE);
  const record = pathRecord(name);
  return Buffer.concat([
    block(LONG_NAME, record.length, 0o644, EXTENDED),
    record,
    padding(record.length),
    block(LONG_NAME, size, mode, PLAIN_FILE),
  ]);
}

/** Zeros up to the next block. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** `next` gives the next block. Throws unless the header is byte for byte what `encodeHeader` writes. */
export async function decodeHeader(first: Buffer, next: () => Promise<Buffer>): Promise<EntryFacts> {
  const blocks = [first];
  let long: string | null = null;
  if (typeOf(first) === EXTENDED) {
    const length = octal(first, 124, 12, 'the length of a PAX header');
    if (length > MAX_RECORD) throw unsafe('a PAX header is longer than a name can be');
    const content: Buffer[] = [];
    for (let read = 0; read < length; read += BLOCK) content.push(await next());
    blocks.push(...content);
    long = pathIn(Buffer.concat(content).subarray(0, length));
    blocks.push(await next());
  }
  const last = blocks.at(-1) as Buffer;
  requirePlainFile(last);
  const name = long ?? nameIn(last);
  const problem = nameProblem(name);
  if (problem !== null) throw unsafe(`the name ${name} ${problem}`);
  const facts = {
    name,
    size: octal(last, 124, 12, `the size of ${name}`),
    executable: octal(last, 100, 8, `the mode of ${name}`) === 0o755,
  };
  if (!encodeHeader(facts).equals(Buffer.concat(blocks)))
    throw unsafe(`the header of ${name} holds something that aam does not write there`);
  return facts;
}

const MAX_RECORD = 4 * BLOCK;

function block(name: string, size: number, mode: number, type: string): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  bytes.write(name, 0);
  const numbers: [at: number, length: number, value: number][] = [
    [100, 8, mode],
    [108, 8, 0],
    [116, 8, 0],
    [124, 12, size],
    [136, 12, MTIME_2000],
    [329, 8, 0],
    [337, 8, 0],
  ];
  for (const [at, length, value] of numbers) bytes.write(value.toString(8).padStart(length - 1, '0'), at);
  bytes.write(type, 156);
  bytes.write('ustar\x0000', 257);
  bytes.write(`${checksum(bytes).toString(8).padStart(6, '0')}\0 `, CHECKSUM_AT);
  return bytes;
}

const CHECKSUM_AT = 148;
const CHECKSUM_LENGTH = 8;

/** The field itself counts as spaces. */
function checksum(bytes: Buffer): number {
  return bytes.reduce((sum, byte, at) => {
    const isOwn = at >= CHECKSUM_AT && at < CHECKSUM_AT + CHECKSUM_LENGTH;
    return sum + (isOwn ? 0x20 : byte);
  }, 0);
}

/** `<length of the whole record> path=<name>\n`. */
function pathRecord(name: string): Buffer {
  const rest = ` path=${name}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + 1;
  while (bytes + String(length).length !== length) length += 1;
  return Buffer.from(`${length}${rest}`);
}

function pathIn(record: Buffer): string {
  const [, name] = /^\d+ path=([^\n]*)\n$/.exec(text(record)) ?? [];
  if (name === undefined) throw unsafe('a PAX header says more than a long name');
  return name;
}

function typeOf(header: Buffer): string {
  const written = /^([0-7]{6})\0 $/.exec(
    header.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_LENGTH),
  );
  if (Number.parseInt(written?.[1] ?? '', 8) !== checksum(header))
    throw new ArchiveError('damaged', 'there is no entry where one should begin');
  return header.toString('latin1', 156, 157);
}

const OTHER_TYPES: Readonly<Record<string, string>> = {
  '\0': 'an entry of an old kind',
  1: 'a hard link',
  2: 'a symbolic link',
  3: 'a device',
  4: 'a device',
  5: 'a folder',
  6: 'a pipe',
  g: 'a PAX header for all entries',
  x: 'two PAX headers for one entry',
  K: 'a long link of GNU tar',
  L: 'a long name of GNU tar',
  S: 'a sparse file of GNU tar',
};

function requirePlainFile(header: Buffer): void {
  const type = typeOf(header);
  if (type === PLAIN_FILE) return;
  throw unsafe(`${nameIn(header)} is ${OTHER_TYPES[type] ?? 'of an unknown type'}; only files are allowed`);
}

function nameIn(header: Buffer): string {
  const field = header.subarray(0, MAX_SHORT_NAME);
  const end = field.indexOf(0);
  return text(end < 0 ? field : field.subarray(0, end));
}

function text(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unsafe(`the name ${JSON.stringify(bytes.toString('latin1'))} is not UTF-8`);
  }
}

function octal(header: Buffer, at: number, length: number, what: string): number {
  const written = header.toString('latin1', at, at + length);
  if (!/^[0-7]+\0$/.test(written)) throw unsafe(`${what} is not written as aam writes it`);
  return Number.parseInt(written, 8);
}

function unsafe(message: string): ArchiveError {
  return new ArchiveError('unsafe', message);
}
