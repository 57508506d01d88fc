/** `package.agent.json` or its YAML twin, and `package.agent.lock`. */
import { type Located, type Path, pathText } from '../../../model/diagnostic.ts';
import { type Lock, lockV1, lockV2 } from '../../../model/lock.ts';
import { MANIFEST_FILES, type Manifest, manifest as schema } from '../../../model/manifest.ts';
import type { Source } from '../../source.ts';
import type { PackageReader } from './reader.ts';

const VENDOR_KEYS_EXPECTED = 5;

export interface ManifestRead {
  readonly manifest: Located<Manifest> | null;
  /** The document as it was written: says where the artifacts are even when another field is wrong. */
  readonly source: Source | null;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly file: string | null;
}

export async function readManifest(reader: PackageReader): Promise<ManifestRead> {
  const [file, ...others] = MANIFEST_FILES.filter((name) => reader.files.has(name));
  if (!file) return { manifest: null, source: null, raw: {}, file: null };
  for (const other of others) {
    reader.warn(other, {
      rule: 'two-manifests',
      message: `is not read, because ${file} is there too`,
      hint: 'keep one of them',
    });
  }
  const source = await reader.source(file, { jsonOnly: true });
  if (!source) return { manifest: null, source: null, raw: {}, file };
  const manifest = reader.decoded(schema, source, { partial: true });
  const raw = isObject(source.value) ? source.value : {};
  checkVendorKeys(reader, raw, source);
  return { manifest, source, raw, file };
}

export function isObject(value: unknown): value is Record<string, unknown> {
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
      const message = `${pathText(at)} must be x- and 1 to 32 of a-z, 0-9 and hyphens`;
      reader.errorAt(where, at, { rule: 'vendor-key', message }, 'key');
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
  if (!reader.files.has(file)) return null;
  const source = await reader.source(file);
  if (!source) return null;
  const isV1 = isObject(source.value) && source.value['lockVersion'] === 1;
  return isV1 ? reader.decoded(lockV1, source) : reader.decoded(lockV2, source);
}
