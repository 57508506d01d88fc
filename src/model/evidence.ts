/** Evidence archives: `manifest.json` inside, and what `aam evidence verify` finds out about one. */
import { z } from 'zod';

const text = z.string();
const count = z.int().nonnegative();
const fingerprint = text.describe('sha256:… of the public key in DER (SPKI)');

const entry = z.strictObject({
  path: text.describe('In the archive'),
  size: count.describe('In bytes'),
  sha256: text.regex(/^[0-9a-f]{64}$/),
  redacted: z.literal(true).describe('Keys of the machine were taken out of it').optional(),
});

const signer = z.strictObject({
  algorithm: z.literal('ed25519'),
  fingerprint,
  public_key: text.describe('DER (SPKI) in base64'),
});

export const evidenceManifest = z.strictObject({
  kind: z.literal('aam-evidence'),
  version: z.literal(1),
  run: text.describe('Id of the report'),
  timestamp: text.describe('When the run began'),
  aam_version: text,
  signer: signer.nullable().describe('Whose signature manifest.sig is; null: not signed'),
  entries: z.array(entry).describe('All but manifest.json and manifest.sig, in the order of the archive'),
});

export const evidenceCheck = z.object({
  version: z.literal(1),
  ok: z.boolean().describe('All that was asked for is proven'),
  file: text,
  run: text.nullable().describe('As the manifest says; null: it could not be read'),
  timestamp: text.nullable(),
  aam_version: text.nullable(),
  entries: count.describe('That were read'),
  bytes: count.describe('Of their contents'),
  signature: z.object({
    state: z
      .enum(['valid', 'unknown-key', 'other-key', 'invalid', 'none', 'unchecked'])
      .describe(
        'valid: made with the given key; unknown-key: fits the key in the archive, and none was given to compare; other-key: made with another key than the given one; unchecked: the archive could not be read so far',
      ),
    fingerprint: fingerprint.nullable(),
  }),
  problems: z.array(
    z.object({
      kind: z.enum(['archive', 'manifest', 'missing', 'extra', 'changed', 'signature']),
      entry: text.nullable().describe('null: about the archive as a whole'),
      message: text,
    }),
  ),
});

export type EvidenceManifest = z.output<typeof evidenceManifest>;
export type EvidenceEntry = z.output<typeof entry>;
export type EvidenceSigner = z.output<typeof signer>;
export type EvidenceCheck = z.output<typeof evidenceCheck>;
export type EvidenceProblem = EvidenceCheck['problems'][number];
