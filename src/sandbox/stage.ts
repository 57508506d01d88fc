/** Gives a test its own copy of what it may change, without touching the package. */
import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mount, Sandbox } from './sandbox.ts';

/** Where a package stands inside a sandbox. */
export const PACKAGE_ROOT = '/package';

/** Large folders of tools: shared read-only instead of copied. */
const SHARED = new Set(['node_modules', '.venv', '.git', '.aam', '.agent-packages']);

export interface StagedPackage {
  readonly mounts: readonly Mount[];
  /** The package's root as commands see it. */
  readonly root: string;
}

/**
 * Lays a package out in `dir`, an empty folder. `focus` (a path inside the package, '' for all) is copied and may be
 * written; so may new files at the root. The rest is shared read-only where the sandbox can, and copied where not.
 */
export async function stagePackage(
  sandbox: Sandbox,
  packageRoot: string,
  focus: string,
  dir: string,
): Promise<StagedPackage> {
  const rootDir = join(dir, 'package');
  const top: Mount = { from: rootDir, to: PACKAGE_ROOT, mode: 'rw' };
  const root = sandbox.seenAt(top);
  if (!sandbox.isolatesFiles) {
    await copyTree(packageRoot, rootDir, (from, to) => symlink(from, to));
    return { mounts: [top], root };
  }

  const mounts: Mount[] = [top];
  const share = (from: string, to: string) => void mounts.push({ from, to, mode: 'ro' });
  if (focus === '') {
    await copyTree(packageRoot, rootDir, (from) => share(from, from.replace(packageRoot, PACKAGE_ROOT)));
    return { mounts, root };
  }
  await mkdir(rootDir);
  for (const entry of await readdir(packageRoot, { withFileTypes: true })) {
    if (entry.isDirectory()) share(join(packageRoot, entry.name), `${PACKAGE_ROOT}/${entry.name}`);
    else await copyEntry(entry, packageRoot, rootDir, share);
  }
  const copy = join(dir, 'focus');
  mounts.push({ from: copy, to: `${PACKAGE_ROOT}/${focus}`, mode: 'rw' });
  await copyTree(join(packageRoot, focus), copy, (from) =>
    share(from, from.replace(packageRoot, PACKAGE_ROOT)),
  );
  return { mounts, root };
}

type Share = (from: string, to: string) => Promise<void> | void;

async function copyTree(from: string, to: string, share: Share): Promise<void> {
  await mkdir(to);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(entries.map((entry) => copyEntry(entry, from, to, share)));
}

async function copyEntry(entry: Dirent, fromDir: string, toDir: string, share: Share): Promise<void> {
  const from = join(fromDir, entry.name);
  const to = join(toDir, entry.name);
  if (entry.isDirectory() && SHARED.has(entry.name)) await share(from, to);
  else if (entry.isDirectory()) await copyTree(from, to, share);
  else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
}
