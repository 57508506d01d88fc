/** `package.agent.json` or its YAML twin, and `package.agent.lock`. */
import type { Located, Path } from '../../../model/diagnostic.ts';
import { type Lock, lockV1, lockV2 } from '../../../model/lock.ts';
import { type Manifest, manifest as schema } from '../../../model/manifest.ts';
import type { PackageReader } from './reader.ts';

const NAMES = ['package.agent.json', 'package.agent.yaml', 'package.agent.yml'];
const VENDOR_KEYS_EXPECTED = 5;

export interface ManifestRead {
  readonly manifest: Located<Manifest> | null;
  /** The raw document, good for folder overrides even when another field is wrong. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly file: string | null;
}

export async function readManifest(reader: PackageReader): Promise<ManifestRead> {
  const present = NAMES.filter((name) => reader.isFile(name));
  const [file, other] = present;
  if (!file) return { manifest: null, raw: {}, file: null };
  if (other) {
    reader.warn(other, {
      rule: 'two-manifests',
      message: `is not read, because ${file} is there too`,
      hint: 'keep one of them',
    });
  }
  const source = await reader.source(file, { jsonOnly: true });
  if (!source) return { manifest: null, raw: {}, file };
  const manifest = reader.decoded(schema, source, {
    ignoreKey: (key, path) => path.length === 0 && key.startsWith('x-'),
  });
  const raw = isObject(source.value) ? source.value : {};
  checkVendorKeys(reader, raw, source);
  return { manifest, raw, file };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Vendor keys hold an object each, and should stay small. */
function checkVendorKeys(
  reader: PackageReader,
  raw: Readonly<Record<string, unknown>>,
  where: Pick<Located<unknown>, 'file' | 'at'>,
): void {
  for (const [key, value] of Object.entries(raw)) {
    if (!key.startsWith('x-')) continue;
    const at: Path = [key];
    if (!/^x-[a-z0-9-]{1,32}$/.test(key)) {
      reader.errorAt(where, at, {
        rule: 'vendor-key',
        message: `${key} must be x- and 1 to 32 of a-z, 0-9 and hyphens`,
      });
    } else if (!isObject(value)) {
      reader.errorAt(where, at, { rule: 'vendor-key', message: `${key} must be a map of keys` });
    } else if (Object.keys(value).length > VENDOR_KEYS_EXPECTED) {
      reader.warnAt(where, at, {
        rule: 'vendor-key',
        message: `${key} has more than ${VENDOR_KEYS_EXPECTED} keys`,
        hint: 'keep vendor settings small, or in a file of their own',
      });
    }
  }
}

export async function readLock(reader: PackageReader): Promise<Located<Lock> | null> {
  const file = 'package.agent.lock';
  if (!reader.isFile(file)) return null;
  const source = await reader.source(file);
  if (!source) return null;
  const isV1 = isObject(source.value) && source.value['lockVersion'] === 1;
  return isV1 ? reader.decoded(lockV1, source) : reader.decoded(lockV2, source);
}
