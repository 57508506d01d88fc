/** Evidence archives: what is proven, and what is not. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ArchiveError } from '../../src/host/archive/archive.ts';
import { packArchive } from '../../src/host/archive/pack.ts';
import { readArchive } from '../../src/host/archive/read.ts';
import { readPublicKey, readSigningKey, type SigningKey } from '../../src/report/evidence/keys.ts';
import { EVIDENCE } from '../../src/report/evidence/kind.ts';
import { type EvidenceFile, packEvidence } from '../../src/report/evidence/pack.ts';
import { verifyEvidence } from '../../src/report/evidence/verify.ts';
import { END, entry, gzipped } from '../helpers/tar.ts';

const FACTS = { run: 'eval-run-x', timestamp: '2026-01-02T03:04:05Z', aam_version: '9.9.9' };
const FILES = {
  'report.json': '{"id": "eval-run-x"}\n',
  'captures/a.json': '{}',
  'suite/a.yaml': 'name: a\n',
};

interface Keys {
  readonly signing: SigningKey;
  readonly pub: KeyObject;
}

function newKeys(): Keys {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return { signing: readSigningKey(pem, 'key.pem'), pub: createPublicKey(privateKey) };
}

const OURS = newKeys();
const THEIRS = newKeys();

async function evidence(key: SigningKey | null, contents: Record<string, string> = FILES): Promise<Buffer> {
  const files = Object.entries(contents).map(
    ([path, text]): EvidenceFile => ({
      path,
      read: async () => ({ bytes: Buffer.from(text), redacted: false }),
    }),
  );
  return collect((await packEvidence(files, FACTS, key)).chunks);
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const check = (bytes: Buffer, key: KeyObject | null = null) => verifyEvidence(once(bytes), key);

type Entries = Map<string, Buffer>;

/** Takes an archive apart, and packs it again as aam itself would. */
async function tamper(bytes: Buffer, change: (entries: Entries) => void): Promise<Buffer> {
  const entries: Entries = new Map();
  for await (const { name, content } of readArchive(once(bytes), EVIDENCE))
    entries.set(name, await collect(content));
  change(entries);
  const packed = [...entries].map(([name, content]) => ({
    ...{ name, size: content.length, executable: false },
    content: () => [content],
  }));
  return collect(packArchive(packed, EVIDENCE));
}

function edit(entries: Entries, name: string, change: (text: string) => string): void {
  entries.set(name, Buffer.from(change(entries.get(name)?.toString() ?? '')));
}

describe('an untouched archive', () => {
  it('is proven, and says who signed it', async () => {
    const { fingerprint } = OURS.signing.signer;
    const facts = { ...FACTS, ok: true, entries: 3, bytes: 31, problems: [] };
    expect(await check(await evidence(null))).toEqual({
      ...facts,
      signature: { state: 'none', fingerprint: null },
    });
    const signed = await evidence(OURS.signing);
    expect(await check(signed)).toEqual({ ...facts, signature: { state: 'unknown-key', fingerprint } });
    expect(await check(signed, OURS.pub)).toEqual({ ...facts, signature: { state: 'valid', fingerprint } });
  });

  it('is the same bytes each time, signature included', async () => {
    const turned = Object.fromEntries(Object.entries(FILES).reverse());
    expect(await evidence(OURS.signing, turned)).toEqual(await evidence(OURS.signing));
  });

  it('is not written when a file changes meanwhile', async () => {
    let count = 0;
    const read = async () => ({ bytes: Buffer.from(String(count++)), redacted: false });
    const { chunks } = await packEvidence([{ path: 'report.json', read }], FACTS, null);
    await expect(collect(chunks)).rejects.toThrow(
      'report.json changed while the evidence archive was written',
    );
  });
});

