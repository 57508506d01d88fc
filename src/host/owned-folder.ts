/** Temporary folders that say whose they are, so that what a killed process left behind can be found and removed. */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { getuid } from 'node:process';
import { type Liveness, livenessOf, ownName } from './owner.ts';
import { removeTree } from './remove.ts';

const NAME = /^aam-[a-z]+_[A-Za-z0-9]{6}$/;
const OWNER = 'owner';

/**
 * The owner is the target of a link, which comes into being whole: a folder is either empty or says whose it is. Empty
 * ones may be removed by anybody at any time, so the making starts again when one is gone.
 */
export async function makeOwnedFolder(parent: string, kind: string): Promise<string> {
  for (;;) {
    const path = mkdtempSync(join(parent, `aam-${kind}_`));
    try {
      symlinkSync(ownName(), join(path, OWNER));
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      await removeTree(path);
      throw error;
    }
  }
}

/** Whose it is goes last: whenever this is cut short, the rest can still be found. Never throws. */
export async function removeOwnedFolder(path: string): Promise<{ readonly left: string | null }> {
  const names = await readdir(path).catch((): string[] => []);
  await Promise.all(names.filter((name) => !isOwnerLink(name)).map((name) => removeTree(join(path, name))));
  return await removeTree(path);
}

/** Also of a folder that several processes worked in, one after the other. */
function isOwnerLink(name: string): boolean {
  return /^owner(?:-\d+)?$/.test(name);
}

/** Those of this user. */
export function ownedFoldersIn(parent: string): string[] {
  return readOr(() => readdirSync(parent), [])
    .map((name) => join(parent, name))
    .filter((path) => NAME.test(basename(path)) && readOr(() => isOwnFolder(path), false));
}

/** `unclaimed`: it is empty. null: nobody knows whose it is. */
export function ownerOf(path: string): Liveness | 'unclaimed' | null {
  const owner = readOr(() => readlinkSync(join(path, OWNER)), null);
  if (owner !== null) return livenessOf(owner);
  return readOr(() => readdirSync(path).length, 1) === 0 ? 'unclaimed' : null;
}

function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isDirectory() && stats.uid === getuid?.();
}

function readOr<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
