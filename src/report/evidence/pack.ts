/** Makes an evidence archive: the files, a manifest of their hashes, and its signature. */
import { createHash } from 'node:crypto';
import { compareNames } from '../../host/archive/names.ts';
import { type PackEntry, packArchive } from '../../host/archive/pack.ts';
import { UserError } from '../../model/errors.ts';
import type { EvidenceEntry, EvidenceManifest } from '../../model/evidence.ts';
import type { SigningKey } from './keys.ts';
import { EVIDENCE, MANIFEST, SIGNATURE } from './kind.ts';
import { manifestBytes } from './manifest.ts';

export interface EvidenceFile {
  /** In the archive. */
  readonly path: string;
  /** Is asked twice, and must answer the same. */
  read(): Promise<EvidenceContent>;
}

interface EvidenceContent {
  readonly bytes: Buffer;
  /** Whether something secret was taken out. */
  readonly redacted: boolean;
}

export interface PackedEvidence {
  readonly manifest: EvidenceManifest;
  readonly chunks: AsyncIterable<Buffer>;
}

/** `key`: null leaves it unsigned. One file at a time is in memory. */
export async function packEvidence(
  files: readonly EvidenceFile[],
  facts: Pick<EvidenceManifest, 'run' | 'timestamp' | 'aam_version'>,
  key: SigningKey | null,
): Promise<PackedEvidence> {
  const sorted = [...files].sort((a, b) => compareNames(a.path, b.path));
  const listed: { readonly file: EvidenceFile; readonly entry: EvidenceEntry }[] = [];
  for (const file of sorted) listed.push({ file, entry: await entryOf(file) });
  const manifest: EvidenceManifest = {
    kind: 'aam-evidence',
    version: 1,
    ...facts,
    signer: key?.signer ?? null,
    entries: listed.map(({ entry }) => entry),
  };
  const bytes = manifestBytes(manifest);
  const entries = [
    ...listed.map(({ file, entry }) => packEntry(entry.path, entry.size, () => unchanged(file, entry))),
    packEntry(MANIFEST, bytes.length, () => [bytes]),
    ...(key ? [signatureEntry(key.sign(bytes))] : []),
  ];
  return { manifest, chunks: packArchive(entries, EVIDENCE) };
}

async function entryOf(file: EvidenceFile): Promise<EvidenceEntry> {
  const { bytes, redacted } = await file.read();
  return {
    path: file.path,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...(redacted && { redacted }),
  };
}

async function* unchanged(file: EvidenceFile, entry: EvidenceEntry): AsyncGenerator<Buffer> {
  const { bytes } = await file.read();
  if (createHash('sha256').update(bytes).digest('hex') !== entry.sha256)
    throw new UserError(`${entry.path} changed while the evidence archive was written`);
  yield bytes;
}

function signatureEntry(signature: Buffer): PackEntry {
  return packEntry(SIGNATURE, signature.length, () => [signature]);
}

function packEntry(name: string, size: number, content: PackEntry['content']): PackEntry {
  return { name, size, executable: false, content };
}
