/** Archives: what is packed comes back, and nothing else is ever taken. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArchiveError, type ArchiveKind } from '../../../src/host/archive/archive.ts';
import { type PackEntry, packArchive } from '../../../src/host/archive/pack.ts';
import { readArchive } from '../../../src/host/archive/read.ts';
import { unpackArchive } from '../../../src/host/archive/unpack.ts';
import { nameProblem } from '../../../src/model/archive-name.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { END, entry, gzipped, header, padded, pax } from '../../helpers/tar.ts';

const exec = promisify(execFile);

const KIND: ArchiveKind = {
  comment: 'spec',
  limits: { entries: 100, entryBytes: 100_000, bytes: 1_000_000 },
};

type Contents = Readonly<Record<string, string | Buffer>>;

function packEntry(name: string, content: string | Buffer, executable = false): PackEntry {
  const bytes = Buffer.from(content);
  return { name, size: bytes.length, executable, content: () => [bytes] };
}

async function pack(contents: Contents, kind = KIND): Promise<Buffer> {
  return collect(
    packArchive(
      Object.entries(contents).map(([name, content]) => packEntry(name, content)),
      kind,
    ),
  );
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** In pieces, as they come from a disk or a socket. */
async function* inPieces(bytes: Buffer, size = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(packed: Buffer, kind = KIND, size?: number): Promise<Record<string, Buffer>> {
  const found: Record<string, Buffer> = {};
  for await (const { name, content } of readArchive(inPieces(packed, size), kind))
    found[name] = await collect(content);
  return found;
}

/** `fault: message` of the error that reading ends with. */
async function refusal(packed: Buffer, kind = KIND): Promise<string> {
  const error = await read(packed, kind).then(
    () => null,
    (it: unknown) => it,
  );
  if (!(error instanceof ArchiveError)) throw new Error(`no ArchiveError: ${String(error)}`);
  return `${error.fault}: ${error.message}`;
}

const tarOf = (...parts: readonly Buffer[]) => gzipped(Buffer.concat(parts), KIND);

const LONG = `${'deep/'.repeat(20)}${'ü'.repeat(60)}.json`;

describe('an archive', () => {
  it('gives back what was packed', async () => {
    const contents = {
      'b.bin': Buffer.from([0, 255, 10, 13]),
      'a/empty': '',
      'a.txt': 'x'.repeat(5000),
      'ünï/✓.md': 'ok',
      [LONG]: 'long',
      [`${'n'.repeat(100)}`]: 'a name that just fits',
      [`${'n'.repeat(101)}`]: 'one that just does not',
    };
    const packed = await pack(contents);
    const expected = Object.entries(contents).map(([name, content]) => [name, Buffer.from(content)]);
    for (const size of [1, 7, 511, 65_536])
      expect(await read(packed, KIND, size)).toEqual(Object.fromEntries(expected));
  });

  it('gives back any files', async () => {
    const part = fc.stringMatching(/^[a-c.ü]{1,4}$/).filter((it) => it !== '.' && it !== '..');
    const name = fc.array(part, { minLength: 1, maxLength: 40 }).map((parts) => parts.join('/'));
    const files = fc.dictionary(name, fc.uint8Array({ maxLength: 1200 }), { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(files, async (generated) => {
        const names = Object.keys(generated);
        fc.pre(names.every((it) => !names.some((other) => other.startsWith(`${it}/`))));
        const contents = Object.fromEntries(
          Object.entries(generated).map(([key, bytes]) => [key, Buffer.from(bytes)]),
        );
        expect(await read(await pack(contents))).toEqual(contents);
      }),
      { numRuns: 50 },
    );
  });

  it('is the same bytes whatever the order of the files', async () => {
    const one = await pack({ b: '2', a: '1', 'a.b': '3' });
    expect(one).toEqual(await pack({ 'a.b': '3', a: '1', b: '2' }));
    // The tar is written down here: it must not change between versions of aam.
    const tar = gunzipSync(one);
    expect(tar).toEqual(Buffer.concat([entry('a', '1'), entry('a.b', '3'), entry('b', '2'), END]));
    expect(one.subarray(0, 15).toString('hex')).toBe(
      `1f8b0810${'00000000'}00ff${Buffer.from('spec\0').toString('hex')}`,
    );
  });

  it('is what tar can list and unpack, long names included', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'x.tar.gz');
    await writeFile(
      file,
      await collect(packArchive([packEntry('run.sh', '#!/bin/sh\n', true), packEntry(LONG, 'y')], KIND)),
    );
    const { stderr } = await exec('tar', ['-xzf', file, '-C', folder.path]);
    expect(stderr).toBe('');
    expect(await readFile(join(folder.path, LONG), 'utf8')).toBe('y');
    expect((await stat(join(folder.path, 'run.sh'))).mode & 0o777).toBe(0o755);
  });

  it('can be read without reading every entry to its end', async () => {
    const names: string[] = [];
    const packed = await pack({ a: 'x'.repeat(50_000), b: 'y'.repeat(50_000), c: 'z' });
    for await (const { name, content } of readArchive(inPieces(packed), KIND)) {
      names.push(name);
      if (name === 'b') for await (const _ of content) break;
    }
    expect(names).toEqual(['a', 'b', 'c']);
  });

  it('is not made of what could not be read back', async () => {
    await expect(pack({ '../a': '' })).rejects.toThrow('the name ../a leads outside with ".."');
    await expect(pack({ a: '', 'a/b': '' })).rejects.toThrow('the name a/b is below a, which is a file');
    await expect(collect(packArchive([packEntry('a', ''), packEntry('a', '')], KIND))).rejects.toThrow(
      'the name a is there twice',
    );
    await expect(pack({ a: 'x'.repeat(100_001) })).rejects.toThrow('a is larger than 100000 bytes');
    const random = Buffer.concat(
      Array.from({ length: 3000 }, (_, at) => createHash('sha256').update(String(at)).digest()),
    );
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, random]));
    await expect(pack(many)).rejects.toThrow('it is larger than 1000000 bytes');
    const lying = { ...packEntry('a', 'abc'), size: 4 };
    await expect(collect(packArchive([lying], KIND))).rejects.toThrow('a has 3 bytes, and 4 were announced');
  });
});

