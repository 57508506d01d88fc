/** The keys that evidence is signed with: ed25519, in PEM. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { UserError } from '../../model/errors.ts';
import type { EvidenceSigner } from '../../model/evidence.ts';

export interface SigningKey {
  readonly signer: EvidenceSigner;
  sign(bytes: Uint8Array): Buffer;
  /** How the key would look in a text: must not be in any. */
  readonly secret: string;
}

const MAKE_ONE = 'make one:  openssl genpkey -algorithm ed25519 -out key.pem';

/** `shown`: what messages call it. */
export function readSigningKey(pem: string, shown: string): SigningKey {
  const label = labelOf(pem);
  if (label === 'PUBLIC KEY') throw new UserError(`${shown} is a public key: signing needs the private one`);
  if (label === 'ENCRYPTED PRIVATE KEY')
    throw new UserError(
      `${shown} is encrypted, and aam does not ask for passphrases`,
      `hand it over decrypted:  --sign <(openssl pkey -in ${shown})`,
    );
  if (label === 'OPENSSH PRIVATE KEY')
    throw new UserError(`${shown} is a key of OpenSSH: PKCS8 is needed`, MAKE_ONE);
  const key = attempt(() => createPrivateKey(pem));
  if (key === null) throw new UserError(`${shown} is no private key in PEM (PKCS8)`, MAKE_ONE);
  requireEd25519(key, shown);
  const publicKey = createPublicKey(key);
  return {
    signer: {
      algorithm: 'ed25519',
      fingerprint: fingerprintOf(publicKey),
      public_key: derOf(publicKey).toString('base64'),
    },
    sign: (bytes) => sign(null, bytes, key),
    secret: key.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

export function readPublicKey(pem: string, shown: string): KeyObject {
  const label = labelOf(pem);
  if (label?.endsWith('PRIVATE KEY'))
    throw new UserError(
      `${shown} is a private key: --key takes the public one, which you can give away`,
      `get it:  openssl pkey -in ${shown} -pubout -out public.pem`,
    );
  const key = label === 'PUBLIC KEY' ? attempt(() => createPublicKey(pem)) : null;
  if (key === null) throw new UserError(`${shown} is no public key in PEM`);
  requireEd25519(key, shown);
  return key;
}

/** The key that an archive names; null: it is none. */
export function publicKeyIn({ public_key }: EvidenceSigner): KeyObject | null {
  const der = Buffer.from(public_key, 'base64');
  const key = attempt(() => createPublicKey({ key: der, format: 'der', type: 'spki' }));
  return key?.asymmetricKeyType === 'ed25519' ? key : null;
}

/** The same as `openssl pkey -pubin -in public.pem -outform DER | sha256sum`. */
export function fingerprintOf(publicKey: KeyObject): string {
  return `sha256:${createHash('sha256').update(derOf(publicKey)).digest('hex')}`;
}

function derOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' });
}

function labelOf(pem: string): string | undefined {
  return /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem)?.[1];
}

function requireEd25519({ asymmetricKeyType: type }: KeyObject, shown: string): void {
  if (type !== 'ed25519')
    throw new UserError(`${shown} is a key of type ${type}: ed25519 is needed`, MAKE_ONE);
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
