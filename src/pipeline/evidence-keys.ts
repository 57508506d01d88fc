/** Reads the keys that evidence is signed and verified with. */
import type { KeyObject } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { UserError } from '../model/errors.ts';
import { readPublicKey, readSigningKey, type SigningKey } from '../report/evidence/keys.ts';
import type { EvalPlan } from './eval-plan.ts';

/** `archive`: absolute path of what is to be written. */
export async function loadSigningKey(
  path: string,
  archive: string,
  { home, pkg }: Pick<EvalPlan, 'home' | 'pkg'>,
): Promise<SigningKey> {
  const key = readSigningKey(await readPem(path), path);
  // A pipe has no other path.
  const real = await realpath(path).catch(() => path);
  if (real === (await realpath(archive).catch(() => archive)))
    throw new UserError(`the archive would replace the signing key ${path}`);
  for (const folder of [home, pkg.root]) {
    if (!real.startsWith((await realpath(folder)) + sep)) continue;
    throw new UserError(
      `the signing key ${path} lies in ${folder}, where agents may read it`,
      'move it to another folder',
    );
  }
  return key;
}

export async function loadPublicKey(path: string): Promise<KeyObject> {
  return readPublicKey(await readPem(path), path);
}

const MAX_BYTES = 64 * 1024;

/** Also from a pipe, as `<(…)` of a shell makes one. */
async function readPem(path: string): Promise<string> {
  try {
    await using file = await open(path, 'r');
    const chunks: Buffer[] = [];
    for (let left = MAX_BYTES; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(left), 0, left);
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      left -= bytesRead;
      if (left === 0) throw new UserError(`${path} is too large for a key`);
    }
    return Buffer.concat(chunks).toString('latin1');
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`the key ${path} cannot be read: ${(error as Error).message}`);
  }
}
