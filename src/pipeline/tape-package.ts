/** What a tape remembers of the package it was recorded with. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beginningOf } from '../load/beginning.ts';
import type { AgentPackage } from '../model/package.ts';
import { packageCopy } from '../package/install.ts';

const MAX_FILES = 200;
const HASH_DIGITS = 12;
/** For people, at the root of a package: no agent is led there. */
const ABOUT = /^(?:(?:README|CHANGELOG|LICENSE)[^/]*|\.gitignore)$/i;

/** A short hash of each installed file, by its path; of each folder, where there would be too many. */
export async function installedHashes(pkg: AgentPackage, root: string): Promise<Record<string, string>> {
  const paths = packageCopy(pkg).filter((path) => pkg.files.get(path)?.kind === 'file' && !ABOUT.test(path));
  const byFolder = paths.length > MAX_FILES;
  const hashes = new Map<string, ReturnType<typeof createHash>>();
  for (const path of paths) {
    const content = await readFile(join(root, path)).catch(() => null);
    if (content === null) continue;
    const name = byFolder ? path.split('/').slice(0, 2).join('/') : path;
    const hash = hashes.get(name) ?? createHash('sha256');
    hashes.set(name, hash.update(byFolder ? `${path}\0` : '').update(content));
  }
  return Object.fromEntries(
    [...hashes].map(([name, hash]) => [name, hash.digest('hex').slice(0, HASH_DIGITS)]),
  );
}

/** Tapes tell what is expected: wherever they lie in a package, no agent may see them. */
export function withoutTapes(pkg: AgentPackage, folder: string | null): AgentPackage {
  const below = folder === null ? null : insideOf(pkg.root, folder);
  const isTape = (path: string) =>
    (below !== null && (path === below || path.startsWith(`${below}/`))) ||
    (path.endsWith('.jsonl') && startsLikeTape(join(pkg.root, path)));
  const files = new Map([...pkg.files].filter(([path]) => !isTape(path)));
  return files.size === pkg.files.size ? pkg : { ...pkg, files };
}

/** null: it is not inside, or it is the package itself. */
function insideOf(root: string, folder: string): string | null {
  return folder.startsWith(`${root}/`) ? folder.slice(root.length + 1) : null;
}

const START = '{"tape":';

function startsLikeTape(path: string): boolean {
  return beginningOf(path, START.length)?.toString() === START;
}