describe('a hostile archive', () => {
  it.each<[string, Buffer, string]>([
    [
      '../../etc/passwd',
      entry('../../etc/passwd'),
      'unsafe: the name ../../etc/passwd leads outside with ".."',
    ],
    ['a/../b', entry('a/../b'), 'unsafe: the name a/../b leads outside with ".."'],
    ['/etc/passwd', entry('/etc/passwd'), 'unsafe: the name /etc/passwd is absolute'],
    ['C:/x', entry('C:/x'), 'unsafe: the name C:/x is absolute'],
    ['a\\b', entry('a\\b'), 'unsafe: the name a\\b has a backslash'],
    ['./a', entry('./a'), 'unsafe: the name ./a has a part that is empty or "."'],
    ['a//b', entry('a//b'), 'unsafe: the name a//b has a part that is empty or "."'],
    ['a folder in disguise', entry('a/'), 'unsafe: the name a/ has a part that is empty or "."'],
    ['no name', entry(''), 'unsafe: the name  is empty'],
    ['a name with a line break', entry('a\nb'), 'unsafe: the name a\nb has a control character'],
    ['a name that is not UTF-8', entry(Buffer.from([0x61, 0xff])), 'unsafe: the name "aÿ" is not UTF-8'],
    ['half a character', entry(Buffer.from([0xc3])), 'unsafe: the name "Ã" is not UTF-8'],
    ['an overlong slash', entry(Buffer.from([0x2e, 0xc0, 0xaf])), 'unsafe: the name ".À¯" is not UTF-8'],
    [
      'words after the end of a name',
      entry(Buffer.from('a\0../../b')),
      'unsafe: the header of a holds something that aam does not write there',
    ],
    [
      'the same name twice',
      Buffer.concat([entry('a', '1'), entry('a', '2')]),
      'unsafe: the name a is there twice',
    ],
    [
      'the same name twice, apart',
      Buffer.concat([entry('a', '1'), entry('b'), entry('a', '2')]),
      'unsafe: the name a is there twice',
    ],
    ['names out of order', Buffer.concat([entry('b'), entry('a')]), 'unsafe: the name a comes after b'],
    [
      'a file that is also a folder',
      Buffer.concat([entry('a'), entry('a.x'), entry('a/b')]),
      'unsafe: the name a/b is below a, which is a file',
    ],
    [
      'a symbolic link',
      entry('a', '', { type: '2', link: '/etc/passwd' }),
      'unsafe: a is a symbolic link; only files are allowed',
    ],
    [
      'a hard link',
      entry('a', '', { type: '1', link: 'b' }),
      'unsafe: a is a hard link; only files are allowed',
    ],
    ['a character device', entry('a', '', { type: '3' }), 'unsafe: a is a device; only files are allowed'],
    ['a block device', entry('a', '', { type: '4' }), 'unsafe: a is a device; only files are allowed'],
    ['a folder', entry('a', '', { type: '5' }), 'unsafe: a is a folder; only files are allowed'],
    ['a pipe', entry('a', '', { type: '6' }), 'unsafe: a is a pipe; only files are allowed'],
    [
      'an old kind of entry',
      entry('a', '', { type: '\0' }),
      'unsafe: a is an entry of an old kind; only files are allowed',
    ],
    [
      'an unknown type',
      entry('a', '', { type: '7' }),
      'unsafe: a is of an unknown type; only files are allowed',
    ],
    [
      'a sparse file',
      entry('a', '', { type: 'S' }),
      'unsafe: a is a sparse file of GNU tar; only files are allowed',
    ],
    [
      'a long name of GNU tar',
      entry('././@LongLink', '../../x\0', { type: 'L' }),
      'unsafe: ././@LongLink is a long name of GNU tar; only files are allowed',
    ],
    [
      'a link that says it is a file',
      entry('a', '', { link: '/etc/passwd' }),
      'unsafe: the header of a holds something that aam does not write there',
    ],
    [
      'a prefix that leads outside',
      entry('a', '', { prefix: '../..' }),
      'unsafe: the header of a holds something that aam does not write there',
    ],
    [
      'a program that runs as root',
      entry('a', '', { mode: '0004755\0' }),
      'unsafe: the header of a holds something that aam does not write there',
    ],
    [
      'an owner',
      entry('a', '', { uid: '0001750\0', owner: 'mallory' }),
      'unsafe: the header of a holds something that aam does not write there',
    ],
    [
      'a time',
      entry('a', '', { mtime: '14700000000\0' }),
      'unsafe: the header of a holds something that aam does not write there',
    ],
    [
      'another kind of tar',
      entry('a', '', { magic: 'ustar  \0' }),
      'unsafe: the header of a holds something that aam does not write there',
    ],
    [
      'a size in another notation',
      entry('a', '', { size: '\x80\0\0\0\0\0\0\0\0\0\0\x01' }),
      'unsafe: the size of a is not written as aam writes it',
    ],
    ['a huge size', header({ name: 'a', size: '77777777777\0' }), 'too-large: a is larger than 100000 bytes'],
    [
      'a wrong check sum',
      entry('a', '', { checksum: '000000\0 ' }),
      'damaged: there is no entry where one should begin',
    ],
    [
      'something between the entries',
      Buffer.concat([header({ name: 'a', size: 1 }), Buffer.from('x'.padEnd(512, 'secret'))]),
      'unsafe: something is hidden after the content of a',
    ],
    [
      'a size that is too small',
      Buffer.concat([header({ name: 'a', size: 0 }), padded(Buffer.from('content'))]),
      'damaged: there is no entry where one should begin',
    ],
  ])('is refused: %s', async (_, entries, message) => {
    expect(await refusal(tarOf(entries, END))).toBe(message);
  });

  const long = 'l'.repeat(120);
  const target = (raw = {}) => entry('@LongName', '', raw);

  it('may name a long path in one way', async () => {
    expect(await read(tarOf(pax({ path: long }), target(), END))).toEqual({ [long]: Buffer.alloc(0) });
  });

  it.each<[string, Buffer, string]>([
    [
      'a path that leads outside',
      pax({ path: `../${long}` }),
      `unsafe: the name ../${long} leads outside with ".."`,
    ],
    [
      'a path that needs no PAX header',
      pax({ path: 'short' }),
      'unsafe: the header of short holds something that aam does not write there',
    ],
    ['a path twice', pax({ path: long, 'path ': 'b' }), 'unsafe: a PAX header says more than a long name'],
    ['another size', pax({ path: long, size: '7' }), 'unsafe: a PAX header says more than a long name'],
    ['a link', pax({ linkpath: '/etc/passwd' }), 'unsafe: a PAX header says more than a long name'],
    [
      'a line break in the path',
      pax({ path: `${long}\n9 size=5` }),
      'unsafe: a PAX header says more than a long name',
    ],
    [
      'a NUL in the path',
      pax({ path: `${long}\0.txt` }),
      `unsafe: the name ${long}\0.txt has a control character`,
    ],
    [
      'a wrong length',
      entry('@LongName', `999 path=${long}\n`, { type: 'x' }),
      `unsafe: the header of ${long} holds something that aam does not write there`,
    ],
    [
      'another name for itself',
      entry('other', `130 path=${long}\n`, { type: 'x' }),
      `unsafe: the header of ${long} holds something that aam does not write there`,
    ],
    ['no record', pax({}), 'unsafe: a PAX header says more than a long name'],
    [
      'much text',
      entry('@LongName', 'x'.repeat(5000), { type: 'x' }),
      'unsafe: a PAX header is longer than a name can be',
    ],
    [
      'words for all entries',
      pax({ path: long }, 'g'),
      'unsafe: @LongName is a PAX header for all entries; only files are allowed',
    ],
    [
      'another PAX header after it',
      Buffer.concat([pax({ path: long }), pax({ path: `${long}2` })]),
      'unsafe: @LongName is two PAX headers for one entry; only files are allowed',
    ],
  ])('is refused for a PAX header with %s', async (_, headers, message) => {
    expect(await refusal(tarOf(headers, target(), END))).toBe(message);
  });

  it('is refused for a PAX header that nothing follows', async () => {
    expect(await refusal(tarOf(pax({ path: long }), END))).toBe(
      'damaged: there is no entry where one should begin',
    );
    expect(await refusal(tarOf(pax({ path: long })))).toBe('damaged: it ends before its last entry');
  });

  it('is refused for anything after its end', async () => {
    const good = Buffer.concat([entry('a', '1'), END]);
    const after = 'unsafe: something stands after the last entry';
    expect(await refusal(tarOf(good, Buffer.alloc(512)))).toBe(after);
    expect(await refusal(tarOf(good, Buffer.from('x')))).toBe(after);
    expect(await refusal(tarOf(good, entry('b', '2')))).toBe(after);
    expect(await refusal(tarOf(entry('a'), Buffer.alloc(512), entry('b'), END))).toBe(after);
    const compressed = 'unsafe: something stands after the end of the compressed data';
    const gz = gzipped(good, KIND);
    expect(await refusal(gzipped(good, { ...KIND, after: Buffer.from('trailing garbage') }))).toBe(
      compressed,
    );
    expect(await refusal(gzipped(good, { ...KIND, inside: Buffer.from('hidden') }))).toBe(compressed);
    expect(await refusal(Buffer.concat([gz, gz]))).toBe(compressed);
    expect(await refusal(Buffer.concat([gz, Buffer.alloc(4)]))).toBe(compressed);
  });

  it('is refused when any byte is missing at its end', async () => {
    const good = await pack({ a: 'one', b: 'x'.repeat(3000) });
    const cuts = Array.from({ length: good.length - 15 }, (_, at) => good.subarray(0, 15 + at));
    const messages = new Set(await Promise.all(cuts.map((cut) => refusal(cut))));
    expect([...messages]).toEqual(['damaged: it is cut off']);
    expect(await refusal(tarOf(entry('a'), Buffer.alloc(512)))).toBe(
      'damaged: it ends before its last entry',
    );
    expect(await refusal(tarOf(entry('a')))).toBe('damaged: it ends before its last entry');
    expect(await refusal(tarOf(header({ name: 'a', size: 700 }), Buffer.alloc(512)))).toBe(
      'damaged: it ends before its last entry',
    );
  });

  it('is refused when any bit is another', async () => {
    const good = await pack({ a: 'one', b: 'two two two two' });
    const contents = await read(good);
    for (let at = 0; at < good.length * 8; at++) {
      const bad = Buffer.from(good);
      bad[at >> 3] = (bad[at >> 3] ?? 0) ^ (1 << (at & 7));
      // Some bits of compressed data mean nothing; then what is read must be the same.
      const found = await read(bad).catch((error: unknown) => error);
      if (!(found instanceof ArchiveError)) expect(found).toEqual(contents);
    }
  });

  it('is refused when its check sum is wrong', async () => {
    const good = Buffer.concat([entry('a', '1'), END]);
    const wrong = 'damaged: the check sum of the compressed data is wrong';
    expect(await refusal(gzipped(good, { ...KIND, crc: 1 }))).toBe(wrong);
    expect(await refusal(gzipped(good, { ...KIND, size: 1 }))).toBe(wrong);
  });

  it('is refused when it is a bomb, long before it is unpacked', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const kind = { ...KIND, limits: { ...KIND.limits, entryBytes: 2 ** 30 } };
    const bomb = tarOf(header({ name: 'a', size: zeros.length }), zeros, END);
    expect(bomb.length).toBeLessThan(100_000);
    expect(await refusal(bomb, kind)).toBe('too-large: it is larger than 1000000 bytes');
    const many = Array.from({ length: 101 }, (_, at) => entry(String(at).padStart(3, '0')));
    expect(await refusal(tarOf(...many, END))).toBe('too-large: there are more than 100 entries');
    // Empty blocks without end unpack to nothing.
    const empty = Buffer.alloc(2_000_000, Buffer.from([0, 0, 0, 0xff, 0xff]));
    const endless = Buffer.concat([(await pack({})).subarray(0, 15), empty]);
    expect(await refusal(endless)).toBe('too-large: it is larger than 1000000 bytes');
  });

  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'not-an-archive: the file is empty'],
    ['text', Buffer.from('{"not": "an archive"}'), 'not-an-archive: it is not a gzip file'],
    ['a plain tar', Buffer.concat([entry('a'), END]), 'not-an-archive: it is not a gzip file'],
    [
      'what another program packed',
      gzipSync(Buffer.concat([entry('a'), END])),
      'not-an-archive: it is a gzip file that aam did not write for this',
    ],
    [
      'an archive of another kind',
      gzipped(Buffer.concat([entry('a'), END]), { comment: 'else' }),
      'not-an-archive: it is a gzip file that aam did not write for this',
    ],
    [
      'two bytes',
      Buffer.from([0x1f, 0x8b]),
      'not-an-archive: it is a gzip file that aam did not write for this',
    ],
  ])('is no archive at all: %s', async (_, bytes, message) => {
    expect(await refusal(bytes)).toBe(message);
  });

  it('never makes the reader fail in another way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.uint8Array({ maxLength: 700 }), fc.constant(entry('a', 'b')), fc.constant(END))),
        async (parts) => {
          const packed = gzipped(Buffer.concat(parts.map((it) => Buffer.from(it))), KIND);
          const found = await read(packed).catch((error: unknown) => error);
          if (found instanceof Error) expect(found).toBeInstanceOf(ArchiveError);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('unpacking', () => {
  it('writes the files into a new folder', async () => {
    await using folder = await temporaryFolder();
    const to = join(folder.path, 'out');
    const packed = await collect(packArchive([packEntry('x/run', 'go', true), packEntry(LONG, 'y')], KIND));
    await unpackArchive(inPieces(packed), to, KIND);
    expect(await readFile(join(to, LONG), 'utf8')).toBe('y');
    expect((await stat(join(to, 'x/run'))).mode & 0o777).toBe(0o755);
    expect(await readFile(join(to, 'x/run'), 'utf8')).toBe('go');
  });

  it('leaves nothing behind when something is wrong, even at the very end', async () => {
    await using folder = await temporaryFolder();
    const to = join(folder.path, 'out');
    const bad = gzipped(Buffer.concat([entry('a', '1'), END]), { ...KIND, crc: 1 });
    await expect(unpackArchive(inPieces(bad), to, KIND)).rejects.toThrow('check sum');
    const escaping = tarOf(entry('../escaped', '1'), END);
    await expect(unpackArchive(inPieces(escaping), to, KIND)).rejects.toThrow('leads outside');
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('does not write into a folder that is there, or through a link', async () => {
    await using folder = await temporaryFolder();
    await using other = await temporaryFolder();
    await symlink(other.path, join(folder.path, 'out'));
    const packed = await pack({ a: '1' });
    for (const to of [folder.path, join(folder.path, 'out')])
      await expect(unpackArchive(inPieces(packed), to, KIND)).rejects.toThrow('EEXIST');
    expect([await readdir(other.path), await readdir(folder.path)]).toEqual([[], ['out']]);
  });
});

it('names may be long and deep, but not without end', () => {
  expect(nameProblem(`${'x'.repeat(255)}/y`)).toBeNull();
  expect(nameProblem('x'.repeat(256))).toBe('has a part longer than 255 bytes');
  expect(nameProblem('ü/'.repeat(400))).not.toBeNull();
  expect(nameProblem(`${'x/'.repeat(64)}y`)).toBe('is more than 64 folders deep');
  expect(nameProblem(`${`${'x'.repeat(200)}/`.repeat(6)}y`)).toBe('is longer than 1024 bytes');
  expect(nameProblem('\ud800')).toBe('is not Unicode text');
});
