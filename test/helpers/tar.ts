/** Makes tar and gzip files byte by byte, with none of the code that is tested: also those that nobody should make. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface RawHeader {
  readonly name?: string | Buffer;
  readonly size?: number | string;
  readonly mode?: string;
  readonly uid?: string;
  readonly mtime?: string;
  readonly type?: string;
  readonly link?: string;
  readonly magic?: string;
  readonly owner?: string;
  readonly prefix?: string;
  /** Instead of the right one. */
  readonly checksum?: string;
}

/** As aam writes it, but for what is given. */
export function header(raw: RawHeader = {}): Buffer {
  const bytes = Buffer.alloc(512);
  const put = (at: number, value: string | Buffer) => void Buffer.from(value).copy(bytes, at);
  put(0, raw.name ?? 'a.txt');
  put(100, raw.mode ?? '0000644\0');
  put(108, raw.uid ?? '0000000\0');
  put(116, '0000000\0');
  put(124, typeof raw.size === 'string' ? raw.size : `${(raw.size ?? 0).toString(8).padStart(11, '0')}\0`);
  put(136, raw.mtime ?? '07033241600\0');
  put(148, '        ');
  put(156, raw.type ?? '0');
  put(157, raw.link ?? '');
  put(257, raw.magic ?? 'ustar\x0000');
  put(265, raw.owner ?? '');
  put(329, '0000000\0');
  put(337, '0000000\0');
  put(345, raw.prefix ?? '');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  put(148, raw.checksum ?? `${sum.toString(8).padStart(6, '0')}\0 `);
  return bytes;
}

/** Header, content and the zeros up to the next block. */
export function entry(name: string | Buffer, content: string | Buffer = '', raw: RawHeader = {}): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([header({ name, size: bytes.length, ...raw }), padded(bytes)]);
}

export function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** A PAX header with these records. */
export function pax(records: Readonly<Record<string, string>>, type = 'x'): Buffer {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    const length = [1, 2, 3, 4]
      .map((digits) => Buffer.byteLength(rest) + digits)
      .find((it) => String(it).length + Buffer.byteLength(rest) === it);
    return `${length}${rest}`;
  });
  return entry('@LongName', lines.join(''), { type });
}

export const END = Buffer.alloc(1024);

export interface RawGzip {
  readonly comment: string;
  /** Before the data; instead of the right one. */
  readonly head?: Buffer;
  readonly crc?: number;
  readonly size?: number;
  /** After the compressed data, before the check sum. */
  readonly inside?: Buffer;
  readonly after?: Buffer;
}

export function gzipped(tar: Buffer, raw: RawGzip): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(raw.crc ?? crc32(tar), 0);
  trailer.writeUInt32LE((raw.size ?? tar.length) % 2 ** 32, 4);
  const usual = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff]),
    Buffer.from(`${raw.comment}\0`),
  ]);
  const none = Buffer.alloc(0);
  const parts = [raw.head ?? usual, deflateRawSync(tar), raw.inside ?? none, trailer, raw.after ?? none];
  return Buffer.concat(parts);
}
