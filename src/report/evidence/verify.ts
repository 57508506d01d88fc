/** Finds out whether an evidence archive is what its manifest says, and who signed it. Writes nothing. */
import { createHash, type KeyObject, verify } from 'node:crypto';
import { ArchiveError } from '../../host/archive/archive.ts';
import { type ReadEntry, readArchive } from '../../host/archive/read.ts';
import type { EvidenceCheck, EvidenceManifest, EvidenceProblem } from '../../model/evidence.ts';
import { fingerprintOf, publicKeyIn } from './keys.ts';
import { EVIDENCE, MANIFEST, SIGNATURE } from './kind.ts';
import { readManifest } from './manifest.ts';

/** `key`: the one it must be signed with; null: any or none. Throws an ArchiveError for what cannot be judged. */
export async function verifyEvidence(
  packed: AsyncIterable<Uint8Array>,
  key: KeyObject | null,
): Promise<Omit<EvidenceCheck, 'version' | 'file'>> {
  const found = await readAll(packed);
  const facts = { entries: found.hashes.size, bytes: found.bytes };
  const nothing = { run: null, timestamp: null, aam_version: null, ...facts };
  const unproven = { ...nothing, ok: false, signature: { state: 'unchecked', fingerprint: null } } as const;
  if (found.problem) return { ...unproven, problems: [about('archive', found.problem)] };
  if (found.manifest === null)
    return { ...unproven, problems: [about('manifest', `there is no ${MANIFEST}`)] };
  const manifest = readManifest(found.manifest);
  if ('problem' in manifest) return { ...unproven, problems: [about('manifest', manifest.problem)] };
  const signed = checkSignature(found.manifest, found.signature, manifest, key);
  const problems = [
    ...compare(manifest, found.hashes),
    ...(signed.problem === null ? [] : [about('signature', signed.problem)]),
  ];
  const { run, timestamp, aam_version } = manifest;
  const { state, fingerprint } = signed;
  return {
    ok: problems.length === 0,
    ...{ run, timestamp, aam_version, ...facts },
    signature: { state, fingerprint },
    problems,
  };
}

interface Found {
  /** null: all of it could be read. */
  readonly problem: string | null;
  readonly hashes: ReadonlyMap<string, Hashed>;
  readonly bytes: number;
  readonly manifest: Buffer | null;
  readonly signature: Buffer | null;
}

interface Hashed {
  readonly size: number;
  readonly sha256: string;
}

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
const SIGNATURE_BYTES = 64;

async function readAll(packed: AsyncIterable<Uint8Array>): Promise<Found> {
  const hashes = new Map<string, Hashed>();
  let bytes = 0;
  let manifest: Buffer | null = null;
  let signature: Buffer | null = null;
  let problem: string | null = null;
  try {
    for await (const entry of readArchive(packed, EVIDENCE)) {
      if (entry.name === MANIFEST) manifest = await whole(entry, MAX_MANIFEST_BYTES);
      else if (entry.name === SIGNATURE) signature = await whole(entry, SIGNATURE_BYTES);
      else {
        hashes.set(entry.name, { size: entry.size, sha256: await hashOf(entry) });
        bytes += entry.size;
      }
    }
  } catch (error) {
    if (!(error instanceof ArchiveError) || CANNOT_JUDGE.has(error.fault)) throw error;
    problem = error.message;
  }
  return { problem, hashes, bytes, manifest, signature };
}

/** These say nothing about whether somebody changed evidence. */
const CANNOT_JUDGE: ReadonlySet<string> = new Set(['not-an-archive', 'too-large']);

async function whole({ name, size, content }: ReadEntry, limit: number): Promise<Buffer> {
  if (size > limit) throw new ArchiveError('unsafe', `${name} is larger than ${limit} bytes`);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function hashOf({ content }: ReadEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

function compare(
  { entries }: EvidenceManifest,
  hashes: ReadonlyMap<string, Hashed>,
): readonly EvidenceProblem[] {
  const listed = new Set(entries.map(({ path }) => path));
  return [
    ...entries.flatMap(({ path, size, sha256 }): EvidenceProblem[] => {
      const found = hashes.get(path);
      if (!found) return [{ kind: 'missing', entry: path, message: 'is listed and not there' }];
      if (found.size !== size)
        return [{ kind: 'changed', entry: path, message: `has ${found.size} bytes instead of ${size}` }];
      const isSame = found.sha256 === sha256;
      return isSame ? [] : [{ kind: 'changed', entry: path, message: 'has another content than listed' }];
    }),
    ...[...hashes.keys()]
      .filter((path) => !listed.has(path))
      .map((path): EvidenceProblem => ({ kind: 'extra', entry: path, message: 'is there and not listed' })),
  ];
}

type Signed = EvidenceCheck['signature'] & { readonly problem: string | null };

function checkSignature(
  bytes: Buffer,
  signature: Buffer | null,
  { signer }: EvidenceManifest,
  key: KeyObject | null,
): Signed {
  if (signer === null) {
    const stray = signature === null ? null : `there is a ${SIGNATURE}, and the manifest names no signer`;
    const unsigned =
      key === null ? null : 'it is not signed, so nothing shows that it comes from the given key';
    return { state: 'none', fingerprint: null, problem: stray ?? unsigned };
  }
  const { fingerprint } = signer;
  const enclosed = publicKeyIn(signer);
  if (enclosed === null || fingerprintOf(enclosed) !== fingerprint)
    return {
      state: 'invalid',
      fingerprint: null,
      problem: 'the manifest names a signer without a proper key',
    };
  if (signature === null)
    return { state: 'invalid', fingerprint, problem: `it was signed, and ${SIGNATURE} is missing` };
  if (!verify(null, bytes, enclosed, signature))
    return { state: 'invalid', fingerprint, problem: 'the signature does not fit the manifest' };
  if (key === null) return { state: 'unknown-key', fingerprint, problem: null };
  const isGiven = fingerprintOf(key) === fingerprint;
  if (!isGiven)
    return {
      ...{ state: 'other-key', fingerprint },
      problem: `it is signed with another key than the given one (${fingerprintOf(key)})`,
    };
  return { state: 'valid', fingerprint, problem: null };
}

function about(kind: EvidenceProblem['kind'], message: string): EvidenceProblem {
  return { kind, entry: null, message };
}
