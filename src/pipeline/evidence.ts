/** `aam evidence verify`. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { ArchiveError } from '../host/archive/archive.ts';
import { UserError } from '../model/errors.ts';
import type { EvidenceCheck } from '../model/evidence.ts';
import { verifyEvidence } from '../report/evidence/verify.ts';
import { loadPublicKey } from './evidence-keys.ts';

/** Both are absolute paths. Throws a UserError for what cannot be read at all. */
export async function checkEvidence(file: string, key: string | null): Promise<EvidenceCheck> {
  const publicKey = key === null ? null : await loadPublicKey(key);
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: Error) => {
    throw new UserError(`${file} cannot be read: ${error.message}`);
  });
  if (!(await handle.stat()).isFile()) throw new UserError(`${file} is not a file`);
  try {
    const found = await verifyEvidence(handle.createReadStream({ autoClose: false }), publicKey);
    return { version: 1, file, ...found };
  } catch (error) {
    if (error instanceof ArchiveError)
      throw new UserError(`${file} is no evidence archive that aam can read: ${error.message}`);
    throw error;
  }
}