describe('what was done to an archive', () => {
  it.each<[string, (entries: Entries) => void, string[]]>([
    [
      'a content that was changed',
      (it) => edit(it, 'report.json', (text) => text.replace('x', 'y')),
      ['changed report.json has another content than listed'],
    ],
    [
      'a content that is longer',
      (it) => edit(it, 'captures/a.json', (text) => `${text}\n`),
      ['changed captures/a.json has 3 bytes instead of 2'],
    ],
    [
      'a file that is gone',
      (it) => it.delete('suite/a.yaml'),
      ['missing suite/a.yaml is listed and not there'],
    ],
    [
      'a file that was added',
      (it) => it.set('captures/b.json', Buffer.from('{}')),
      ['extra captures/b.json is there and not listed'],
    ],
    [
      'a file under another name',
      (it) => {
        it.set('suite/b.yaml', it.get('suite/a.yaml') ?? Buffer.alloc(0));
        it.delete('suite/a.yaml');
      },
      ['missing suite/a.yaml is listed and not there', 'extra suite/b.yaml is there and not listed'],
    ],
  ])('is told: %s', async (_, change, problems) => {
    for (const key of [null, OURS.signing]) {
      const found = await check(await tamper(await evidence(key), change));
      expect(found.ok).toBe(false);
      expect(found.problems.map(({ kind, entry: name, message }) => `${kind} ${name} ${message}`)).toEqual(
        problems,
      );
    }
  });

  it.each<[string, (text: string) => string, string]>([
    [
      'lists itself',
      (text) => text.replace('suite/a.yaml', 'manifest.json'),
      'manifest.json lists manifest.json, which it cannot know',
    ],
    [
      'lists its signature',
      (text) => text.replace('suite/a.yaml', 'manifest.sig'),
      'manifest.json lists manifest.sig, which it cannot know',
    ],
    [
      'lists a file twice',
      (text) => text.replace('suite/a.yaml', 'captures/a.json'),
      'manifest.json lists captures/a.json twice',
    ],
    [
      'lists no report',
      (text) => text.replace('"report.json"', '"retort.json"'),
      'manifest.json lists no report.json',
    ],
    [
      'is no JSON',
      () => '{',
      'manifest.json is no manifest of evidence: Invalid input: expected object, received undefined',
    ],
    [
      'has another version',
      (text) => text.replace('"version": 1', '"version": 2'),
      'manifest.json is no manifest of evidence: version: Invalid input: expected 1',
    ],
    [
      'has a key that nobody knows',
      (text) => text.replace('{\n', '{\n  "note": "x",\n'),
      'manifest.json is no manifest of evidence: Unrecognized key: "note"',
    ],
    // Programs differ in which of the two they believe.
    [
      'has a key twice',
      (text) => text.replace('{\n', '{\n  "entries": [],\n'),
      'manifest.json is not written as aam writes it',
    ],
    [
      'is indented otherwise',
      (text) => JSON.stringify(JSON.parse(text)),
      'manifest.json is not written as aam writes it',
    ],
    [
      'has its keys in another order',
      (text) =>
        `${JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse()), null, 2)}\n`,
      'manifest.json is not written as aam writes it',
    ],
    [
      'has half a hash',
      (text) => text.replace(/[0-9a-f]{32}"/, '"'),
      'manifest.json is no manifest of evidence: entries.0.sha256: Invalid string: must match pattern /^[0-9a-f]{64}$/',
    ],
    [
      'has a size below zero',
      (text) => text.replace('"size": 2', '"size": -2'),
      'manifest.json is no manifest of evidence: entries.0.size: Too small: expected number to be >=0',
    ],
  ])('is told: a manifest that %s', async (_, change, message) => {
    const found = await check(await tamper(await evidence(null), (it) => edit(it, 'manifest.json', change)));
    expect(found).toMatchObject({
      ok: false,
      run: null,
      signature: { state: 'unchecked' },
      problems: [{ kind: 'manifest', entry: null, message }],
    });
  });

  it('is told: a manifest that is not UTF-8', async () => {
    const tampered = await tamper(await evidence(null), (it) => {
      const text = it.get('manifest.json')?.toString('latin1') ?? '';
      it.set('manifest.json', Buffer.from(text.replace('9.9.9', '\xff'), 'latin1'));
    });
    expect((await check(tampered)).problems).toMatchObject([{ kind: 'manifest' }]);
  });

  it('is told: no manifest', async () => {
    const none = await tamper(await evidence(null), (it) => it.delete('manifest.json'));
    expect((await check(none)).problems).toEqual([
      { kind: 'manifest', entry: null, message: 'there is no manifest.json' },
    ]);
  });
});

describe('a signature', () => {
  const problemsOf = async (bytes: Buffer, key: KeyObject | null) => {
    const { ok, signature, problems } = await check(bytes, key);
    return { ok, state: signature.state, problems: problems.map(({ message }) => message) };
  };

  it('by another key is not taken for the given one', async () => {
    const found = await problemsOf(await evidence(THEIRS.signing), OURS.pub);
    expect(found).toEqual({
      ok: false,
      state: 'other-key',
      problems: [`it is signed with another key than the given one (${OURS.signing.signer.fingerprint})`],
    });
  });

  it('that is not there does not satisfy a key', async () => {
    const unsigned = 'it is not signed, so nothing shows that it comes from the given key';
    expect(await problemsOf(await evidence(null), OURS.pub)).toEqual({
      ok: false,
      state: 'none',
      problems: [unsigned],
    });
    const removed = await tamper(await evidence(OURS.signing), (it) => it.delete('manifest.sig'));
    const missing = { ok: false, state: 'invalid', problems: ['it was signed, and manifest.sig is missing'] };
    expect(await problemsOf(removed, OURS.pub)).toEqual(missing);
    expect(await problemsOf(removed, null)).toEqual(missing);
  });

  it('does not fit a manifest that was changed with the files', async () => {
    const other = await evidence(OURS.signing, { ...FILES, 'captures/a.json': '[]' });
    const old: Entries = new Map();
    await tamper(await evidence(OURS.signing), (it) => void old.set('sig', it.get('manifest.sig') as Buffer));
    const mixed = await tamper(other, (it) => it.set('manifest.sig', old.get('sig') as Buffer));
    const invalid = { ok: false, state: 'invalid', problems: ['the signature does not fit the manifest'] };
    expect(await problemsOf(mixed, OURS.pub)).toEqual(invalid);
    expect(await problemsOf(mixed, null)).toEqual(invalid);
  });

  it('by one key does not pass under the name of another', async () => {
    const { signer } = OURS.signing;
    // The attacker signs with a key of their own and names ours.
    const forged: SigningKey = { ...THEIRS.signing, signer };
    expect(await problemsOf(await evidence(forged), OURS.pub)).toMatchObject({ ok: false, state: 'invalid' });
    const mixed = {
      ...THEIRS.signing,
      signer: { ...THEIRS.signing.signer, fingerprint: signer.fingerprint },
    };
    expect(await problemsOf(await evidence(mixed), OURS.pub)).toEqual({
      ok: false,
      state: 'invalid',
      problems: ['the manifest names a signer without a proper key'],
    });
  });

  it.each([
    ['short', 63],
    ['empty', 0],
  ])('that is %s is invalid', async (_, length) => {
    const bad = await tamper(await evidence(OURS.signing), (it) =>
      it.set('manifest.sig', Buffer.alloc(length)),
    );
    expect(await problemsOf(bad, null)).toMatchObject({ ok: false, state: 'invalid' });
  });

  it('that is long is refused before it is read', async () => {
    const bad = await tamper(await evidence(OURS.signing), (it) => it.set('manifest.sig', Buffer.alloc(65)));
    expect(await problemsOf(bad, null)).toEqual({
      ok: false,
      state: 'unchecked',
      problems: ['manifest.sig is larger than 64 bytes'],
    });
  });

  it('without a signer is no signature', async () => {
    const stray = await tamper(await evidence(null), (it) => it.set('manifest.sig', Buffer.alloc(64)));
    expect(await problemsOf(stray, null)).toEqual({
      ok: false,
      state: 'none',
      problems: ['there is a manifest.sig, and the manifest names no signer'],
    });
  });
});

describe('a hostile archive', () => {
  it('is not proven', async () => {
    const bytes = gzipped(Buffer.concat([entry('../report.json', '{}'), END]), EVIDENCE);
    expect(await check(bytes)).toMatchObject({
      ok: false,
      problems: [{ kind: 'archive', message: 'the name ../report.json leads outside with ".."' }],
    });
    const signed = await evidence(OURS.signing);
    const cut = await check(signed.subarray(0, -20), OURS.pub);
    expect(cut).toMatchObject({ ok: false, problems: [{ kind: 'archive', message: 'it is cut off' }] });
  });

  it('that is too large, or something else, cannot be judged', async () => {
    const huge = gzipped(Buffer.concat([entry('a', '', { size: '77777777777\0' }), END]), EVIDENCE);
    await expect(check(huge)).rejects.toThrow(ArchiveError);
    await expect(check(Buffer.from('text'))).rejects.toThrow('it is not a gzip file');
  });
});

describe('keys', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ed = generateKeyPairSync('ed25519');
  const privatePem = (key: KeyObject, more = {}) =>
    key.export({ format: 'pem', type: 'pkcs8', ...more }).toString();
  const publicPem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();

  it.each([
    ['a public key', publicPem(ed.publicKey), 'k.pem is a public key: signing needs the private one'],
    ['an RSA key', privatePem(rsa.privateKey), 'k.pem is a key of type rsa: ed25519 is needed'],
    [
      'an X25519 key',
      privatePem(generateKeyPairSync('x25519').privateKey),
      'k.pem is a key of type x25519: ed25519 is needed',
    ],
    [
      'an encrypted key',
      privatePem(ed.privateKey, { cipher: 'aes-256-cbc', passphrase: 'x' }),
      'k.pem is encrypted, and aam does not ask for passphrases',
    ],
    [
      'a key of OpenSSH',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n',
      'k.pem is a key of OpenSSH: PKCS8 is needed',
    ],
    ['text', 'hello', 'k.pem is no private key in PEM (PKCS8)'],
    ['nothing', '', 'k.pem is no private key in PEM (PKCS8)'],
    [
      'half a key',
      privatePem(ed.privateKey).replace(/.{20}\n-----END/, '\n-----END'),
      'k.pem is no private key in PEM (PKCS8)',
    ],
  ])('cannot sign: %s', (_, pem, message) => {
    expect(() => readSigningKey(pem, 'k.pem')).toThrow(message);
  });

  it.each([
    [
      'a private key',
      privatePem(ed.privateKey),
      'k.pem is a private key: --key takes the public one, which you can give away',
    ],
    ['an RSA key', publicPem(rsa.publicKey), 'k.pem is a key of type rsa: ed25519 is needed'],
    ['text', 'hello', 'k.pem is no public key in PEM'],
  ])('cannot verify: %s', (_, pem, message) => {
    expect(() => readPublicKey(pem, 'k.pem')).toThrow(message);
  });
});
