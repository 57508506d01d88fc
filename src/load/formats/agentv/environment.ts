/** `${{ NAME }}` in eval files: the environment, then `.env` files from the eval file's folder upward. */
import { parseEnv } from 'node:util';
import type { Finding, Path } from '../../../model/diagnostic.ts';
import { readTextNow } from '../../read-text.ts';
import { isObject } from '../uaaps/manifest.ts';

export type Lookup = (name: string) => string | undefined;

/** `folders`: the nearest first. */
export function lookupIn(
  env: Readonly<Record<string, string | undefined>>,
  folders: readonly string[],
): Lookup {
  let files: readonly Readonly<Record<string, string | undefined>>[] | null = null;
  return (name) => {
    if (env[name] !== undefined) return env[name];
    files ??= folders.map(readEnvFile);
    return files.find((it) => Object.hasOwn(it, name))?.[name];
  };
}

function readEnvFile(folder: string): Readonly<Record<string, string | undefined>> {
  try {
    const read = readTextNow(folder, '.env');
    return 'text' in read ? parseEnv(read.text) : {};
  } catch {
    return {};
  }
}

/** What is told of a name that stands for nothing. */
export function missingVariable(name: string): Finding {
  return {
    rule: 'missing-variable',
    message: `\${{ ${name} }} stands for nothing: the variable is not set, so it is left empty`,
    hint: `set ${name} in the environment or in a .env file`,
  };
}

/** More than one dollar is meant as it is written, one dollar less. */
const VARIABLE = /\$(\$+)(?=\{\{)|\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Every text of a value, filled in. `missing` is told of names that stand for nothing; they become empty. */
export function interpolate(
  value: unknown,
  lookup: Lookup,
  missing: (name: string, path: Path) => void,
  path: Path = [],
): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(VARIABLE, (_, dollars: string | undefined, name: string) => {
      if (dollars !== undefined) return dollars;
      const found = lookup(name);
      if (found === undefined) missing(name, path);
      return found ?? '';
    });
  }
  return mapValues(value, (inner, key) => interpolate(inner, lookup, missing, [...path, key]));
}

/** Everything else than a list or a map is given back as it is. */
export function mapValues(
  value: unknown,
  change: (inner: unknown, key: string | number) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((inner, index) => change(inner, index));
  if (!isObject(value)) return value;
  const changed: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value))
    Object.defineProperty(changed, key, {
      value: change(inner, key),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return changed;
}
